// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for the frames of the kernel, its modules and what it generates.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/kernel-find.h"

struct naming {
	struct profile *p;
	const struct kernel_source *source;
	bool only_modules;
	size_t named;
};

/* "ext4" of the dso "[ext4]" and of the symbol's "ext4". */
static bool is_module(const char *dso, const char *module)
{
	const size_t length = strlen(module);
	size_t i;

	if (dso[0] != '[' || strlen(dso) != length + 2)
		return false;
	for (i = 0; i < length; i++) {
		const char a = dso[i + 1] == '-' ? '_' : dso[i + 1];
		const char b = module[i] == '-' ? '_' : module[i];

		if (a != b)
			return false;
	}
	return true;
}

/*
 * A module goes where it likes at each load: its symbols hold only where the
 * kernel itself has not moved, and only for the module that was recorded.
 */
static bool fits(const struct naming *n, const struct frame *frame,
		 const struct symbol *symbol)
{
	const struct dso *dso = profile_get_dso(n->p, frame->dso);
	const char *module;

	if (n->only_modules && !symbol->module)
		return false;
	if (dso->kind != DSO_MODULE)
		return !symbol->module || !n->source->delta;
	if (!symbol->module || n->source->delta)
		return false;
	module = n->source->table.module[symbol->module];
	return is_module(profile_text(n->p, dso->path), module);
}

/*
 * An address one behind the padding of a function ("__pfx_...", which calls
 * nothing) is no return address: an interrupt came at the function's entry.
 */
static const struct symbol *behind_padding(const struct naming *n,
					   uint64_t address,
					   const struct symbol *symbol)
{
	const struct symbol_table *t = &n->source->table;
	const struct symbol *next = symbol + 1;

	if (next < t->symbol + t->nr && next->start == address + 1 &&
	    !strncmp(symbol->name, "__pfx_", 6))
		return next;
	return symbol;
}

static void name_frame(void *context, const struct symbol_query *query,
		       const struct symbol *symbol)
{
	struct naming *n = context;

	if (!(profile_get_frame(n->p, query->cookie)->flags & FRAME_EXACT))
		symbol = behind_padding(n, query->address, symbol);
	if (!fits(n, profile_get_frame(n->p, query->cookie), symbol))
		return;
	resolve_frame(n->p, query, symbol);
	n->named++;
}

static bool is_between(const struct kernel_source *s, uint64_t address,
		       enum kernel_mark start, enum kernel_mark end)
{
	return s->mark[start] && address >= s->mark[start] &&
	       address < s->mark[end];
}

static void mark_sections(struct profile *p, const struct kernel_source *s,
			  const struct frame_queries *q)
{
	size_t i;

	for (i = 0; i < q->nr; i++) {
		const uint64_t address = q->query[i].address;
		struct frame *frame = profile_get_frame(p, q->query[i].cookie);

		if (is_between(s, address, MARK_LOCK_START, MARK_LOCK_END))
			frame->flags |= FRAME_LOCK_TEXT;
		if (is_between(s, address, MARK_SCHED_START, MARK_SCHED_END))
			frame->flags |= FRAME_SCHED_TEXT;
	}
}

static void move(struct frame_queries *q, uint64_t by)
{
	size_t i;

	for (i = 0; i < q->nr; i++)
		q->query[i].address += by;
}

static void drop_named(struct profile *p, struct frame_queries *q)
{
	size_t kept = 0;
	size_t i;

	for (i = 0; i < q->nr; i++)
		if (!profile_get_frame(p, q->query[i].cookie)->symbol)
			q->query[kept++] = q->query[i];
	q->nr = kept;
}

static size_t name_from(struct profile *p, const struct kernel_source *s,
			bool only_modules, struct frame_queries *q)
{
	struct naming n = {
		.p = p,
		.source = s,
		.only_modules = only_modules,
	};

	move(q, -s->delta);
	symbol_queries_sort(q->query, q->nr);
	if (symbol_table_resolve(&s->table, q->query, q->nr, name_frame, &n))
		profile_fail(p);
	mark_sections(p, s, q);
	move(q, s->delta);
	drop_named(p, q);
	return n.named;
}

/* ------------------------------------------------------------- warnings */

static const char *name_of(const struct kernel_source *s)
{
	return s->name ? s->name : "a file";
}

