// SPDX-License-Identifier: GPL-2.0-only
// Numbers as people read them, the same as in the text report.

const thousands = new Intl.NumberFormat("en-US");

function formatCount(n) {
	return thousands.format(n);
}

function threeDigits(x) {
	return x.toFixed(x >= 100 ? 0 : x >= 10 ? 1 : 2);
}

function formatTime(ns) {
	const units = [["s", 1e9], ["ms", 1e6], ["us", 1e3]];

	for (const [unit, size] of units) {
		if (ns >= size)
			return `${threeDigits(ns / size)} ${unit}`;
	}
	return `${Math.round(ns)} ns`;
}

function formatShare(share) {
	if (share > 0 && share < 0.00005)
		return "<0.01 %";
	return `${(share * 100).toFixed(2)} %`;
}

function formatRate(count, ns) {
	const rate = count / (ns / 1e9);

	return `${rate < 100 ? rate.toFixed(1) : formatCount(Math.round(rate))}/s`;
}

// element("td", { class: "name", text: "…" }, child, …): what comes from the
// recording is set as text, never parsed.
function element(tag, attributes = {}, ...children) {
	const node = document.createElement(tag);

	for (const [key, value] of Object.entries(attributes)) {
		if (value === null || value === undefined || value === false)
			continue;
		if (key === "text")
			node.textContent = value;
		else
			node.setAttribute(key, value === true ? "" : value);
	}
	node.append(...children);
	return node;
}
