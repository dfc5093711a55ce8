// SPDX-License-Identifier: GPL-2.0-only
// The stacks as an icicle or a flame graph.

let chart = null;

// The stacks of a weight, of all sites or of the one that is picked, as the
// graph wants them.  number: the node's place in the file, kept in addresses.
function buildStacks() {
	const at = 2 + Object.keys(weights).indexOf(state.weight);
	const picked = pickedRow();
	const root = { name: "all", value: 0, own: 0, locks: 0, number: -1, children: [] };
	const open = [root];
	const all = [];

	stacks.nodes.forEach((node, number) => {
		const [depth, nameNumber] = node;
		const site = node[5];
		const parent = open[depth];
		const entry = {
			name: stacks.names[nameNumber], number, parent, site,
			value: node[at], children: [],
		};

		parent.children.push(entry);
		open.length = depth + 1;
		open.push(entry);
		all.push(entry);
	});
	root.value = stacks.total[state.weight];
	addUp([root, ...all], picked && picked.site, picked && picked.row.group);
	return root;
}

// Deepest nodes are last.  With a site, only what ends at it is left.
function addUp(nodes, site, group) {
	for (const node of nodes) {
		node.own = node.value - node.children.reduce((sum, c) => sum + c.value, 0);
		node.locks = 0;
	}
	for (let i = nodes.length - 1; i >= 0; i--) {
		const node = nodes[i];
		const [type] = stacks.sites[node.site] || [];

		if (site !== null && (node.site !== site || !inGroup(node, group)))
			node.own = 0;
		if (site !== null)
			node.value = node.own + node.children.reduce((sum, c) => sum + c.value, 0);
		node.locks = (type === "lock" ? node.own : 0) +
			node.children.reduce((sum, c) => sum + c.locks, 0);
		node.children = node.children.filter((c) => c.value > 0);
	}
}

// Where the report is split, the group is the outermost frame.
function inGroup(node, group) {
	let top = node;

	if (group === undefined)
		return true;
	while (top.parent && top.parent.number >= 0)
		top = top.parent;
	return top.name === group;
}

function colours() {
	const mix = d3.interpolateLab(cssColour("--calm"), cssColour("--lock"));

	return (node) => {
		const { locks, value } = node.data;

		return node.highlight ? foundColour
			: shade(mix(value ? Math.min(1, locks / value) : 0), node.depth);
	};
}

function tip(node) {
	const { format, unit } = weights[state.weight];
	const { name: title, value, locks, number } = node.data;
	const whole = stacks.total[state.weight];
	const lines = [title, `${format(value)}${shares ? "" : ` ${unit}`}` +
		(shares ? "" : `, ${formatShare(value / whole)} of ${format(whole)}`)];

	if (state.weight !== "wait_ns" && value && number >= 0)
		lines.push(`${formatShare(locks / value)} of it for locks`);
	return lines.join("\n");
}

function showSearch() {
	const found = document.getElementById("found");
	const { format } = weights[state.weight];
	const { frames } = chart;

	searchGraph(chart);
	if (!state.search) {
		found.textContent = "";
		return;
	}
	const sum = matched(frames, state.search);

	found.dataset.value = sum;
	found.textContent = shares ? `${format(sum)} match`
		: `${format(sum)} (${formatShare(frames.value ? sum / frames.value : 0)}) match`;
}

function showZoom() {
	document.getElementById("reset").disabled = !zoomGraph(chart);
}

function drawFlame() {
	const box = document.getElementById("flame");
	const data = buildStacks();

	document.getElementById("reset").disabled = true;
	if (chart)
		chart.destroy();
	box.replaceChildren();
	chart = null;
	if (!data.children.length) {
		box.append(element("p", {
			class: "empty",
			text: pickedRow() ? "All stacks of this site are below the limit." : "No stacks were recorded.",
		}));
		return;
	}
	chart = drawGraph(box, data, {
		width: box.clientWidth, sort: (a, b) => b.value - a.value, colour: colours(), tip,
	});
	showSearch();
	if (state.zoom !== "")
		showZoom();
}

function drawControls() {
	const picked = pickedRow();
	const chip = document.getElementById("chip");

	drawSwitch("weights", "weight", stacks.weights.map((key) => [key, weights[key].title]));
	drawSwitch("layouts", "layout", [["icicle", "Icicle"], ["flame", "Flame"]]);
	chip.hidden = !picked;
	chip.textContent = picked ? `only ${siteName(picked.row)} ${picked.row.site || ""} ✕` : "";
	drawPruned();
}

function drawPruned() {
	const { pruned, total } = stacks;
	const { format, unit } = weights[state.weight];
	const text = (state.weight === "wait_ns" ? ""
		: "Frames are redder the more of their sleeps are for locks. ") +
		"The scheduler's own frames are left out.";

	document.getElementById("pruned").textContent = text + (!pruned.branches ? ""
		: ` Left out: ${formatCount(pruned.branches)} branches below ` +
			`${stacks.percent_limit} % with ${format(pruned[state.weight])}` +
			(shares ? "" : ` ${unit} (${formatShare(total[state.weight]
				? pruned[state.weight] / total[state.weight] : 0)})`) + ".");
}
