// SPDX-License-Identifier: GPL-2.0-only
//
// usage: assemble.mjs NODE_MODULES OUTPUT
//
// Makes the page that the html format fills with data: one file with styles
// and scripts inside, ours and those of d3 and d3-flame-graph.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, output] = process.argv.slice(2);
const own = ["format.js", "model.js", "tables.js", "charts.js", "flame.js", "main.js"];
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

if (!output)
	fail("usage: assemble.mjs NODE_MODULES OUTPUT");
const licences = others.map(([name]) => {
	const { version } = JSON.parse(read(modules, name, "package.json"));

	return `${name} ${version}\n\n${read(modules, name, "LICENSE")}`;
}).join("\n");
const scripts = [
	...others.map(([name, file]) => script(read(modules, name, file), name)),
	script(`"use strict";\n(() => {\n${own.map((file) => read(here, file)).join("\n")}})();\n`,
		"the page's own code"),
];
const hashes = scripts.map((text) =>
	`'sha256-${createHash("sha256").update(text).digest("base64")}'`).join(" ");
let page = read(here, "page.html");

page = place(page, "csp", `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; ` +
	`script-src ${hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">`);
page = place(page, "style", `<style>\n${read(here, "page.css")}</style>`);
page = place(page, "script", `<!--\nThis page contains:\n\n${licences.replace(/--/g, "- -")}-->\n` +
	scripts.map((text) => `<script>${text}</script>`).join("\n"));
writeFileSync(`${output}.part`, page);
renameSync(`${output}.part`, output);
