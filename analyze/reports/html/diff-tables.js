// SPDX-License-Identifier: GPL-2.0-only
// The tables of lines and totals, and all that is known of one line.

// What stands for a value that a side has not.
function absent(line, key) {
	const { row } = line;

	if (row.status !== "not_expanded" || row[key])
		return "-";
	return !line.family && sideKeys.some((k) => row[k] && row[k].callers_cut)
		? "not matched" : "not expanded";
}

function sideValue(line, measure, key) {
	const value = line.row.values[measure];

	return line.row[key] && value ? value[key] : null;
}

// The interval on a logarithmic scale from a quarter to four times the base.
function intervalPlot(value) {
	const x = d3.scaleLog([1 / 4, 4], [4, 68]).clamp(true);
	const svg = d3.create("svg").attr("class", "interval").attr("width", 72).attr("height", 14)
		.attr("aria-hidden", "true");
	const mark = isMarked(value) ? value.verdict : "calm";

	svg.append("line").attr("class", "one").attr("x1", x(1)).attr("x2", x(1))
		.attr("y1", 0).attr("y2", 14);
	if (value.low !== null && (value.high !== null || value.low > 0))
		svg.append("line").attr("class", mark).attr("x1", x(Math.max(value.low, 1e-9)))
			.attr("x2", value.high === null ? 68 : x(Math.max(value.high, 1e-9)))
			.attr("y1", 7).attr("y2", 7);
	if (value.ratio !== null)
		svg.append("circle").attr("class", mark).attr("cx", x(Math.max(value.ratio, 1e-9)))
			.attr("cy", 7).attr("r", 3.2);
	return svg.node();
}

function intervalText(value) {
	return value.low === null ? "" : `${formatNumber(value.low)} .. ` +
		`${value.high === null ? "any" : formatNumber(value.high)}`;
}

function verdictChip(text, value) {
	return element("span", { class: `verdict ${value && isMarked(value) ? value.verdict : ""}`, text });
}

// valueOf(row) is what the document has of a row.
function resultColumns(valueOf, verdictOf) {
	const tested = comparison().test !== "none";

	return [
		{
			title: "new/base", get: (row) => valueOf(row)?.ratio, format: formatNumber,
		},
		tested && {
			title: "95 % interval", class: "interval",
			get: (row) => valueOf(row)?.low,
			draw: (row) => valueOf(row) && valueOf(row).ratio !== null
				? [element("span", { text: intervalText(valueOf(row)) }), intervalPlot(valueOf(row))]
				: [],
		},
		{
			title: "verdict", name: true, class: "plain",
			get: (row) => (valueOf(row) && verdictOf(row)) || "",
			draw: (row) => [verdictChip((valueOf(row) && verdictOf(row)) || "", valueOf(row))],
		},
	].filter(Boolean);
}

function sideColumns(measure, titles = sideKeys) {
	return sideKeys.map((key, i) => ({
		title: titles[i], get: (line) => sideValue(line, measure, key),
		format: measureFormat(measure), unknown: (line) => absent(line, key),
	}));
}

const lineResult = (measure) => resultColumns((line) => line.row.values[measure],
	(line) => verdictText(line.row.values[measure], line));

function sleepColumns(locks) {
	return [
		...sideColumns(state.measure), ...lineResult(state.measure),
		locks && { title: "lock", ...name(lockName) },
		{
			title: locks ? "asked for by" : "kind, at", class: "where",
			...name(whereName),
			draw: (line) => [element("span", {
				style: state.sort === "" && !onlyPlace(line)
					? `padding-left: ${line.depth * 16}px` : null,
				text: whereName(line),
			})],
		},
		// Lines are below their family, unless they are sorted.
		{
			title: locks ? "family" : "kind", hidden: state.sort === "",
			...name((line) => line.row.family || line.row.kind),
		},
	].filter(Boolean);
}

const acquisitions = () => comparison().measure === "sleeps_per_work"
	? "acquisitions_per_work" : "acquisitions_per_s";

function contendedColumns() {
	return [
		...sideColumns(acquisitions()), ...lineResult(acquisitions()),
		...sideColumns("no_sleep_share", ["no sleep", "new"]),
		...sideColumns("wait_p99_ns", ["wait p99", "new"]),
		{ title: "lock", ...name(lockName) },
		{ title: "asked for by", ...name(siteName) },
		{ title: "family", ...name((line) => line.row.family) },
	];
}

function totalColumns() {
	const values = sideKeys.map((key) => ({
		title: key, get: (row) => row.value[key], format: (x, row) => totalFormat(row.name)(x),
	}));

	return [...values, ...resultColumns((row) => row.value, (row) => verdictText(row.value)),
		{ title: "total", ...name((row) => row.name) }];
}

const has = (line, measure) => sideKeys.some((key) => line.row.values[measure]?.[key] > 0);

const largest = (measure) => (line) =>
	Math.max(...sideKeys.map((key) => line.row.values[measure]?.[key] || 0));

function bySize(list, measure) {
	const size = largest(measure);

	return list.filter((line) => has(line, measure)).sort((a, b) => size(b) - size(a));
}

// Each family or wrapper before what is in it.
function sleepRows(section, parent = null) {
	const children = lines().filter((line) => line.section === section && line.parent === parent);

	return bySize(children, state.measure).flatMap((line) =>
		onlyPlace(line) ? [line] : [line, ...sleepRows(section, line)]);
}

