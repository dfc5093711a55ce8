// SPDX-License-Identifier: GPL-2.0-only
//
// usage: drive-diff.mjs PLAYWRIGHT CHROMIUM PAGE JSON SAME THREE THREE-JSON
//                       [SCREENSHOT]
//
// Opens pages of the html format of comparisons in headless Chromium, uses
// them as a person would and compares what they show with the JSON documents.
// PAGE has changes, SAME has none, THREE has three sides; 2013.html in the
// working folder, where it is there, has the call graphs of a mail.  Prints a
// line a check: "ok TEXT" or "not ok TEXT: WHY".
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { check, openBrowser, tools } from "./browser.mjs";

const [modules, chromium, file, json, sameFile, threeFile, threeJson, screenshot] =
	process.argv.slice(2);
const document_ = JSON.parse(readFileSync(json, "utf8"));
const three = JSON.parse(readFileSync(threeJson, "utf8"));
const [comparison] = document_.comparisons;
const highlight = "#ffd54a";
const { browser, page, complaints } =
	await openBrowser(modules, chromium, { width: 1440, height: 1250 });
const { settle, values, ...common } = tools(page);
const frames = (within = "#graphs") => common.frames(within);
const frame = (name, within = "#graphs") => common.frame(within, name);
const count = (n) => n.toLocaleString("en-US");
const kind = (name) => comparison.others.find((row) => row.kind === name);
const all = (row) => [row, ...(row.rows || []).flatMap(all)];
const text = (value) => value === null || value === undefined ? null : String(value);
const totalSleeps = (side) => [...comparison.locks, ...comparison.others]
	.reduce((sum, row) => sum + (row[side]?.sleeps || 0), 0);

async function open(name, state = "") {
	await page.goto("about:blank");
	await page.goto(`${pathToFileURL(name).href}#${state}`);
	await settle();
}

async function press(id, value) {
	await page.click(`#${id} [data-value="${value}"]`);
	await settle();
}

async function tooltipOf(name, within) {
	await frame(name, within).hover();
	return (await common.tooltip()).split("\n");
}

const widthOf = async (name, within) =>
	(await frames(within)).filter((f) => f.name === name).reduce((sum, f) => sum + f.width, 0);
const near = (a, b, by) => Math.abs(a - b) <= by;

// red, blue or grey: what a frame's colour says.
function hue(fill) {
	const [r, g, b] = fill.match(/\d+(\.\d+)?/g).map(Number);

	return r - b > 25 ? "more" : b - r > 25 ? "less" : "calm";
}

const huesOf = async (name) =>
	[...new Set((await frames()).filter((f) => f.name === name).map((f) => hue(f.fill)))].join(" ");

// ------------------------------------------------------------------ tables

const shownRows = () => page.$$eval("#table tbody tr", (rows) =>
	rows.map((row) => [...row.cells].map((cell) => cell.dataset.value ?? null)));

async function checkLines(tab, families, measure) {
	await page.click(`[data-tab="${tab}"]`);
	await page.selectOption("#measure", measure);
	await settle();
	const size = (row) => Math.max(row.values[measure]?.base || 0, row.values[measure]?.new || 0);
	// A kind at one place is one line.
	const inOrder = (list) => list.filter((row) => size(row) > 0).sort((a, b) => size(b) - size(a))
		.flatMap((row) => tab === "others" && row.rows?.length === 1 ? [row]
			: [row, ...inOrder(row.rows || [])]);
	const rows = inOrder(families);
	const shown = await shownRows();
	const side = (row, key) => text(row[key] && row.values[measure][key]);

	check(`${tab}, ${measure}: base`, shown.map((row) => row[0]), rows.map((row) => side(row, "base")));
	check(`${tab}, ${measure}: new`, shown.map((row) => row[1]), rows.map((row) => side(row, "new")));
	check(`${tab}, ${measure}: ratio`, shown.map((row) => row[2]),
		rows.map((row) => text(row.values[measure].ratio)));
	check(`${tab}, ${measure}: interval`, shown.map((row) => row[3]),
		rows.map((row) => text(row.values[measure].low)));
	check(`${tab}, ${measure}: what is called a change`,
		await page.$$eval("#table tbody tr", (trs) => trs.map((tr) =>
			tr.querySelector(".verdict.more, .verdict.less") !== null)),
		rows.map((row) => ["more", "less"].includes(row.values[measure].verdict)));
}

