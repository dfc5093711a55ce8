// SPDX-License-Identifier: GPL-2.0-only
// The graphs of both sides: one of the difference, or two beside each other.

let graphs = [];
let frames = null;
const MAX_TOWERS = 300;

function drawOne(box, width, widths) {
	const graph = drawGraph(box, framesOf(frames, widthOf[widths]), {
		width, sort: (a, b) => b.data.of.order - a.data.of.order,
		colour: frameColours(), tip: (node) => tipOf(node.data.of),
	});

	graphs.push(graph);
	if (state.layout === "flame")
		box.scrollTop = box.scrollHeight;
}

function empty(text) {
	return element("p", { class: "empty", text });
}

function zoomedFrame(frame = frames) {
	if (state.zoom === "" || String(frame.number) === state.zoom)
		return frame;
	for (const child of frame.children) {
		const found = zoomedFrame(child);

		if (found)
			return found;
	}
	return frame === frames ? frames : null;
}

// Both on one scale: of what is zoomed, the larger side fills its half.
function drawSides(box) {
	const zoomed = zoomedFrame();
	const most = Math.max(...zoomed.rate);

	sideKeys.forEach((key, k) => {
		const half = element("div", { class: "half", "data-side": key });
		const value = zoomed.rate[k];
		const graph = element("div", { class: "flame" });

		box.append(half);
		half.append(element("h3", {}, element("b", { text: key }), ` ${sideOf(key).name}: `,
			element("span", {
				"data-value": zoomed.raw[k],
				text: value ? `${measureFormat(state.measure)(value)}, ${measureTitle(state.measure)}`
					: "none",
			})), graph);
		if (value)
			drawOne(graph, Math.max(24, Math.round(half.clientWidth * value / most)), key);
		else
			graph.append(empty(`Nothing of this on the ${key === "base" ? "base" : "new"} side.`));
	});
}

function drawDifference(box) {
	const graph = element("div", { class: "flame" });

	box.append(graph);
	if (widthOf[state.widths](frames) > 0)
		drawOne(graph, graph.clientWidth, state.widths);
	else
		graph.append(empty(`No stacks on the ${state.widths} side.`));
}

function drawGraphs() {
	const box = document.getElementById("graphs");

	graphs.forEach((graph) => graph.destroy());
	graphs = [];
	box.className = state.view;
	box.replaceChildren();
	frames = measureOfTree() && buildFrames();
	if (frames && frames.children.length) {
		(state.view === "sides" ? drawSides : drawDifference)(box);
		showSearch();
		showZoom();
	} else {
		box.append(empty("No stacks were recorded."));
	}
	drawTowers();
	drawColours();
}

function showSearch() {
	const found = document.getElementById("found");
	const format = measureFormat(state.measure);

	graphs.forEach(searchGraph);
	found.textContent = "";
	if (!state.search || !frames)
		return;
	sideKeys.forEach((key, k) => {
		found.dataset[key] = matched(frames, state.search, (frame) => frame.raw[k]);
	});
	found.textContent = sideKeys.map((key, k) =>
		`${key} ${format(matched(frames, state.search, (frame) => frame.rate[k]))}`).join(", ") + " match";
}

function showZoom() {
	const zoomed = graphs.map((graph) => zoomGraph(graph));

	document.getElementById("reset").disabled = !zoomed.some(Boolean) &&
		(!frames || zoomedFrame() === frames);
}

// What one side's widths can't show.
function drawTowers() {
	const box = document.getElementById("towers");
	const k = { base: 0, new: 1 }[state.widths];
	const towers = frames && state.view === "difference" && k !== undefined
		? towersWithout(frames, k).sort((a, b) => b.order - a.order) : [];
	const other = sideKeys[1 - k];
	const format = measureFormat(state.measure);

	box.hidden = !towers.length;
	if (box.hidden)
		return;
	const sum = d3.sum(towers, (frame) => frame.rate[1 - k]);

	box.replaceChildren(element("h3", {
		text: `${k ? "Gone" : "New"}: ${formatCount(towers.length)} branches that have no width here,` +
			` together ${format(sum)} (${measureTitle(state.measure)}, ${other})`,
	}), element("ul", {}, ...towers.slice(0, MAX_TOWERS).map((frame) => tower(frame, other, 1 - k))));
	if (towers.length > MAX_TOWERS)
		box.append(element("p", {
			class: "note",
			text: `and ${formatCount(towers.length - MAX_TOWERS)} smaller; the other side's widths show all`,
		}));
}

