// SPDX-License-Identifier: GPL-2.0-only
//
// usage: drive.mjs PLAYWRIGHT CHROMIUM PAGE JSON [SCREENSHOT]
//
// Opens a page of the html format in headless Chromium, uses it as a person
// would and compares what it shows with the JSON report of the same input.
// Prints a line a check: "ok TEXT" or "not ok TEXT: WHY".
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { check, openBrowser, tools } from "./browser.mjs";

const [modules, chromium, file, json, screenshot] = process.argv.slice(2);
const report = JSON.parse(readFileSync(json, "utf8"));
const address = pathToFileURL(file).href;
const highlight = "#ffd54a";
const { browser, page, complaints } =
	await openBrowser(modules, chromium, { width: 1440, height: 1250 });
const { settle, values, ...common } = tools(page);
const frames = () => common.frames("#flame");
const frame = (name) => common.frame("#flame", name);

async function tooltipOf(name) {
	await frame(name).hover();
	return common.tooltip();
}

async function checkFigures() {
	for (const key of ["switches", "sleeps", "lock_sleeps", "preemptions", "acquisitions"])
		check(`figure ${key}`, (await values(`#total-${key}`, "value"))[0],
			String(report.totals[key]));
}

// Every number of every row, in the report's order.
async function checkTable(section, columns) {
	await page.click(`[data-tab="${section}"]`);
	const shown = await page.$$eval("#table tbody tr", (rows) =>
		rows.map((row) => [...row.cells].map((cell) => cell.dataset.value ?? null)));

	check(`${section}: rows`, shown.length, report[section].length);
	for (const [at, get] of columns)
		check(`${section}: column ${at}`, shown.map((row) => row[at]),
			report[section].map((row) => String(get(row))));
}

async function checkTables() {
	const sleeps = [
		[0, (row) => row.sleeps], [1, (row) => row.share_of_sleeps],
		[2, (row) => row.off_cpu.p50_ns], [3, (row) => row.off_cpu.p99_ns],
		[5, (row) => row.site],
	];

	await checkTable("contended_acquisitions", [
		[0, (row) => row.acquisitions], [2, (row) => row.no_sleep],
		[3, (row) => row.one_sleep], [4, (row) => row.more_sleeps],
		[5, (row) => row.failed], [6, (row) => row.wait.p50_ns],
		[8, (row) => row.wait.max_ns], [10, (row) => row.site],
	]);
	await checkTable("other_sleeps", sleeps);
	await checkTable("lock_sleeps", sleeps);
	check("counts are printed as they are", await page.locator("#table tbody td").first().innerText(),
		report.lock_sleeps[0].sleeps.toLocaleString("en-US"));
}

async function checkSorting() {
	const first = async () => (await values("#table tbody td:first-child", "value")).map(Number);
	const counts = report.lock_sleeps.map((row) => row.sleeps);

	await page.click("#table th:nth-child(1)");
	check("a click sorts, most first", await first(), [...counts].sort((a, b) => b - a));
	await page.click("#table th:nth-child(1)");
	check("another click, least first", await first(), [...counts].sort((a, b) => a - b));
	await page.fill("#filter", "anon_vma");
	await settle();
	check("the filter keeps rows that have the word", await page.locator("#table tbody tr").count(),
		report.lock_sleeps.filter((row) =>
			`${row.site} ${row.family} ${row.slow_path}`.includes("anon_vma")).length);
	await page.fill("#filter", "");
	await settle();
}

async function checkSearch() {
	const row = report.other_sleeps.find((r) => r.site === "do_wait");

	await page.fill("#search", "do_wait");
	await settle();
	const found = (await frames()).filter((f) => f.fill === highlight);

	check("a search highlights what matches", found.length > 0 &&
		found.every((f) => f.name.includes("do_wait")), true);
	check("and nothing else", (await frames()).some((f) =>
		f.name.includes("do_wait") && f.fill !== highlight), false);
	check("and counts it", (await values("#found", "value"))[0], String(row.sleeps));
	await page.fill("#search", ".*(");
	await settle();
	check("a search is no pattern", (await frames()).some((f) => f.fill === highlight), false);
	await page.fill("#search", "");
	await settle();
	check("no search, no highlight", (await frames()).some((f) => f.fill === highlight), false);
}