async function checkTables() {
	await checkLines("locks", comparison.locks, "sleeps_per_s");
	await checkLines("others", comparison.others, "off_cpu_ns_per_s");
	await checkLines("others", comparison.others, "share_of_sleeps");
	await checkLines("others", comparison.others, "sleeps_per_s");
	await page.click('[data-tab="totals"]');
	check("totals", await shownRows().then((rows) => rows.map((row) => [row[0], row[1], row[5]])),
		Object.entries(comparison.totals).map(([name, value]) =>
			[text(value.base), text(value.new), name]));
	await page.click('[data-tab="contended"]');
	const sites = comparison.locks.flatMap((row) => all(row).slice(1))
		.filter((row) => row.values.acquisitions_per_s?.base > 0 || row.values.acquisitions_per_s?.new > 0);

	check("contended acquisitions", (await shownRows()).map((row) => `${row[0]} ${row[1]}`).sort(),
		sites.map((row) => `${row.base && row.values.acquisitions_per_s.base} ` +
			`${row.new && row.values.acquisitions_per_s.new}`).sort());
	check("figures", [(await values("#total-sleeps_per_s", "base"))[0],
		(await values("#total-sleeps_per_s", "new"))[0]],
	["base", "new"].map((key) => String(comparison.totals.sleeps_per_s[key])));
}

async function checkSorting() {
	const first = async () => (await shownRows()).map((row) => Number(row[0] ?? -1));
	const ordered = (rows) => rows.every((n, i) => !i || rows[i - 1] >= n);

	await page.click('[data-tab="locks"]');
	await page.click("#table th:nth-child(1)");
	check("a click sorts, most first", ordered(await first()), true);
	await page.click("#table th:nth-child(1)");
	check("another click, least first", ordered((await first()).reverse()), true);
	const rows = (await shownRows()).length;

	await page.fill("#filter", "anon_vma");
	await settle();
	const left = await page.$$eval("#table tbody tr", (trs) => trs.map((tr) => tr.textContent));

	check("the filter keeps rows of a family",
		[left.length > 0, left.length < rows, left.every((t) => t.includes("anon_vma"))],
		[true, true, true]);
	await page.fill("#filter", "");
	await settle();
	check("the others come back", (await shownRows()).length, rows);
}

// ------------------------------------------------------------------ graphs

