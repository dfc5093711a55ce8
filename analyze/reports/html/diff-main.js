// SPDX-License-Identifier: GPL-2.0-only
// The head of the page of a comparison, and what happens when something is
// picked.

function sideFacts(side) {
	const counted = side.runs.filter((run) => run.counted).length;

	return [
		side.workload ? `${counted} run${counted === 1 ? "" : "s"} of ${side.workload}`
			: counted > 1 ? `${counted} recordings` : side.format,
		side.kernel && `kernel ${side.kernel} ${side.architecture || ""}`.trim(),
		side.cpus_online && `${side.cpus_online} CPU${side.cpus_online === 1 ? "" : "s"}`,
		side.left_out.length && `${side.left_out.length} left out`,
		side.untrusted && "events were lost",
	].filter(Boolean).join(" · ");
}

function chooseComparison() {
	const select = element("select", { id: "comparison", "aria-label": "New side" },
		...diff.comparisons.map((c, i) =>
			element("option", { value: i, text: diff.sides[c.new].name })));

	select.value = state.comparison;
	select.onchange = () => change({ comparison: select.value, row: "", zoom: "" });
	return select;
}

function drawHead() {
	const [base, other] = sideKeys.map(sideOf);

	document.title = `${base.name} → ${other.name} - rwsemlab`;
	document.getElementById("base-side").replaceChildren(
		element("b", { text: base.name }), element("span", { text: sideFacts(base) }));
	document.getElementById("new-side").replaceChildren(
		diff.comparisons.length > 1 ? chooseComparison() : element("b", { text: other.name }),
		element("span", { text: sideFacts(other) }));
	document.getElementById("figures").replaceChildren(...figures());
}

// The totals that say most.
function figures() {
	const { measure, totals } = comparison();
	const wanted = [
		["work_per_s", `${workUnit()}s a second`],
		[measure, measureTitle(measure)],
		[`lock_${measure}`, `for locks, ${measureTitle(measure)}`],
		[totals.cs_per_s ? "cs_per_s" : "switches_per_s", "switches a second"],
	];

	return wanted.filter(([key]) => totals[key]).map(([key, title]) => {
		const value = totals[key];
		const format = totalFormat(key);
		const text = (x) => x === null ? "-" : format(x);

		return element("div", { id: `total-${key}`, "data-base": value.base, "data-new": value.new },
			element("dt", { text: title }),
			element("dd", {}, `${text(value.base)} → ${text(value.new)}`,
				element("small", {}, value.ratio === null ? "" : `new/base ${formatNumber(value.ratio)} `,
					verdictChip(verdictText(value), value))));
	});
}

function drawNotes() {
	const notes = document.getElementById("notes");
	const warnings = document.getElementById("warnings");
	const left = diff.sides.flatMap((side) => side.left_out.map((run) =>
		`${side.name}: ${run.name} is left out: ${run.reason}`));
	const texts = [...diff.notes, ...left.filter((text) => !diff.notes.includes(text))];

	notes.hidden = !texts.length;
	notes.replaceChildren(...texts.map((text) => element("li", { text })));
	warnings.hidden = !diff.warnings.length;
	warnings.querySelector("summary").textContent =
		`${formatCount(diff.warnings.length)} notes of the readers`;
	warnings.querySelector("ul").replaceChildren(
		...diff.warnings.map((text) => element("li", { text })));
}

const graphKeys = ["comparison", "measure", "row", "view", "order", "widths", "layout"];

// Which keys of the state make which part of the page old.
const parts = [
	[["comparison"], drawHead],
	[["comparison", "measure", "tab"], drawTabs],
	[["comparison", "measure", "tab", "sort", "filter", "row"], drawTable],
	[["comparison", "row"], drawSite],
	[graphKeys, drawControls],
	[graphKeys, drawGraphs],
];

function redraw(keys) {
	// On one scale, the zoom changes the widths of both.
	const again = graphKeys.some((key) => keys.has(key)) ||
		(state.view === "sides" && keys.has("zoom"));

	for (const [needs, draw] of parts) {
		if (needs.some((key) => keys.has(key)) || (draw === drawGraphs && again))
			draw();
	}
	if (!again && keys.has("search"))
		showSearch();
	if (!again && keys.has("zoom"))
		showZoom();
	showFields(["filter", "search"]);
}

listeners.push(redraw);
document.getElementById("measure").onchange = (event) => change({ measure: event.target.value });
drawNotes();
startPage(["filter", "search"], () => redraw(new Set(Object.keys(start))));
