// SPDX-License-Identifier: GPL-2.0-only
// Tables that sort and filter.  A column has a title, get(row), and format()
// or name: true where it is text; share: true draws a bar, draw(row) makes
// what the cell holds, unknown(row) says what stands for no value.

const name = (get) => ({ get, name: true });

function classOf(column) {
	return [column.name && "name", column.share && "share", column.class]
		.filter(Boolean).join(" ") || null;
}

function cell(column, row) {
	const value = column.get(row);
	const known = value !== null && value !== undefined;
	const td = element("td", {
		class: classOf(column),
		"data-value": known ? value : null,
		title: column.name && known ? value : null,
		text: !known ? (column.unknown ? column.unknown(row) : "-")
			: column.format ? column.format(value, row) : value,
	});

	if (column.share && known)
		td.style.setProperty("--part", `${Math.min(100, value * 100)}%`);
	if (column.draw)
		td.replaceChildren(...column.draw(row));
	return td;
}

function compare(a, b) {
	if (typeof a === "string" || typeof b === "string")
		return String(a ?? "").localeCompare(String(b ?? ""));
	return (a ?? -1) - (b ?? -1);
}

// rows: [{ row, number, … }]
function filterRows(columns, rows) {
	const words = state.filter.toLowerCase().split(/\s+/).filter(Boolean);

	return rows.filter(({ row }) => {
		const text = columns.filter((c) => c.name)
			.map((c) => c.get(row) || "").join(" ").toLowerCase();

		return words.every((word) => text.includes(word));
	});
}

function sortRows(columns, rows) {
	const [at, order] = state.sort.split(".");
	const column = columns[at];
	const sign = order === "up" ? 1 : -1;

	if (state.sort !== "" && column)
		rows.sort((a, b) => sign * compare(column.get(a.row), column.get(b.row)));
	return rows;
}

function heading(column, index) {
	const [at, order] = state.sort.split(".");
	const sorted = state.sort !== "" && Number(at) === index;
	const th = element("th", {
		class: classOf({ ...column, share: false }), tabindex: 0, scope: "col",
		"aria-sort": !sorted ? "none" : order === "up" ? "ascending" : "descending",
		text: column.title,
	}, element("span", { class: "arrow", text: !sorted ? "" : order === "up" ? "↑" : "↓" }));

	th.onclick = () => {
		const first = column.name ? "up" : "down";
		const other = column.name ? "down" : "up";

		change({ sort: `${index}.${sorted && order === first ? other : first}` });
	};
	th.onkeydown = (event) => event.key === "Enter" && th.onclick();
	return th;
}

// A row that can be picked has an id, which goes into the address.
function gridRow(columns, row, id, attributes = {}) {
	const tr = element("tr", {
		"data-row": id, "aria-selected": String(id !== null && id === state.row),
		tabindex: 0, ...attributes,
	}, ...columns.map((column) => cell(column, row)));

	if (id === null)
		return tr;
	tr.onclick = () => change({ row: state.row === id ? "" : id, zoom: "" });
	tr.onkeydown = (event) => event.key === "Enter" && tr.onclick();
	return tr;
}

function grid(columns, rows, attributes = {}) {
	return element("table", attributes,
		element("thead", {}, element("tr", {}, ...columns.map(heading))),
		element("tbody", {}, ...rows));
}

function matchNote(shown, total) {
	return shown < total && `${formatCount(shown)} of ${formatCount(total)} rows match.`;
}