async function checkWidths() {
	const waits = "kernel_wait4";
	const wait4 = kind("wait4"), pipe = kind("pipe");
	const shareOf = (row, side) => row[side].sleeps / totalSleeps(side);

	await press("widths", "base");
	const whole = await widthOf("all");
	const before = await widthOf("anon_pipe_read");

	check("base: what is gone has its width", near(await widthOf(waits) / whole, shareOf(wait4, "base"), 0.005), true);
	check("base: and what is there", near(before / whole, shareOf(pipe, "base"), 0.005), true);
	check("base: what is new has none", await widthOf("unlink_other_vmas"), 0);
	check("base: but is listed", await page.$$eval("#towers button", (nodes) =>
		nodes.map((n) => n.textContent).filter((t) => t.includes("unlink_other_vmas")).length), 1);
	await press("widths", "new");
	const after = await widthOf("anon_pipe_read");

	check("new: widths are its own", near(after / whole, shareOf(pipe, "new"), 0.005), true);
	check("new: they change", after > before * 1.2, true);
	check("new: what is gone has none", await widthOf(waits), 0);
	const towers = await page.$$eval("#towers li", (nodes) => nodes.map((n) =>
		[n.textContent, n.querySelector("[data-value]").dataset.value]));
	const gone = towers.filter(([t]) => t.includes(waits)).map(([, n]) => Number(n));

	check("new: but is listed, exactly", gone.reduce((a, b) => a + b, 0), wait4.base.sleeps);
	await page.locator("#towers button", { hasText: waits }).first().click();
	await settle();
	check("a press on it shows it with the base's widths",
		[await page.getAttribute('#widths [data-value="base"]', "aria-pressed"),
			/[#&]zoom=\d+/.test(page.url()), await widthOf(waits) > 0], ["true", true, true]);
	await page.click("#reset");
	await press("widths", "both");
	check("both: what is gone and what is new is seen",
		[await widthOf(waits) > 4, await widthOf("unlink_other_vmas") > 4,
			await page.isVisible("#towers")], [true, true, false]);
}

async function checkColours() {
	check("gone is blue", await huesOf("kernel_wait4"), "less");
	check("new is red", await huesOf("unlink_other_vmas"), "more");
	check("no change shown is grey", await huesOf("do_madvise"), "calm");
	check("a tooltip has both sides' numbers", (await tooltipOf("do_madvise"))
		.slice(1, 3).map((line) => line.match(/^(base|new) +([\d,]+) sleeps/)?.slice(1).join(" ")),
	["base", "new"].map((side) => `${side} ${count(comparison.locks.flatMap(all)
		.find((row) => row.base?.site === "do_madvise")[side].sleeps)}`));
	check("with their base", (await tooltipOf("do_madvise")).slice(1, 3).every((line) =>
		/ per second|\/s, [\d.]+ % of all sleeps$/.test(line)), true);
	check("and the ratio", /^new\/base [\d.]+: no change is shown$/
		.test((await tooltipOf("do_madvise"))[3]), true);
	check("which for what is gone says so", (await tooltipOf("kernel_wait4")).slice(2).join("; ")
		.replace(/ +/g, " "), "new none; gone");
}

async function checkMeasures() {
	const before = await widthOf("do_madvise");

	await page.selectOption("#measure", "wait_ns_per_s");
	await settle();
	check("waits have no stacks of pipes", await widthOf("vfs_read"), 0);
	check("widths follow the measure", await widthOf("do_madvise") === before, false);
	check("waits are said as times, exactly", /\([\d,]+ ns\) of contended wait/
		.test((await tooltipOf("all"))[1]), true);
	await page.selectOption("#measure", "sleeps_per_s");
	await settle();
	check("and come back", await widthOf("do_madvise"), before);
}

async function checkSearch() {
	const pipe = kind("pipe");

	await page.fill("#search", "anon_pipe");
	await settle();
	const found = (await frames()).filter((f) => f.fill === highlight);

	check("a search highlights what matches", found.length > 0 &&
		found.every((f) => f.name.includes("anon_pipe")), true);
	check("and nothing else", (await frames()).some((f) =>
		f.name.includes("anon_pipe") && f.fill !== highlight), false);
	check("and counts it on both sides",
		[(await values("#found", "base"))[0], (await values("#found", "new"))[0]],
		[String(pipe.base.sleeps), String(pipe.new.sleeps)]);
	await page.fill("#search", ".*(");
	await settle();
	check("a search is no pattern", (await frames()).some((f) => f.fill === highlight), false);
	await page.fill("#search", "");
	await settle();
}

async function checkZoom() {
	const whole = await widthOf("all");
	const before = await widthOf("do_madvise");

	await frame("do_madvise").click();
	await settle();
	check("a click zooms", [before < whole * 0.9, await widthOf("do_madvise")], [true, whole]);
	const link = page.url();

	check("the address has it", /[#&]zoom=\d+/.test(link), true);
	await page.goto("about:blank");
	await page.goto(link);
	await settle();
	check("a link zooms, too", await widthOf("do_madvise"), whole);
	await page.click("#reset");
	await settle();
	check("reset shows all", await widthOf("do_madvise"), before);
}

async function checkSides() {
	await press("views", "sides");
	const halves = await Promise.all(["base", "new"].map((side) =>
		widthOf("all", `[data-side="${side}"]`)));
	const total = comparison.totals.sleeps_per_s;

	check("two graphs beside each other", halves.every((w) => w > 100), true);
	check("on one scale", near(halves[0] / halves[1], total.base / total.new,
		0.15 * total.base / total.new), true);
	check("what is gone is in the base's",
		[await widthOf("kernel_wait4", '[data-side="base"]') > 4,
			await widthOf("kernel_wait4", '[data-side="new"]')], [true, 0]);
	check("each with its number", [(await values('[data-side="base"] [data-value]', "value"))[0],
		(await values('[data-side="new"] [data-value]', "value"))[0]],
	["base", "new"].map((side) => String(totalSleeps(side))));
	await frame("do_madvise", '[data-side="base"]').click();
	await settle();
	check("a click zooms both", (await frames()).filter((f) => f.name === "do_madvise")
		.map((f) => f.width > 300), [true, true]);
	await page.click("#reset");
	await settle();
	await press("orders", "callee");
	check("from the sleeps up: locks are one frame, whatever the mode",
		(await frames()).some((f) => f.name.startsWith("[lock")), true);
	await press("orders", "caller");
	await press("views", "difference");
	await press("layouts", "flame");
	check("a flame graph, too", (await frames()).some((f) => f.name === "do_madvise"), true);
	await press("layouts", "icicle");
}

async function checkLine() {
	await page.click('[data-tab="others"]');
	const pipe = kind("pipe");

	await page.locator("#table tbody tr", { hasText: "pipe" }).first().click();
	await settle();
	const shown = await page.$$eval("#site tr[data-measure]", (rows) => rows.map((row) =>
		[row.dataset.measure, row.cells[0].dataset.value ?? null, row.cells[1].dataset.value ?? null]));

	check("a line's numbers", shown, Object.entries(pipe.values).map(([name, value]) =>
		[name, text(value.base), text(value.new)]));
	check("its stacks only", (await frames()).some((f) => f.name === "do_madvise"), false);
	const tip = await tooltipOf("all");

	check("with all its sleeps", tip.slice(1, 3).map((line) => line.match(/[\d,]+/)[0]),
		[count(pipe.base.sleeps), count(pipe.new.sleeps)]);
	check("and its verdict", /^new\/base [\d.]+: more$/.test(tip[3]), true);
	if (screenshot)
		await page.screenshot({ path: screenshot });
	await page.click("#chip");
	await settle();
	check("the chip brings the others back",
		(await frames()).some((f) => f.name === "do_madvise"), true);
}

// --------------------------------------------------------------- all pages

async function checkHostile() {
	check("names stay text", await page.evaluate(() => document.images.length), 0);
	check("and are shown as they are",
		(await frames()).some((f) => f.name === "</script><img src=x onerror=alert(1)>"), true);
	check("no script but the page's own",
		await page.evaluate(() => [...document.scripts].map((s) => s.type || "own").join(" ")),
		"application/json application/json own own own");
}

async function checkSame() {
	await open(sameFile);
	check("no change: nothing is called one", await page.locator(".verdict.more, .verdict.less").count(), 0);
	for (const widths of ["both", "base", "new"]) {
		await press("widths", widths);
		check(`no change: all frames are grey, ${widths}`,
			[...new Set((await frames()).map((f) => hue(f.fill)))], ["calm"]);
	}
	check("no change: nor what one run alone has", (await tooltipOf("rare_ioctl")).slice(3),
		["the new side only: no change is shown"]);
}

async function checkThree() {
	await open(threeFile);
	const notes = await page.$$eval("#notes li", (nodes) => nodes.map((n) => n.textContent));

	check("three sides: notes are on top", three.notes.every((note) => notes.includes(note)) &&
		notes.length > 0 && await page.isVisible("#notes"), true);
	check("three sides: both primitives in one frame",
		(await tooltipOf("[lock anon_vma]"))[0], "[lock anon_vma] rwsem:W → mutex");
	check("three sides: a script stays text",
		(await frames()).some((f) => f.name === "<script>alert(1)</script>"), true);
	const families = () => page.locator("#table tbody tr").first().locator("td").nth(1)
		.getAttribute("data-value");

	check("three sides: the first comparison", await families(),
		String(three.comparisons[0].locks[0].values[three.comparisons[0].measure].new));
	await page.selectOption("#comparison", "1");
	await settle();
	check("three sides: the second one", await families(),
		String(three.comparisons[1].locks[0].values[three.comparisons[1].measure].new));
	check("three sides: which is the same side again",
		[...new Set((await frames()).map((f) => hue(f.fill)))], ["calm"]);
	check("three sides: the address has it", /comparison=1/.test(page.url()), true);
}

// Shares of the products of percentages along the mail's call graphs.
async function check2013() {
	await open("2013.html", "order=callee");
	check("2013: anon_vma under both locks", (await tooltipOf("[lock anon_vma]"))
		.map((line) => line.replace(/ +/g, " ")),
	["[lock anon_vma] mutex → rwsem:W", "base 1.71 % of all recorded switches",
		"new 53.19 % of all recorded switches", "new/base 31.0: not tested"]);
	check("2013: a caller that the base may have, too", (await tooltipOf("unlink_anon_vmas")).slice(1)
		.map((line) => line.replace(/ +/g, " ")),
	["base none", "new 22.33 % of all recorded switches",
		"on one side only, but callers were not recorded on the other"]);
	check("2013: which is not coloured", await huesOf("unlink_anon_vmas"), "calm");
	await page.fill("#search", "exit_shm");
	await settle();
	check("2013: exit_shm is the base's only", await page.locator("#found").textContent(),
		"base 0.64 %, new 0.00 % match");
}

await open(file);
await checkTables();
await checkSorting();
await checkWidths();
await checkColours();
await checkMeasures();
await checkSearch();
await checkZoom();
await checkSides();
await checkLine();
await checkHostile();
await open(file, "comparison=constructor&measure=no&tab=__proto__&row=99999&view=x&widths=9&order=a&zoom=99999&sort=77.x");
check("a wrong address does no harm", (await frames()).length > 0, true);
await checkSame();
await checkThree();
if (existsSync("2013.html"))
	await check2013();
check("no errors, no requests", complaints, []);
await browser.close();
