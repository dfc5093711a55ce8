// SPDX-License-Identifier: GPL-2.0-only
//
// usage: assemble.mjs NODE_MODULES OUTPUT
//
// Makes a page that an html format fills with data, report.html or diff.html:
// one file with styles and scripts inside, ours and those of d3 and
// d3-flame-graph.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2);
const shared = ["format.js", "state.js", "controls.js", "grid.js", "graph.js"];
const pages = {
	report: {
		own: ["model.js", "tables.js", "charts.js", "flame.js", "main.js"],
		styles: ["page.css"],
	},
	diff: {
		own: ["diff-model.js", "diff-tables.js", "diff-stacks.js", "diff-graphs.js",
			"diff-main.js"],
		styles: ["page.css", "diff.css"],
	},
};
const others = [
	["d3", "dist/d3.min.js"],
	["d3-flame-graph", "dist/d3-flamegraph.umd.min.js"],
];

function fail(text) {
	console.error(`assemble.mjs: ${text}`);
	process.exit(1);
}

function read(...path) {
	return readFileSync(join(...path), "utf8");
}

// What ends the element would end it inside a string, too.
function script(text, what) {
	if (/<\/script|<!--/i.test(text))
		fail(`${what} can't stand inside a <script> element`);
	return text;
}

function place(page, mark, text) {
	const parts = page.split(`<!--${mark}-->`);

	if (parts.length !== 2)
		fail(`page.html: needs <!--${mark}--> once`);
	return parts.join(text);
}

const name = output && basename(output, ".html");

if (!name || !Object.hasOwn(pages, name))
	fail("usage: assemble.mjs NODE_MODULES OUTPUT, which is a report.html or diff.html");
const { own, styles } = pages[name];
const licences = others.map(([module]) => {
	const { version } = JSON.parse(read(modules, module, "package.json"));

	return `${module} ${version}\n\n${read(modules, module, "LICENSE")}`;
}).join("\n");
const scripts = [
	...others.map(([module, file]) => script(read(modules, module, file), module)),
	script(`"use strict";\n(() => {\n${[...shared, ...own].map((file) => read(here, file)).join("\n")}})();\n`,
		"the page's own code"),
];
const hashes = scripts.map((text) =>
	`'sha256-${createHash("sha256").update(text).digest("base64")}'`).join(" ");
let page = read(here, "page.html");

page = place(page, "csp", `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ` +
	`script-src ${hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">`);
page = place(page, "body", read(here, `${name}-body.html`));
page = place(page, "style",
	`<style>\n${styles.map((file) => read(here, file)).join("\n")}</style>`);
page = place(page, "script", `<!--\nThis page contains:\n\n${licences.replace(/--/g, "- -")}-->\n` +
	scripts.map((text) => `<script>${text}</script>`).join("\n"));
writeFileSync(`${output}.part`, page);
renameSync(`${output}.part`, output);
