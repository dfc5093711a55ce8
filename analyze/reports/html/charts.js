// SPDX-License-Identifier: GPL-2.0-only
// Switches over time, and the distributions of one site or of all.

const timeKinds = [
	["sleeps", "var(--second)", "sleeps"],
	["preemptions", "var(--third)", "preemptions"],
	["from_idle", "var(--fourth)", "from idle"],
];

function drawTime() {
	const time = report.switches_over_time;
	const section = document.getElementById("time");
	const chart = document.getElementById("time-chart");

	section.hidden = !time || !time.sleeps.length;
	if (section.hidden)
		return;
	const width = chart.clientWidth, height = 96, bottom = 20, left = 58;
	const slices = time.sleeps.map((_, i) => ({
		i, ...Object.fromEntries(timeKinds.map(([key]) => [key, time[key][i]])),
	}));
	const layers = d3.stack().keys(timeKinds.map(([key]) => key))(slices);
	const perSecond = 1e9 / time.slice_ns;
	const top = d3.max(layers[layers.length - 1], (d) => d[1]) * perSecond;
	const x = d3.scaleLinear([0, slices.length * time.slice_ns / 1e9], [left, width - 6]);
	const y = d3.scaleLinear([0, top || 1], [height - bottom, 6]).nice(3);
	const svg = d3.create("svg").attr("width", width).attr("height", height)
		.attr("role", "img").attr("aria-label", "Switches per second over time");
	const area = d3.area().curve(d3.curveStepAfter)
		.x((d, i) => x(i * time.slice_ns / 1e9))
		.y0((d) => y(d[0] * perSecond)).y1((d) => y(d[1] * perSecond));

	layers.forEach((layer, k) => svg.append("path").attr("fill", timeKinds[k][1])
		.attr("d", area([...layer, layer[layer.length - 1]])));
	svg.append("g").attr("transform", `translate(0,${height - bottom})`)
		.call(d3.axisBottom(x).ticks(width / 110).tickSizeOuter(0).tickFormat((s) => `${s} s`));
	svg.append("g").attr("transform", `translate(${left},0)`)
		.call(d3.axisLeft(y).ticks(3).tickFormat((r) => `${d3.format("~s")(r)}/s`));
	const cursor = svg.append("line").attr("class", "cursor").attr("y1", 6)
		.attr("y2", height - bottom).attr("visibility", "hidden");

	svg.on("pointermove", (event) => {
		const at = Math.floor(x.invert(d3.pointer(event)[0]) * 1e9 / time.slice_ns);

		if (at < 0 || at >= slices.length)
			return;
		const middle = x((at + 0.5) * time.slice_ns / 1e9);

		cursor.attr("visibility", null).attr("x1", middle).attr("x2", middle);
		readTime(time, slices[at], at);
	}).on("pointerleave", () => {
		cursor.attr("visibility", "hidden");
		readTime(time, null);
	});
	chart.replaceChildren(svg.node());
	document.getElementById("time-legend").replaceChildren(...timeKinds.map(([, colour, title]) => {
		const square = element("i");

		square.style.background = colour;
		return element("span", {}, square, title);
	}));
	readTime(time, null);
}

function readTime(time, slice, at) {
	const start = slice && `${(at * time.slice_ns / 1e9).toFixed(3)} s: `;

	document.getElementById("time-readout").textContent = slice
		? start + timeKinds.map(([key, , title]) =>
			`${title} ${formatRate(slice[key], time.slice_ns)}`).join(", ")
		: `one slice is ${formatTime(time.slice_ns)}` + (report.recording.files > 1
			? `; ${report.recording.files} runs, one behind the other` : "");
}

