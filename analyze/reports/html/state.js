// SPDX-License-Identifier: GPL-2.0-only
// Which part of its data a page shows: the address keeps it, so that a link
// shows the same.  A page has its own `start` and repair(state).

let state = null;
const listeners = [];

function readAddress() {
	const words = new URLSearchParams(location.hash.slice(1));
	const next = { ...start };

	for (const key of Object.keys(start)) {
		if (words.has(key))
			next[key] = words.get(key);
	}
	repair(next);
	return next;
}

function writeAddress() {
	const words = new URLSearchParams();

	for (const key of Object.keys(start)) {
		if (state[key] !== start[key])
			words.set(key, state[key]);
	}
	history.replaceState(null, "", `#${words}`);
}

// change({ search: "x" }): the listeners are told which keys are new.
function change(values) {
	const keys = Object.keys(values).filter((k) => state[k] !== values[k]);

	if (!keys.length)
		return;
	Object.assign(state, values);
	writeAddress();
	listeners.forEach((call) => call(new Set(keys)));
}
