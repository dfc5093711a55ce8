// SPDX-License-Identifier: GPL-2.0-only
// An icicle or flame graph of frames: { name, number, value, children }, the
// root's number below 0.  number is kept in addresses.

function matches(frame, term) {
	return frame.name.toLowerCase().includes(term.toLowerCase());
}

// Nested matches count once.
function matched(frame, term, valueOf = (f) => f.value) {
	if (frame.number >= 0 && matches(frame, term))
		return valueOf(frame);
	return frame.children.reduce((sum, child) => sum + matched(child, term, valueOf), 0);
}

function drawGraph(box, frames, { width, sort, colour, tip }) {
	const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
	const tooltip = flamegraph.tooltip.defaultFlamegraphTooltip().text(tip);
	const chart = flamegraph.default().width(width).cellHeight(19)
		.transitionDuration(still ? 0 : 200).minFrameSize(1)
		.inverted(state.layout === "icicle").sort(sort)
		.tooltip(tooltip).setColorMapper(colour)
		.setSearchMatch((node, term) => node.data.number >= 0 && matches(node.data, term))
		.setSearchHandler(() => {})
		.onClick((node) => change({ zoom: node.data.number < 0 ? "" : String(node.data.number) }));

	d3.select(box).datum(frames).call(chart);
	chart.box = box;
	chart.frames = frames;
	return chart;
}

function searchGraph(chart) {
	if (state.search)
		chart.search(state.search);
	else
		chart.clear();
}

// Whether the frame that the state names is there, and not the root.
function zoomGraph(chart) {
	const number = state.zoom === "" ? -1 : Number(state.zoom);
	const root = d3.select(chart.box).datum();
	let target = null;

	root.each((node) => {
		if (node.data.number === number)
			target = node;
	});
	if (target)
		chart.zoomTo(target);
	return Boolean(target) && target !== root;
}

// Neighbours of one colour are told apart by their depth.
function shade(colour, depth) {
	const lab = d3.lab(colour);

	lab.l += depth % 2 ? 1.6 : -1.6;
	return lab.formatRgb();
}

const foundColour = "#ffd54a";

function cssColour(key) {
	return getComputedStyle(document.documentElement).getPropertyValue(key).trim();
}
