// SPDX-License-Identifier: GPL-2.0-only
// What the page of a comparison shows, and its numbers in words.

const diff = JSON.parse(document.getElementById("diff").textContent);
const trees = JSON.parse(document.getElementById("trees").textContent);

const start = {
	comparison: "0",
	measure: diff.comparisons[0].measure,
	tab: "locks",
	sort: "",
	filter: "",
	row: "",
	view: "difference",
	order: "caller",
	widths: "both",
	layout: "icicle",
	search: "",
	zoom: "",
};

function repair(next) {
	if (!Object.hasOwn(diff.comparisons, next.comparison))
		next.comparison = start.comparison;
	const { measures } = trees[next.comparison].caller;

	if (!measures.some((m) => m.name === next.measure))
		next.measure = diff.comparisons[next.comparison].measure;
	if (!Object.hasOwn(tabs, next.tab))
		next.tab = start.tab;
	for (const [key, values] of [["view", ["difference", "sides"]],
		["widths", ["both", "base", "new"]], ["order", ["caller", "callee"]], ["layout", ["icicle", "flame"]]]) {
		if (!values.includes(next[key]))
			next[key] = start[key];
	}
}

const comparison = () => diff.comparisons[state.comparison];
const sideOf = (key) => diff.sides[comparison()[key]];
const sideKeys = ["base", "new"];
const workUnit = () => sideOf("base").work_unit || "work";

// Three digits; nothing that is not 0 reads as 0.
function formatNumber(x) {
	const size = Math.abs(x);

	if (size >= 1e6)
		return formatCount(Math.round(x));
	if (!size)
		return "0";
	const decimals = Math.max(0, 2 - Math.floor(Math.log10(size) + 1e-9));

	return decimals > 9 ? x.toExponential(2) : x.toFixed(decimals);
}

const formatPerSecond = (x) =>
	`${x >= 99.95 ? formatCount(Math.round(x)) : formatNumber(x)}/s`;
const formatSmallTime = (ns) => ns >= 1e3 ? formatTime(ns) : `${formatNumber(ns)} ns`;

// What measures are called, and how they are printed.
const measureWords = {
	sleeps_per_work: () => [`sleeps per ${workUnit()}`, formatNumber],
	sleeps_per_s: () => ["sleeps per second", formatPerSecond],
	share_of_sleeps: () => ["share of all sleeps", formatShare],
	share_of_switches: () => ["share of all recorded switches", formatShare],
	off_cpu_ns_per_work: () => [`time off the CPU per ${workUnit()}`, formatSmallTime],
	off_cpu_ns_per_s: () => ["time off the CPU per second", formatSmallTime],
	off_cpu_p50_ns: () => ["time off the CPU, p50", formatSmallTime],
	off_cpu_p99_ns: () => ["time off the CPU, p99", formatSmallTime],
	acquisitions_per_work: () => [`contended acquisitions per ${workUnit()}`, formatNumber],
	acquisitions_per_s: () => ["contended acquisitions per second", formatPerSecond],
	no_sleep_share: () => ["of them without sleeping", formatShare],
	one_sleep_share: () => ["of them with 1 sleep", formatShare],
	more_sleeps_share: () => ["of them with more sleeps", formatShare],
	failed_share: () => ["of them failed", formatShare],
	wait_ns_per_work: () => [`contended wait per ${workUnit()}`, formatSmallTime],
	wait_ns_per_s: () => ["contended wait per second", formatSmallTime],
	wait_p50_ns: () => ["contended wait, p50", formatSmallTime],
	wait_p99_ns: () => ["contended wait, p99", formatSmallTime],
};

const measureTitle = (key) => measureWords[key]()[0];
const measureFormat = (key) => measureWords[key]()[1];

// Totals say by their names what they are.
function totalFormat(key) {
	if (/_ns(_per_|$)/.test(key))
		return formatSmallTime;
	if (/_percent$/.test(key))
		return (x) => `${x.toFixed(1)} %`;
	if (/(^|_)share(_|$)/.test(key))
		return formatShare;
	return /_per_s$/.test(key) ? formatPerSecond : formatNumber;
}

// ---------------------------------------------------------------- lines

// The lines in the order of the document; trees know them by their number.
function linesOf(which) {
	const list = [];
	const walk = (rows, section, parent) => {
		for (const row of rows) {
			const line = {
				row, section, parent, number: list.length, family: !parent,
				depth: parent ? parent.depth + 1 : 0,
			};

			list.push(line);
			walk(row.rows || [], section, line);
			line.end = list.length;
		}
	};

	walk(which.locks, "locks", null);
	walk(which.others, "others", null);
	return list;
}

const allLines = diff.comparisons.map(linesOf);
const lines = () => allLines[state.comparison];

function pickedLine() {
	return /^\d+$/.test(state.row) ? lines()[state.row] || null : null;
}

function lockOfSide(row, key) {
	const side = row[key];

	if (side && side.class !== undefined)
		return side.class === null ? ""
			: side.mode ? `${side.class}:${side.mode}` : side.class;
	const names = new Set((row.rows || []).map((child) => lockOfSide(child, key))
		.filter(Boolean));

	return names.size === 1 ? [...names][0] : "";
}

const siteOfSide = ({ row }, key) => !row[key] ? ""
	: row[key].callers_cut && !row[key].wrapper ? "(callers not recorded)" : row[key].site;

function both(base, other) {
	return !base || !other || base === other ? base || other : `${base} → ${other}`;
}

const lockName = (line) => both(...sideKeys.map((key) => lockOfSide(line.row, key)));
const siteName = (line) => both(...sideKeys.map((key) => siteOfSide(line, key)));

function familyName({ type, family, kind }) {
	return family || kind || (type === "lock" ? "(family not known)"
		: type === "no_chain" ? "(no call chain)" : "(kind not known)");
}

// A kind that was seen at one place is said in one line.
const onlyPlace = (line) => line.section === "others" && line.family &&
	(line.row.rows || []).length === 1 ? lines()[line.number + 1] : null;

function whereName(line) {
	const only = onlyPlace(line);

	if (!line.family)
		return siteName(line);
	return familyName(line.row) + (only ? `, ${siteName(only)}` : "");
}

// ---------------------------------------------------------------- verdicts

const isMarked = (value) => value.verdict === "more" || value.verdict === "less";

function verdictText(value, line) {
	const status = line && line.row.status;
	const which = comparison();
	const counted = sideKeys.map((key) =>
		sideOf(key).runs.filter((run) => run.counted).length);
	const runs = value.runs_needed > Math.min(...counted) && value.runs_needed < 1000 &&
		Math.abs(value.ratio - 1) >= 0.02 ? `, ${value.runs_needed} runs` : "";

	if (status === "not_expanded")
		return "";
	if (isMarked(value)) {
		const word = status === "new" && value.verdict === "more" ? "new"
			: status === "gone" && value.verdict === "less" ? "gone" : value.verdict;

		return word + (which.test === "counts" ? " by counts" : "");
	}
	return {
		untested: status === "new" || status === "gone" ? status : "",
		too_few: "too few",
		not_shown: `not shown${runs}`,
		doubtful: `doubtful${runs}`,
	}[value.verdict];
}

const testWords = {
	none: "No test: there is nothing to tell a change from chance by.",
	counts: "One run a side: tested by the counts' own uncertainty (binomial); what varies" +
		" from run to run is not in it.",
	mann_whitney: "Mann-Whitney test on runs; values are medians.",
	paired: "Pairs of neighbouring runs, by the t of their log ratios and their signs; values are medians.",
};