/* Newer versions of perf record where the kernel's text ends: not at a page. */
static bool has_other_end(const struct profile *p,
			  const struct kernel_source *s)
{
	const uint64_t end = p->kernel.map_start + p->kernel.map_length;

	return s->mark[MARK_ETEXT] && p->kernel.map_start &&
	       p->kernel.map_length < 1u << 30 && end & 0xfff &&
	       s->mark[MARK_ETEXT] + s->delta != end;
}

static void warn_about(struct profile *p, const struct kernel_source *s)
{
	if (!p->kernel.reloc_address && !s->is_recorded)
		profile_warn(p,
			     "the recording does not say where its kernel lay"
			     " (recorded without permission to see kernel"
			     " addresses? run it as root, or after " SHOW_THEM
			     "): the names from %s are right only if the"
			     " kernel has not moved since",
			     name_of(s));
	else if (!s->mark[MARK_REFERENCE] && !s->is_recorded)
		profile_warn(p,
			     "%s lacks the symbol of the recorded kernel map,"
			     " %s: names are right only if the kernel has not"
			     " moved since",
			     name_of(s),
			     p->kernel.map_name ?
				     profile_text(p, p->kernel.map_name) :
				     "_text");
	if (has_other_end(p, s))
		profile_warn(p,
			     "%s seems to be of another kernel than the"
			     " recording: its text ends elsewhere",
			     name_of(s));
}

static void warn_about_modules(struct profile *p, const struct kernel_source *s,
			       const struct frame_queries *q)
{
	size_t modules = 0;
	size_t i;

	if (s->is_vmlinux || !s->delta)
		return;
	for (i = 0; i < q->nr; i++) {
		const uint32_t dso =
			profile_get_frame(p, q->query[i].cookie)->dso;

		modules += profile_get_dso(p, dso)->kind == DSO_MODULE;
	}
	if (modules)
		profile_warn(p,
			     "no names for %zu addresses in modules: the kernel"
			     " was booted again since the recording and its"
			     " modules lie elsewhere; name a copy of the"
			     " recorded machine's /proc/kallsyms with"
			     " --kallsyms",
			     modules);
}

static void warn_if_missing(struct profile *p,
			    const struct kernel_search *search, size_t unnamed)
{
	char text[BUILD_ID_TEXT];
	struct build_id id;

	build_id_set(&id, p->kernel.build_id, p->kernel.build_id_size);
	profile_warn(p,
		     "no names for %zu kernel addresses: no kallsyms or vmlinux"
		     " found here for release %s, build-id %s%s%s; name one"
		     " with --kallsyms or --vmlinux",
		     unnamed,
		     p->os_release ? profile_text(p, p->os_release) : "unknown",
		     id.size ? build_id_text(&id, text) : "unknown",
		     search->saw_hidden ?
			     "; /proc/kallsyms hides its addresses (run as"
			     " root, or after " SHOW_THEM ")" :
			     "",
		     search->saw_other ?
			     "; there is a vmlinux of that release, but of"
			     " another build" :
			     "");
}

/* -------------------------------------------------------------- resolve */

int kernel_resolve(struct profile *p, const struct symbol_options *options,
		   const struct symbol_places *places, struct frame_queries *q,
		   struct error *err)
{
	struct kernel_search search = {
		.options = options,
		.places = places,
		.err = err,
	};
	struct kernel_source source = { 0 };
	const size_t all = q->nr;
	size_t named = 0;
	bool found = false;

	while (q->nr && kernel_find_next(&search, p, &source) > 0) {
		if (!found)
			warn_about(p, &source);
		found = true;
		named += name_from(p, &source, search.only_kallsyms, q);
		warn_about_modules(p, &source, q);
		if (!source.is_vmlinux)
			break;
		/* It has no modules and nothing that was made at run time:
		   a kallsyms may add those, and only those. */
		search.only_kallsyms = true;
	}
	kernel_source_close(&source);
	if (err->code != EXIT_OK)
		return -1;
	if (!found && q->nr)
		warn_if_missing(p, &search, q->nr);
	else if (found && named < all / 2)
		profile_warn(p,
			     "only %zu of %zu kernel addresses lie in a known"
			     " function: the symbols used may be of another"
			     " kernel",
			     named, all);
	return 0;
}