function tower(frame, other, k) {
	const { weight } = measureOfTree();
	const path = [];
	const theme = Object.fromEntries(["calm", "more", "less"].map((c) => [c, cssColour(`--${c}`)]));

	for (let at = frame; at.parent && path.length < 3; at = at.parent)
		path.unshift(at.name);
	let leaf = frame;

	while (leaf.children.length === 1)
		leaf = leaf.children[0];
	const square = element("i");

	square.style.background = colourOf(frame, theme);
	const button = element("button", { "data-tower": frame.number, title: tipOf(frame) }, square,
		element("span", { text: path.join(" › ") + (leaf === frame ? "" : ` … ${leaf.name}`) }),
		element("small", {
			"data-value": frame.raw[k],
			text: shareOnly() ? formatShare(frame.rate[k])
				: `${weightWords[weight].format(frame.raw[k])} ${weightWords[weight].unit}, ` +
				measureFormat(state.measure)(frame.rate[k]),
		}),
		element("small", { text: changeText(frame) }));

	button.onclick = () => change({ widths: other, zoom: String(frame.number) });
	return element("li", {}, button);
}

// ---------------------------------------------------------------- controls

function drawColours() {
	const untested = frames && (measureOfTree().untested > 0 ||
		[frames, ...frames.children].some((frame) => frame.letter === "u"));
	const entry = (style, text) => {
		const square = element("i");

		square.style.background = style;
		return element("span", {}, square, text);
	};

	document.getElementById("legend").replaceChildren(
		entry("linear-gradient(to right, var(--less), color-mix(in srgb, var(--less) 28%, var(--calm)))",
			"less, full colour: gone"),
		entry("var(--calm)", "no change shown"),
		entry("linear-gradient(to right, color-mix(in srgb, var(--more) 28%, var(--calm)), var(--more))",
			"more, full colour: new"),
		untested ? element("span", { text: "Pale: not tested, the numbers' ratio only" }) : "");
}

function drawControls() {
	const line = pickedLine();
	const chip = document.getElementById("chip");
	const select = document.getElementById("measure");

	select.replaceChildren(...tree().measures.map((m) =>
		element("option", { value: m.name, text: measureTitle(m.name) })));
	select.value = state.measure;
	drawSwitch("views", "view", [["difference", "Difference"], ["sides", "Side by side"]]);
	drawSwitch("orders", "order", [["caller", "From callers"], ["callee", "From sleeps"]],
		{ zoom: "" });
	drawSwitch("widths", "widths", [["both", "Both"], ["base", "Base"], ["new", "New"]]);
	drawSwitch("layouts", "layout", [["icicle", "Icicle"], ["flame", "Flame"]]);
	document.getElementById("widths").hidden = state.view === "sides";
	chip.hidden = !line;
	chip.textContent = line ? `only ${lockName(line)} ${whereName(line)} ✕` : "";
	drawPruned();
}

const widthWords = {
	both: "Widths are both sides' numbers together, so what is gone and what is new is seen.",
	base: "Widths are the base's.",
	new: "Widths are the new side's.",
};

function prunedText(totals, { weight, per }, k) {
	const { format, unit } = weightWords[weight];

	return shareOnly() ? formatShare(totals[weight] / per[k]) : `${format(totals[weight])} ${unit}`;
}

function drawPruned() {
	const { branches, percent_limit: percent, pruned } = tree();
	const measure = measureOfTree();
	const words = [
		state.view === "sides" ? "Both sides are on one scale." : widthWords[state.widths],
		"Sums over all runs of a side, of each frame with its callees." +
			" A lock's own functions are one frame, whatever the primitive;" +
			" the scheduler's are left out. What is narrower than a pixel is not drawn: zoom in.",
		measure && measure.untested > 0 &&
			`${formatCount(measure.untested)} of the smaller frames are not tested: it would take too long.`,
		measure && branches > 0 && `Left out: ${formatCount(branches)} branches below ${percent} % on both sides, ` +
			`together ${sideKeys.map((key, k) => prunedText(pruned[k], measure, k) + ` (${key})`)
				.join(" and ")}.`,
	];

	document.getElementById("pruned").textContent = words.filter(Boolean).join(" ");
}
