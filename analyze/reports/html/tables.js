// SPDX-License-Identifier: GPL-2.0-only
// The tables of sites: tabs, columns, sorting, filtering.

const quantile = (of, key) => ({
	get: (row) => row[of] && row[of][key],
	format: formatTime,
});
const count = (key) => ({ get: (row) => row[key], format: formatCount });
const name = (get) => ({ get, name: true });

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
	const tabs = document.getElementById("tabs");

	tabs.replaceChildren();
	for (const [key, section] of Object.entries(sections)) {
		if (!report[key] || (key === "contended_acquisitions" &&
				!report.recording.contention_recorded))
			continue;
		const button = element("button", {
			role: "tab", "data-tab": key, text: section.title,
			"aria-selected": String(key === state.tab),
		}, element("small", { text: formatCount(report[key].length) }));

		button.onclick = () => change({ tab: key, sort: "" });
		tabs.append(button);
	}
}

function cell(column, row) {
	const value = column.get(row);
	const known = value !== null && value !== undefined;
	const td = element("td", {
		class: column.name ? "name" : column.share ? "share" : null,
		"data-value": known ? value : null,
		title: column.name && known ? value : null,
		text: !known ? "-" : column.format ? column.format(value) : value,
	});

	if (column.share && known)
		td.style.setProperty("--part", `${Math.min(100, value * 100)}%`);
	return td;
}

// Rows keep their number in the report: it is part of the address.
function rowsToShow(columns) {
	const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);
	const rows = report[state.tab].map((row, number) => ({ row, number }));
	const shown = rows.filter(({ row }) => {
		const text = columns.filter((c) => c.name)
			.map((c) => c.get(row) || "").join(" ").toLowerCase();

		return words.every((word) => text.includes(word));
	});
	const [at, order] = state.sort.split(".");
	const column = columns[at];

	if (state.sort !== "" && column) {
		const sign = order === "up" ? 1 : -1;

		shown.sort((a, b) => sign * compare(column.get(a.row), column.get(b.row)));
	}
	return shown;
}

function compare(a, b) {
	if (typeof a === "string" || typeof b === "string")
		return String(a ?? "").localeCompare(String(b ?? ""));
	return (a ?? -1) - (b ?? -1);
}

function heading(column, index) {
	const [at, order] = state.sort.split(".");
	const sorted = state.sort !== "" && Number(at) === index;
	const th = element("th", {
		class: column.name ? "name" : null, tabindex: 0, scope: "col",
		"aria-sort": !sorted ? "none" : order === "up" ? "ascending" : "descending",
		text: column.title,
	}, element("span", { class: "arrow", text: !sorted ? "" : order === "up" ? "↑" : "↓" }));

	th.onclick = () => {
		const first = column.name ? "up" : "down";
		const other = column.name ? "down" : "up";

		change({ sort: `${index}.${sorted && order === first ? other : first}` });
	};
	th.onkeydown = (event) => event.key === "Enter" && th.onclick();
	return th;
}

function tableRow(columns, { row, number }) {
	const id = `${state.tab}.${number}`;
	const tr = element("tr", {
		"data-row": id, "aria-selected": String(id === state.row), tabindex: 0,
	}, ...columns.map((column) => cell(column, row)));

	if (state.tab === "releases")
		return tr;
	tr.onclick = () => change({ row: state.row === id ? "" : id, zoom: "" });
	tr.onkeydown = (event) => event.key === "Enter" && tr.onclick();
	return tr;
}

function drawTable() {
	const columns = columnsOf(state.tab);
	const rows = rowsToShow(columns);
	const total = report[state.tab].length;
	const note = document.getElementById("tab-note");

	note.textContent = [
		rows.length < total && `${formatCount(rows.length)} of ${formatCount(total)} rows match.`,
		sections[state.tab].note,
	].filter(Boolean).join(" ");
	note.hidden = !note.textContent;
	document.getElementById("table").replaceChildren(!total
		? element("p", { class: "none", text: "None were recorded." })
		: element("table", {
			class: state.tab === "other_sleeps" ? null : "of-locks",
		},
		element("thead", {}, element("tr", {}, ...columns.map(heading))),
		element("tbody", {}, ...rows.map((row) => tableRow(columns, row)))));
}
