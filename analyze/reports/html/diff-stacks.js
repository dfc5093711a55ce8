// SPDX-License-Identifier: GPL-2.0-only
// The stacks of both sides as one tree: what each frame's numbers are, and
// what may be said of them.

const weightWords = [
	{ unit: "sleeps", all: "all sleeps", format: formatCount },
	{ unit: "off the CPU", all: "all time off", format: formatExactTime },
	{ unit: "of contended wait", all: "all waits", format: formatExactTime },
];

// Above a microsecond people want three digits, and can have all of them.
function formatExactTime(ns) {
	return ns < 1e3 ? formatTime(ns) : `${formatTime(ns)} (${formatCount(ns)} ns)`;
}

const tree = () => trees[state.comparison][state.order];
const shareOnly = () => sideKeys.some((key) => sideOf(key).unit === "share");

function measureOfTree() {
	const at = tree().measures.findIndex((m) => m.name === state.measure);

	return at < 0 ? null : { at, ...tree().measures[at] };
}

// Of the lines that are picked: what ends at each node.
function ownOfLine(line, weight) {
	const own = new Map();

	for (const end of tree().ends) {
		const [node, number, side] = end;

		if (number < line.number || number >= line.end)
			continue;
		if (!own.has(node))
			own.set(node, [0, 0]);
		own.get(node)[side] += end[3 + weight];
	}
	return own;
}

// What the locks are of the frames that stand for a lock, by side.
function nameLocks(all) {
	for (const [node, number, side] of tree().ends) {
		const lock = lockOfSide(lines()[number].row, sideKeys[side]);
		let frame = all[node + 1];

		while (state.order === "callee" && frame.parent.parent)
			frame = frame.parent;
		if (!lock)
			continue;
		frame.locks = frame.locks || [new Set(), new Set()];
		frame.locks[side].add(lock);
	}
}

// raw: [base, new], a number of sleeps or ns in all runs of a side.
function buildFrames() {
	const { at, weight, per } = measureOfTree();
	const line = pickedLine();
	const { names, nodes, total, root: [, verdicts] } = tree();
	const root = {
		name: "all", number: -1, parent: null, raw: sideKeys.map((_, k) => total[k][weight]),
		letter: verdicts[at], children: [],
	};
	const open = [root];
	const all = [root];

	nodes.forEach((node, number) => {
		const frame = {
			name: names[node[1]], number, parent: open[node[0]],
			raw: [node[2 + weight], node[5 + weight]], letter: node[8][at], children: [],
		};

		frame.parent.children.push(frame);
		open.length = node[0] + 1;
		open.push(frame);
		all.push(frame);
	});
	takeVerdicts(all, weight);
	if (line)
		keepLine(all, line, weight);
	finish(root, all, per);
	return root;
}

const sameNumbers = (a, b) => a[0] === b[0] && a[1] === b[1];

// A frame that has all of a line and nothing else has its verdict: the same
// numbers were tested for the table, among fewer.
function takeVerdicts(all, weight) {
	const whole = lines().map(() => [0, 0]);

	for (const frame of all)
		frame.span = [Infinity, -1];
	for (const end of tree().ends) {
		const { span } = all[end[0] + 1];

		span[0] = Math.min(span[0], end[1]);
		span[1] = Math.max(span[1], end[1]);
		for (let at = lines()[end[1]]; at; at = at.parent)
			whole[at.number][end[2]] += end[3 + weight];
	}
	for (let i = all.length - 1; i > 0; i--) {
		const { span, parent } = all[i];

		parent.span[0] = Math.min(parent.span[0], span[0]);
		parent.span[1] = Math.max(parent.span[1], span[1]);
	}
	for (const frame of all) {
		for (let line = lines()[frame.span[0]]; line; line = line.parent) {
			if (line.end > frame.span[1] && sameNumbers(whole[line.number], frame.raw))
				frame.letter = letterOf(line) || frame.letter;
		}
	}
}

// Of a line's verdict, "" where it has none.
function letterOf(line) {
	const value = line.row.values[state.measure];

	if (!value || line.row.status === "not_expanded")
		return "";
	return { more: "m", less: "l", untested: "u", too_few: "f", doubtful: "d" }[value.verdict] || "n";
}

// Deepest frames are last.
function keepLine(all, line, weight) {
	const own = ownOfLine(line, weight);
	const whole = all.map((frame) => frame.raw);

	for (let i = all.length - 1; i >= 0; i--) {
		const frame = all[i];
		const sum = [...own.get(frame.number) || [0, 0]];

		for (const child of frame.children)
			child.raw.forEach((n, k) => sum[k] += n);
		frame.raw = sum;
	}
	// Verdicts are of whole frames, or of the line; parts have none.
	all.forEach((frame, i) => {
		if (sameNumbers(frame.raw, all[0].raw))
			frame.letter = letterOf(line) || "x";
		else if (!sameNumbers(frame.raw, whole[i]))
			frame.letter = "x";
	});
}

function finish(root, all, per) {
	nameLocks(all);
	for (const frame of all) {
		frame.rate = frame.raw.map((n, k) => n / per[k]);
		frame.order = Math.max(...frame.rate);
	}
	findUnsure(root);
	for (const frame of all)
		frame.children = frame.children.filter((c) => c.raw[0] || c.raw[1]);
}

