// SPDX-License-Identifier: GPL-2.0-only
//
// usage: picture.mjs NODE_MODULES CHROMIUM PAGE PNG [STATE]
//
// Takes the picture for the documentation: of a page of the html format, with
// what STATE, the end of an address behind '#', shows.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, chromium, file, png, state] = process.argv.slice(2);
const playwright = await import(pathToFileURL(join(modules, "playwright-core", "index.mjs")));
const browser = await playwright.chromium.launch({
	executablePath: chromium,
	args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update",
		"--disable-sync"],
});
const page = await browser.newPage({
	viewport: { width: 1280, height: 1080 },
	colorScheme: "light",
	reducedMotion: "reduce",
});

await page.goto(pathToFileURL(file).href + (state ? `#${state}` : ""));
await page.waitForTimeout(500);
await page.screenshot({ path: png });
await browser.close();
