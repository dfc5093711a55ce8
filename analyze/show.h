/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a filled profile to a printed report: symbols, sites, sums, format.
 * What `report` and `session` have in common, options included.
 */
#ifndef RWSEMLAB_ANALYZE_SHOW_H
#define RWSEMLAB_ANALYZE_SHOW_H

#include "analyze/output.h"
#include "analyze/report.h"
#include "analyze/symbols.h"
#include "command.h"

struct show_options {
	const char *format; /* NULL: "text" */
	const char *output; /* a file; NULL: standard output */
	const char *by; /* NULL: not split; "comm", "task" … */
	const char *sites; /* a file of rules, or NULL */
	const char *kallsyms, *vmlinux; /* files, or NULL */
	const char *tree; /* NULL: no tree; "caller", "callee" */
	const char *value; /* NULL: "sleeps"; "off_cpu_ns", "wait_ns" */
	const char *percent_limit; /* of trees; NULL: the format's own */
	unsigned long top; /* rows of each table, 0: all */
	bool suffixes; /* names with those that compilers gave them */
	bool allow_lost;
};

#define SHOW_OPTIONS_DEFAULT \
	{                    \
		.top = 20    \
	}

/* The lines of a command's table; field is a struct show_options in type. */
/* clang-format off */
#define SHOW_STRING(letter, name, argument, member, help) \
	{ letter, name, argument, OPTION_STRING, member, help }
#define SHOW_COMMAND_OPTIONS(type, field)                                     \
	SHOW_STRING(0, "format", "FORMAT", offsetof(type, field.format),      \
		    "how to print: text, or another that 'rwsemlab list"      \
		    " reports' shows"),                                       \
	SHOW_STRING(0, "by", "WHAT", offsetof(type, field.by),                \
		    "split each site's row by stack, comm, task, cpu, lock,"  \
		    " cgroup or waker"),                                      \
	{ 0, "top", "N", OPTION_UINT, offsetof(type, field.top),              \
	  "rows of each table (20); 0: all" },                                \
	SHOW_STRING('g', "tree", "ORDER", offsetof(type, field.tree),         \
		    "call trees in the text, by caller or callee"),           \
	SHOW_STRING(0, "value", "VALUE", offsetof(type, field.value),         \
		    "what trees and folded stacks count: sleeps,"             \
		    " off_cpu_ns or wait_ns"),                                \
	SHOW_STRING(0, "percent-limit", "N",                            \
		    offsetof(type, field.percent_limit),                      \
		    "sum up branches of trees below this (text: 0.5)"),       \
	SHOW_STRING(0, "sites", "FILE", offsetof(type, field.sites),          \
		    "more site rules, as 'rwsemlab list sites' prints them"), \
	SHOW_STRING(0, "kallsyms", "FILE", offsetof(type, field.kallsyms),    \
		    "name kernel addresses by this copy of /proc/kallsyms"),  \
	SHOW_STRING(0, "vmlinux", "FILE", offsetof(type, field.vmlinux),      \
		    "name kernel addresses by this kernel image"),            \
	{ 0, "suffixes", NULL, OPTION_FLAG, offsetof(type, field.suffixes),   \
	  "show .isra.0, .clone.24 and the like, which are removed else" },   \
	{ 0, "allow-lost", NULL, OPTION_FLAG,                                 \
	  offsetof(type, field.allow_lost),                                   \
	  "exit code 0 also when events were lost" }
/* clang-format on */

/**
 * show_check() - find errors in the options before a long read or run
 * @split: where the value of --by goes, for profile.split
 *
 * Return: 0, or -1 with @err set.
 */
int show_check(const struct show_options *options, enum split_by *split,
	       struct error *err);

/**
 * show() - print the report of a profile
 * @out: what output_open() made of options.output; stays the caller's
 * @work: units of work done, 0 where no workload ran
 * @unit: their name, or NULL
 * @session: for formats that show it, or NULL; stays the caller's
 *
 * Return: an exit code: EXIT_OK; EXIT_UNTRUSTED where events were lost and
 * that is not allowed, with @err set; others with @err set.
 */
int show(struct profile *p, const struct show_options *options,
	 const struct output *out, double work, const char *unit,
	 json_t *session, struct error *err);

/**
 * show_is_printed() - whether an exit code of show() comes with a whole report
 */
bool show_is_printed(int code);

#endif
