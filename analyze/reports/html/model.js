// SPDX-License-Identifier: GPL-2.0-only
// What the page of the report shows.

const report = JSON.parse(document.getElementById("report").textContent);
const stacks = JSON.parse(document.getElementById("tree").textContent);
const shares = report.unit === "share";

const weights = {
	sleeps: {
		title: shares ? "Share of switches" : "Sleeps",
		format: shares ? (n) => formatShare(n / 1e9) : formatCount,
		unit: shares ? "of switches" : "sleeps",
	},
	off_cpu_ns: { title: "Time off the CPU", format: formatTime, unit: "off the CPU" },
	wait_ns: { title: "Contended wait", format: formatTime, unit: "of contended wait" },
};

const start = {
	tab: "lock_sleeps",
	sort: "",
	filter: "",
	row: "",
	weight: "sleeps",
	layout: "icicle",
	search: "",
	zoom: "",
};
function repair(next) {
	if (!Object.hasOwn(sections, next.tab) || !report[next.tab])
		next.tab = start.tab;
	if (!stacks.weights.includes(next.weight))
		next.weight = stacks.weights[0];
}

function siteName(row) {
	if (row.type === "lock")
		return row.mode ? `${row.class}:${row.mode}` : row.class;
	if (row.type === "other")
		return row.kind;
	return row.type === "no_chain" ? "no call chain" : "unknown";
}

// The row that is picked: its section and number, "lock_sleeps.3".
function pickedRow() {
	const [section, number] = state.row.split(".");
	const row = Object.hasOwn(stacks.rows, section) && /^\d+$/.test(number) &&
		report[section][number];

	if (!row)
		return null;
	return {
		row,
		section,
		site: stacks.rows[section][number],
		histogram: stacks.histograms[section][number],
	};
}

// The rows of the same site and group in the other tables.
function sameSite(section, picked) {
	return (report[section] || []).findIndex((row, i) =>
		stacks.rows[section][i] === picked.site &&
		row.group === picked.row.group);
}
