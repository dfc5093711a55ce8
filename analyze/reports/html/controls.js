// SPDX-License-Identifier: GPL-2.0-only
// Buttons and fields that change the state.

function later(call, ms) {
	let timer = 0;

	return () => {
		clearTimeout(timer);
		timer = setTimeout(call, ms);
	};
}

// choices: [value, title]; the one that is in the state is pressed.  more: what
// else of the state a press changes.
function drawSwitch(id, key, choices, more = {}) {
	document.getElementById(id).replaceChildren(...choices.map(([value, title]) => {
		const button = element("button", {
			text: title, "data-value": value,
			"aria-pressed": String(state[key] === value),
		});

		button.onclick = () => change({ [key]: value, ...more });
		return button;
	}));
}

// list: [key, title, number of rows]
function drawTabList(list) {
	document.getElementById("tabs").replaceChildren(...list.map(([key, title, count]) => {
		const button = element("button", {
			role: "tab", "data-tab": key, text: title,
			"aria-selected": String(key === state.tab),
		}, element("small", { text: formatCount(count) }));

		button.onclick = () => change({ tab: key, sort: "" });
		return button;
	}));
}

function showFields(keys) {
	for (const key of keys) {
		const input = document.getElementById(key);

		if (input.value !== state[key])
			input.value = state[key];
	}
}

// All of the page is drawn by draw() when it opens, when the address changes
// and when its size or colours do.
function startPage(fields, draw) {
	for (const key of fields) {
		const input = document.getElementById(key);

		input.addEventListener("input", later(() => change({ [key]: input.value }), 120));
	}
	document.getElementById("chip").onclick = () => change({ row: "", zoom: "" });
	document.getElementById("reset").onclick = () => change({ zoom: "" });
	window.addEventListener("hashchange", () => {
		state = readAddress();
		draw();
	});
	window.addEventListener("resize", later(draw, 150));
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
	state = readAddress();
	draw();
}