function contendedRows() {
	return bySize(lines().filter((line) => line.section === "locks" && !line.family), acquisitions());
}

const tabs = {
	locks: {
		title: "Locks", columns: () => sleepColumns(true), rows: () => sleepRows("locks"),
		note: () => "",
	},
	others: {
		title: "Other sleeps", columns: () => sleepColumns(false), rows: () => sleepRows("others"),
		note: () => "",
	},
	contended: {
		title: "Contended acquisitions", columns: contendedColumns, rows: contendedRows,
		note: () => `this table: ${measureTitle(acquisitions())}`,
	},
	totals: {
		title: "Totals", columns: totalColumns,
		rows: () => Object.entries(comparison().totals).map(([key, value]) => ({ name: key, value })),
		note: () => sideOf("base").work_unit ? `work is a ${workUnit()}` : "",
	},
};

function drawTabs() {
	drawTabList(Object.entries(tabs).map(([key, tab]) => [key, tab.title, tab.rows().length])
		.filter(([key, , count]) => count || key === "locks" || key === "others"));
}

function drawTable() {
	const tab = tabs[state.tab];
	const columns = tab.columns();
	const all = tab.rows().map((row) => ({ row }));
	const rows = sortRows(columns, filterRows(columns, all));
	const shown = columns.filter((column) => !column.hidden);
	const note = document.getElementById("tab-note");

	note.textContent = [tab.note(), matchNote(rows.length, all.length)].filter(Boolean).join(" · ");
	document.getElementById("table").replaceChildren(!all.length
		? element("p", { class: "none", text: "None." })
		: grid(shown, rows.map(({ row }) => gridRow(shown, row,
			state.tab === "totals" ? null : String(row.number),
			{ class: row.family && state.tab !== "totals" ? "family" : null }))));
}

// -------------------------------------------------------------- one line

function countsOf(line, key) {
	const side = line.row[key];

	if (!side || side.sleeps === undefined)
		return "";
	return `${formatCount(side.sleeps)} sleeps` + (side.acquisitions
		? `, ${formatCount(side.acquisitions)} contended acquisitions` : "");
}

const statusWords = {
	gone: "gone: the base only",
	new: "new: the new side only",
	not_expanded: "one side only; the other may have it inside a lock whose callers were not recorded",
};

function factList(pairs) {
	return element("dl", { class: "facts" }, ...pairs.filter(([, text]) => text)
		.flatMap(([title, text]) => [element("dt", { text: title }), element("dd", { text })]));
}

function valuesTable(line) {
	return element("table", { class: "values" },
		element("thead", {}, element("tr", {}, ...["base", "new", "new/base", "verdict"]
			.map((text, i) => element("th", { text, class: i === 3 ? "name" : null })))),
		element("tbody", {}, ...Object.entries(line.row.values).flatMap(([key, value]) => [
			element("tr", { class: "title" },
				element("td", { class: "name", colspan: 4, text: measureTitle(key) })),
			element("tr", { "data-measure": key },
				...sideKeys.map((k) => element("td", {
					"data-value": sideValue(line, key, k),
					text: sideValue(line, key, k) === null ? absent(line, k)
						: measureFormat(key)(value[k]),
				})),
				element("td", { text: value.ratio === null ? "-" : formatNumber(value.ratio) }),
				element("td", { class: "name" }, verdictChip(verdictText(value, line), value))),
		])));
}

function drawPicked(box, line) {
	box.append(
		element("h2", { text: `${lockName(line)} ${whereName(line)}`.trim() }),
		factList([
			["status", statusWords[line.row.status]],
			["family", line.family ? "" : line.row.family],
			["wrapper", both(...sideKeys.map((key) => line.row[key]?.wrapper || ""))],
			["base", countsOf(line, "base")],
			["new", countsOf(line, "new")],
		]),
		valuesTable(line));
}

function drawLegend(box) {
	const { noise } = comparison();

	box.append(element("h2", { text: "Reading this" }),
		element("p", { class: "note", text: testWords[comparison().test] }));
	if (comparison().test !== "none")
		box.append(factList([
			["more, less", `the data support a change, at a false-discovery rate of ` +
				`${100 * diff.false_discovery_rate} % over all rows`],
			["doubtful", "below 5 % alone, but not among so many rows"],
			["not shown", "no change was shown, which is not to say there is none"],
			["N runs", "so many a side would settle it, if the difference is real"],
			["too few", "under 10 events"],
		]));
	if (noise)
		box.append(element("h2", { text: "Noise floor" }), element("p", {
			class: "note",
			text: `Two halves of one side. Of ${formatCount(noise.lines)} lines ` +
				`${noise.marked_before_control} were marked before control, ` +
				`${noise.marked_after_control} after.` + (noise.half_of_lines_within === null ? ""
				: ` Half of the lines differ by less than ${(100 * noise.half_of_lines_within).toFixed(1)} %, ` +
				`95 of 100 by less than ${(100 * noise.most_lines_within).toFixed(1)} %.`),
		}));
	box.append(element("p", { class: "note", text: "Pick a row to see all its numbers and only its stacks." }));
}

function drawSite() {
	const box = document.getElementById("site");
	const line = pickedLine();

	box.replaceChildren();
	if (line)
		drawPicked(box, line);
	else
		drawLegend(box);
}