const widthOf = async (name) => (await frames()).find((f) => f.name === name).width;

async function checkZoom() {
	const whole = await widthOf("all");
	const before = await widthOf("dup_mmap");

	check("all frames lie within the whole", (await frames()).every((f) => f.width <= whole), true);
	await frame("dup_mmap").click();
	await settle();
	check("a click zooms", [before < whole * 0.9, await widthOf("dup_mmap")], [true, whole]);
	const link = page.url();

	check("the address has it", /[#&]zoom=\d+/.test(link), true);
	await page.goto("about:blank");
	await page.goto(link);
	await settle();
	check("a link zooms, too", await widthOf("dup_mmap"), whole);
	await page.click("#reset");
	await settle();
	check("reset shows all", await widthOf("dup_mmap"), before);
}

async function checkSite() {
	const number = report.lock_sleeps.findIndex((row) => row.site === "anon_vma_clone");
	const row = report.lock_sleeps[number];
	const contended = report.contended_acquisitions.find((r) => r.site === "anon_vma_clone");

	await page.click(`tr[data-row="lock_sleeps.${number}"]`);
	await settle();
	check("a site's distribution of times off the CPU",
		(await values('[data-histogram="off_cpu"]', "count"))[0], String(row.off_cpu.count));
	check("and of its waits", (await values('[data-histogram="wait"]', "count"))[0],
		String(contended.wait.count));
	check("its stacks only", (await frames()).some((f) =>
		["unlink_anon_vmas", "do_wait"].includes(f.name)), false);
	const tip = await tooltipOf("anon_vma_clone");

	check("with all its sleeps", tip.split("\n")[1].split(" ")[0],
		row.sleeps.toLocaleString("en-US"));
	check("all of them for a lock", /100\.00 % of it for locks/.test(tip), true);
	if (screenshot)
		await page.screenshot({ path: screenshot });
	await page.click("#chip");
	await settle();
	check("the chip brings the others back",
		(await frames()).some((f) => f.name === "unlink_anon_vmas"), true);
}

async function checkWeights() {
	await page.click('[data-value="wait_ns"]');
	await settle();
	check("waits have no stacks of pipes", (await frames()).some((f) => f.name === "vfs_read"), false);
	await page.click('[data-value="flame"]');
	await settle();
	check("a flame graph, too", (await frames()).some((f) => f.name === "anon_vma_clone"), true);
	await page.click('[data-value="sleeps"]');
	await settle();
	const tip = await tooltipOf("all");

	check("the root is all sleeps", tip.split("\n")[1].split(" ")[0],
		report.totals.sleeps.toLocaleString("en-US"));
	await page.click('[data-value="icicle"]');
	await settle();
}

async function checkHostile() {
	check("names stay text", await page.evaluate(() => document.images.length), 0);
	check("and are shown as they are",
		(await frames()).some((f) => f.name === "</script><img src=x onerror=alert(1)>"), true);
	check("no script but the page's own",
		await page.evaluate(() => [...document.scripts].map((s) => s.type || "own").join(" ")),
		"application/json application/json own own own");
}

async function checkDark() {
	const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
	const light = await back();

	await page.emulateMedia({ colorScheme: "dark" });
	check("dark where the system is", light === await back(), false);
	await page.emulateMedia({ colorScheme: "light" });
}

await page.goto(address);
await settle();
await checkFigures();
await checkTables();
await checkSorting();
await checkSearch();
await checkZoom();
await checkSite();
await checkWeights();
await checkHostile();
await checkDark();
await page.goto(`${address}#tab=constructor&row=releases.0&weight=no&zoom=99999&layout=1`);
await page.reload();
await settle();
check("a wrong address does no harm", (await frames()).length > 0, true);
check("no errors, no requests", complaints, []);
await browser.close();
