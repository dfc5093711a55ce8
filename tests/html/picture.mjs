// SPDX-License-Identifier: GPL-2.0-only
//
// usage: picture.mjs NODE_MODULES CHROMIUM PAGE PNG [STATE [FRAME]]
//
// Takes the picture for the documentation: of a page of the html format, with
// what STATE, the end of an address behind '#', shows, and what is said of the
// frame of that name.
import { pathToFileURL } from "node:url";
import { openBrowser } from "./browser.mjs";

const [modules, chromium, file, png, state, hover] = process.argv.slice(2);
const { browser, page } = await openBrowser(modules, chromium, { width: 1280, height: 1080 });

await page.goto(pathToFileURL(file).href + (state ? `#${state}` : ""));
await page.waitForTimeout(500);
if (hover) {
	await page.locator(`g.frame[name="${hover}"]`).first().hover();
	await page.waitForTimeout(500);
}
await page.screenshot({ path: png });
await browser.close();
