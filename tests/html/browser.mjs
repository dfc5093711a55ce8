// SPDX-License-Identifier: GPL-2.0-only
// Headless Chromium for the tests and the pictures: a page that complains of
// errors and of everything that is fetched.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function openBrowser(modules, chromium, viewport) {
	const playwright =
		await import(pathToFileURL(join(modules, "playwright-core", "index.mjs")));
	const browser = await playwright.chromium.launch({
		executablePath: chromium,
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
			"--disable-background-networking", "--disable-component-update",
			"--disable-sync"],
	});
	const page = await browser.newPage({
		viewport, colorScheme: "light", reducedMotion: "reduce",
	});
	const complaints = [];

	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type()))
			complaints.push(message.text());
	});
	page.on("pageerror", (error) => complaints.push(error.message));
	page.on("dialog", (dialog) => {
		complaints.push(`dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	page.on("request", (request) => {
		if (!request.url().startsWith("file:") && !request.url().startsWith("data:"))
			complaints.push(`request: ${request.url()}`);
	});
	return { browser, page, complaints };
}

export function check(text, got, want) {
	const [a, b] = [JSON.stringify(got), JSON.stringify(want)];

	console.log(a === b ? `ok ${text}` : `not ok ${text}: got ${a}, want ${b}`);
}

// What the tests of both pages ask of one.
export function tools(page) {
	return {
		// d3's transitions end in a later turn even where they take no time.
		settle: () => page.waitForTimeout(350),
		values: (selector, key) => page.$$eval(selector,
			(nodes, k) => nodes.map((n) => n.dataset[k] ?? null), key),
		// The frames that are wide enough to be seen, by name, with their colours.
		frames: (within) => page.$$eval(`${within} g.frame`, (nodes) => nodes.map((node) => ({
			name: node.getAttribute("name"),
			width: Number(node.querySelector("rect").getAttribute("width")),
			fill: node.querySelector("rect").getAttribute("fill"),
			x: node.getBoundingClientRect().x,
		}))),
		frame: (within, name) => page.locator(`${within} g.frame[name="${name}"]`).first(),
		tooltip: () => page.locator(".d3-flame-graph-tip").innerText(),
	};
}