// bins: [k, count]: values from 2^k to 2^(k+1) ns
function drawHistogram(title, bins, marks) {
	const width = document.getElementById("site").clientWidth - 34;
	const height = 118, bottom = 20, left = 46;
	const first = d3.min(bins, (b) => b[0]), last = d3.max(bins, (b) => b[0]) + 1;
	const x = d3.scaleLinear([first, Math.max(last, first + 6)], [left, width - 12]);
	const y = d3.scaleLinear([0, d3.max(bins, (b) => b[1])], [height - bottom, 6]).nice(3);
	const svg = d3.create("svg").attr("width", width).attr("height", height)
		.attr("role", "img").attr("aria-label", title);
	const decades = d3.range(0, 14).filter((d) =>
		d / Math.log10(2) >= x.domain()[0] && d / Math.log10(2) <= x.domain()[1]);

	svg.selectAll("rect").data(bins).join("rect")
		.attr("x", (b) => x(b[0]) + 0.5).attr("width", x(1) - x(0) - 1)
		.attr("y", (b) => y(b[1])).attr("height", (b) => y(0) - y(b[1]))
		.attr("fill", "var(--second)")
		.append("title").text((b) => `${formatTime(b[0] ? 2 ** b[0] : 0)} to ` +
			`${formatTime(2 ** (b[0] + 1))}: ${formatCount(b[1])}`);
	svg.append("g").attr("transform", `translate(0,${height - bottom})`)
		.call(d3.axisBottom(x).tickValues(decades.map((d) => d / Math.log10(2)))
			.tickFormat((d) => `${Math.round(10 ** (Math.round(d * Math.log10(2)) % 3))} ` +
				["ns", "us", "ms", "s", "ks"][Math.floor(Math.round(d * Math.log10(2)) / 3)])
			.tickSizeOuter(0));
	svg.append("g").attr("transform", `translate(${left},0)`)
		.call(d3.axisLeft(y).ticks(3).tickFormat(d3.format("~s")));
	for (const ns of marks) {
		const at = x(Math.log2(Math.max(ns, 1)));

		svg.append("line").attr("class", "mark").attr("x1", at).attr("x2", at)
			.attr("y1", 6).attr("y2", height - bottom);
	}
	return svg.node();
}

function figure(title, key, bins, facts) {
	const count = d3.sum(bins, (b) => b[1]);

	if (!count)
		return element("p", { class: "note", text: `${title}: none recorded` });
	const marks = facts ? [facts.p50_ns, facts.p99_ns] : [];
	const text = facts
		? `p50 ${formatTime(facts.p50_ns)}, p99 ${formatTime(facts.p99_ns)}, max ${formatTime(facts.max_ns)}`
		: `${formatCount(count)} in all`;

	return element("figure", { "data-histogram": key, "data-count": count },
		element("figcaption", {}, element("h3", { text: title }), element("span", { text })),
		drawHistogram(title, bins, marks));
}

function sumOfBins(section) {
	const sum = new Map();

	for (const bins of stacks.histograms[section])
		bins.forEach(([k, n]) => sum.set(k, (sum.get(k) || 0) + n));
	return [...sum].sort((a, b) => a[0] - b[0]);
}

function facts(pairs) {
	return element("dl", { class: "facts" }, ...pairs.filter(([, text]) => text)
		.flatMap(([title, text]) => [
			element("dt", { text: title }), element("dd", { text }),
		]));
}

const stateNames = {
	R: "preempted", S: "interruptible", D: "uninterruptible", T: "stopped", t: "traced",
	X: "dead", P: "parked", I: "idle", other: "other",
};

function drawPicked(box, picked) {
	const { row, section } = picked;
	const isContended = section === "contended_acquisitions";
	const other = isContended
		? -1 : sameSite("contended_acquisitions", picked);
	const contended = isContended ? row : (report.contended_acquisitions || [])[other];
	const waits = isContended ? picked.histogram
		: other < 0 ? [] : stacks.histograms.contended_acquisitions[other];

	box.append(
		element("h2", { text: `${siteName(row)} ${row.site || ""}` }),
		facts([
			["group", row.group],
			["family", row.family],
			["slow path", row.slow_path],
			["states", row.by_state && !shares && Object.entries(row.by_state)
				.map(([k, n]) => `${stateNames[k]} ${formatCount(n)}`).join(", ")],
			["runnable", row.woken && `${formatTime(row.runnable_ns / row.woken)} on average` +
				` from wake-up to run, of ${formatCount(row.woken)}`],
			["acquisitions", contended && `${formatCount(contended.acquisitions)} contended, ` +
				`${formatCount(contended.sleeps)} sleeps in them`],
			["distinct locks", contended && contended.locks && formatCount(contended.locks) +
				(contended.locks_are_more ? " or more" : "")],
			["hottest lock", contended && contended.hottest_lock &&
				`${contended.hottest_lock}, ${formatCount(contended.hottest_acquisitions)}` +
				" acquisitions"],
		]));
	if (!isContended && row.off_cpu)
		box.append(figure("Time off the CPU", "off_cpu", picked.histogram, row.off_cpu));
	if (contended)
		box.append(figure("Contended wait", "wait", waits, contended.wait));
}

function drawSite() {
	const box = document.getElementById("site");
	const picked = pickedRow();

	box.replaceChildren();
	if (picked) {
		drawPicked(box, picked);
		return;
	}
	box.append(element("h2", { text: "All sleeping locks" }),
		element("p", { class: "note", text: "Pick a row to see one site and only its stacks." }));
	if (stacks.weights.includes("off_cpu_ns"))
		box.append(figure("Time off the CPU", "off_cpu", sumOfBins("lock_sleeps")));
	if (stacks.weights.includes("wait_ns"))
		box.append(figure("Contended wait, spinlocks too", "wait", sumOfBins("contended_acquisitions")));
}
