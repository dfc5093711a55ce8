// SPDX-License-Identifier: GPL-2.0-only
// The head of the page, and what happens when something is picked.

function drawHead() {
	const { recording, totals, losses } = report;
	const title = recording.source || "recording";
	const machine = [
		recording.kernel && `kernel ${recording.kernel} ${recording.architecture || ""}`.trim(),
		recording.hostname,
		recording.cpus_online && `${recording.cpus_online} CPUs`,
		recording.window_ns && formatTime(recording.window_ns),
		recording.files > 1 && `${recording.files} runs`,
		report.work && `${formatCount(Math.round(report.work))} ${report.work_unit}s`,
	];
	const lost = losses.lost + losses.lost_samples;
	const alarm = document.getElementById("lost");

	document.title = `${title} - rwsemlab`;
	document.getElementById("title").textContent = title;
	document.getElementById("machine").textContent = machine.filter(Boolean).join(" · ");
	alarm.hidden = !lost;
	alarm.textContent = `${formatCount(lost)} events were lost: counts are too low and some` +
		" waits are missing.";
	document.getElementById("figures").append(...figuresOf(totals, recording)
		.map(([key, name_, text, value]) => element("div", {},
			element("dt", { text: name_ }),
			element("dd", { id: `total-${key}`, "data-value": value, text }))));
}

function figuresOf(totals, recording) {
	const ns = recording.window_ns;
	const rate = (n) => ns ? formatRate(n, ns) : formatCount(n);

	if (shares)
		return [["lock_share_of_switches", "Locks, of all switches",
			formatShare(totals.lock_share_of_switches), totals.lock_share_of_switches]];
	const list = [
		["switches", "Switches", rate(totals.switches), totals.switches],
		["sleeps", "Sleeps", rate(totals.sleeps), totals.sleeps],
		["lock_sleeps", "For locks, of all sleeps",
			formatShare(totals.sleeps ? totals.lock_sleeps / totals.sleeps : 0),
			totals.lock_sleeps],
		["preemptions", "Preemptions", rate(totals.preemptions), totals.preemptions],
	];

	if (recording.contention_recorded)
		list.push(["acquisitions", "Contended acquisitions",
			formatCount(totals.acquisitions), totals.acquisitions]);
	return list;
}

function drawNotes() {
	const notes = document.getElementById("notes");

	notes.hidden = !report.warnings.length;
	notes.querySelector("summary").textContent =
		`${formatCount(report.warnings.length)} notes of the reader`;
	notes.querySelector("ul").append(...report.warnings.map((text) => element("li", { text })));
}

// Which keys of the state make which part of the page old.
const parts = [
	[["tab"], drawTabs],
	[["tab", "sort", "filter", "row"], drawTable],
	[["row"], drawSite],
	[["row", "weight", "layout"], drawControls],
	[["row", "weight", "layout"], drawFlame],
];

function redraw(keys) {
	const flame = ["row", "weight", "layout"].some((key) => keys.has(key));

	for (const [needs, draw] of parts) {
		if (needs.some((key) => keys.has(key)))
			draw();
	}
	if (!flame && chart && keys.has("search"))
		showSearch();
	if (!flame && chart && keys.has("zoom"))
		showZoom();
	showFields(["filter", "search"]);
}

function drawAll() {
	drawTime();
	redraw(new Set(Object.keys(start)));
}

listeners.push(redraw);
drawHead();
drawNotes();
startPage(["filter", "search"], drawAll);
