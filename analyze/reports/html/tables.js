// SPDX-License-Identifier: GPL-2.0-only
// The tables of the report: tabs and columns.

const quantile = (of, key) => ({
	get: (row) => row[of] && row[of][key],
	format: formatTime,
});
const count = (key) => ({ get: (row) => row[key], format: formatCount });

const callerOf = (row) => row.callers_cut ? `${row.site} (callers not known)` : row.site;

const columnSets = {
	sleeps: (locks) => [
		!shares && { title: "sleeps", ...count("sleeps") },
		{
			title: "share",
			get: (row) => shares ? row.share_of_switches : row.share_of_sleeps,
			format: formatShare,
			share: true,
		},
		report.work && {
			title: `per ${report.work_unit}`,
			get: (row) => row.sleeps_per_work,
			format: (x) => x.toFixed(3),
		},
		report.recording.all_switches_recorded && !shares &&
			{ title: "off p50", ...quantile("off_cpu", "p50_ns") },
		report.recording.all_switches_recorded && !shares &&
			{ title: "p99", ...quantile("off_cpu", "p99_ns") },
		{ title: locks ? "lock" : "kind", ...name(siteName) },
		{ title: locks ? "asked for by" : "at", ...name(callerOf) },
		locks && { title: "family", ...name((row) => row.family) },
		locks && { title: "slow path", ...name((row) => row.slow_path) },
	],
	acquisitions: () => [
		{ title: "count", ...count("acquisitions") },
		{
			title: "share",
			get: (row) => row.acquisitions / report.totals.acquisitions,
			format: formatShare,
			share: true,
		},
		{ title: "no sleep", ...count("no_sleep") },
		{ title: "1 sleep", ...count("one_sleep") },
		{ title: ">1", ...count("more_sleeps") },
		{ title: "failed", ...count("failed") },
		{ title: "wait p50", ...quantile("wait", "p50_ns") },
		{ title: "p99", ...quantile("wait", "p99_ns") },
		{ title: "max", ...quantile("wait", "max_ns") },
		{ title: "lock", ...name(siteName) },
		{ title: "asked for by", ...name(callerOf) },
	],
	releases: () => [
		{ title: "count", ...count("count") },
		{ title: "lock", ...name((row) => row.sleeper && siteName(row.sleeper)) },
		{ title: "asked for by", ...name((row) => row.sleeper && row.sleeper.site) },
		{ title: "released by", ...name((row) => row.released_by) },
		{ title: "of", ...name((row) => row.comm) },
		{ title: "wake to run p50", ...quantile("wake_to_run", "p50_ns") },
		{ title: "p99", ...quantile("wake_to_run", "p99_ns") },
	],
};

const sections = {
	lock_sleeps: { title: "Sleeping locks", columns: () => columnSets.sleeps(true) },
	other_sleeps: { title: "Other sleeps", columns: () => columnSets.sleeps(false) },
	contended_acquisitions: {
		title: "Contended acquisitions",
		columns: columnSets.acquisitions,
		note: "From contention_begin to contention_end. No sleep: stolen or spun" +
			" after contention_begin; a rwsem whose optimistic spinning succeeds" +
			" never gets that far and is not seen by the kernel's event.",
	},
	releases: {
		title: "Releases",
		columns: columnSets.releases,
		note: "Who ended sleeps by releasing the lock, and how long from the" +
			" wake-up to the switch-in.",
	},
};

function columnsOf(section) {
	const columns = sections[section].columns().filter(Boolean);

	if (report[section].some((row) => "group" in row)) {
		const at = columns.findIndex((column) => column.name);

		columns.splice(at, 0, { title: "group", ...name((row) => row.group) });
	}
	return columns;
}

function drawTabs() {
	drawTabList(Object.entries(sections).filter(([key]) => report[key] &&
		(key !== "contended_acquisitions" || report.recording.contention_recorded))
		.map(([key, section]) => [key, section.title, report[key].length]));
}

// Rows keep their number in the report: it is part of the address.
function drawTable() {
	const columns = columnsOf(state.tab);
	const all = report[state.tab].map((row, number) => ({ row, number }));
	const rows = sortRows(columns, filterRows(columns, all));
	const note = document.getElementById("tab-note");

	note.textContent = [matchNote(rows.length, all.length), sections[state.tab].note]
		.filter(Boolean).join(" ");
	note.hidden = !note.textContent;
	document.getElementById("table").replaceChildren(!all.length
		? element("p", { class: "none", text: "None were recorded." })
		: grid(columns, rows.map(({ row, number }) => gridRow(columns, row,
			state.tab === "releases" ? null : `${state.tab}.${number}`)),
		{ class: state.tab === "other_sleeps" ? null : "of-locks" }));
}