// Where a frame's stacks end, by name.
function leavesOf(frame, k, into = new Set()) {
	const inside = frame.children.reduce((sum, child) => sum + child.raw[k], 0);

	if (frame.raw[k] > inside)
		into.add(frame.name);
	frame.children.forEach((child) => leavesOf(child, k, into));
	return into;
}

// What one side alone has may be among the other's stacks whose callers were
// not recorded, where those end at the same function or lock.
function findUnsure(root) {
	const cut = (frame) => frame.children.filter((child) => child.name === "...");
	const leaves = sideKeys.map((_, k) => new Set(state.order === "callee" ? []
		: cut(root).flatMap((frame) => [...leavesOf(frame, k)])));
	const walk = (frame) => {
		for (const child of frame.children) {
			const k = child.raw[0] ? 1 : 0;

			child.unsure = Boolean(!child.raw[k] && (frame.unsure || (state.order === "callee"
				? cut(frame).some((other) => other !== child && other.raw[k])
				: leaves[k].size && [...leavesOf(child, 1 - k)].some((leaf) => leaves[k].has(leaf)))));
			walk(child);
		}
	};

	walk(root);
}

// What may be said of a frame: more, less, same (no change shown), untested,
// part (no test of this part), unsure (it may be there on the other side), torn
// (the median run says the opposite of all runs together).
function changeOf(frame) {
	const [base, other] = frame.raw;
	const only = base && !other ? "gone" : other && !base ? "new" : "";
	const kind = only && frame.unsure ? "unsure"
		: { m: "more", l: "less", u: "untested", x: "part" }[frame.letter] || "same";

	// Verdicts are of medians, widths of sums: one run may turn them around.
	if ((kind === "more" && frame.rate[1] <= frame.rate[0]) ||
			(kind === "less" && frame.rate[1] >= frame.rate[0]))
		return { kind: "torn", only, ratio: base ? frame.rate[1] / frame.rate[0] : null };

	return { kind, only, ratio: base ? frame.rate[1] / frame.rate[0] : null };
}

const letterWords = {
	f: "too few events to tell", n: "no change is shown", d: "doubtful: below 5 % alone, not among so many",
	u: "not tested", x: "a part of this frame's sleeps, which has no test of its own",
};

function changeText(frame) {
	const { kind, only, ratio } = changeOf(frame);
	const numbers = ratio !== null && !only ? `new/base ${formatNumber(ratio)}: ` : "";

	if (kind === "unsure")
		return "on one side only, but callers were not recorded on the other";
	if (kind === "torn")
		return `${numbers}the median run has ${frame.letter === "m" ? "more" : "less"}`;
	if (kind === "more" || kind === "less")
		return numbers + (only || kind) + (comparison().test === "counts" ? ", by counts" : "");
	return numbers + (only ? `${only === "gone" ? "the base only" : "the new side only"}: ` : "") +
		letterWords[frame.letter];
}

function sideText(frame, k) {
	const { weight } = measureOfTree();
	const { unit, all, format } = weightWords[weight];
	const n = frame.raw[k];
	const whole = tree().total[k][weight];

	if (shareOnly())
		return n ? `${formatShare(frame.rate[k])} of all recorded switches` : "none";
	if (!n)
		return "none";
	const rate = /^share/.test(state.measure) ? ""
		: `${measureFormat(state.measure)(frame.rate[k])}${/_per_s$/.test(state.measure)
			? (weight ? " per second" : "") : ` per ${workUnit()}`}, `;

	return `${format(n)} ${unit}; ${rate}${formatShare(n / whole)} of ${all}`;
}

function lockText(frame) {
	return frame.locks ? both(...frame.locks.map((set) => [...set].sort().join(", "))) : "";
}

function tipOf(frame) {
	const lock = lockText(frame);

	return [`${frame.name}${lock ? ` ${lock}` : ""}`,
		`base  ${sideText(frame, 0)}`, `new   ${sideText(frame, 1)}`, changeText(frame)].join("\n");
}

// ---------------------------------------------------------------- colours

function colourOf(frame, theme) {
	const { kind, only, ratio } = changeOf(frame);

	if (!["more", "less", "untested"].includes(kind))
		return theme.calm;
	const log = only === "gone" ? -3 : only === "new" ? 3 : Math.log2(ratio || 1);
	const to = log > 0 ? theme.more : theme.less;
	const size = Math.min(1, Math.abs(log) / 3);

	if (kind === "untested")
		return d3.interpolateLab(theme.calm, to)(0.38 * size);
	return d3.interpolateLab(theme.calm, to)(0.28 + 0.72 * size);
}

function frameColours() {
	const theme = Object.fromEntries(["calm", "more", "less"].map((k) => [k, cssColour(`--${k}`)]));

	return (node) => node.highlight ? foundColour
		: shade(colourOf(node.data.of, theme), node.depth);
}

// ------------------------------------------------------------------ widths

const widthOf = {
	base: (frame) => frame.raw[0],
	new: (frame) => frame.raw[1],
	both: (frame) => frame.rate[0] + frame.rate[1],
};

// The frames that have a width, for the graph.
function framesOf(frame, width) {
	return {
		name: frame.name, number: frame.number, value: width(frame), of: frame,
		children: frame.children.filter((child) => width(child) > 0)
			.map((child) => framesOf(child, width)),
	};
}

// The outermost frames that have no width on a side, but on the other.
function towersWithout(frame, k) {
	return frame.children.flatMap((child) =>
		child.raw[k] ? towersWithout(child, k) : [child]);
}
