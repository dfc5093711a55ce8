// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "analyze/symbols/debuginfod.h"
#include "analyze/symbols/open-file.h"
#include "analyze/symbols/resolve.h"

/* Longer names are crafted ones; each costs at most this much. */
#define NAME_LIMIT (64 * 1024)

/* ------------------------------------------------ what the sources share */

void resolve_frame(struct profile *p, const struct symbol_query *query,
		   const struct symbol *symbol)
{
	struct frame *frame = profile_get_frame(p, query->cookie);
	const bool exact = frame->flags & FRAME_EXACT;
	const uint64_t offset = query->address + !exact - symbol->start;

	frame->symbol = profile_string(p, symbol->name,
				       strnlen(symbol->name, NAME_LIMIT));
	frame->offset = offset < UINT32_MAX ? offset : UINT32_MAX;
}

static void resolve_found(void *context, const struct symbol_query *query,
			  const struct symbol *symbol)
{
	resolve_frame(context, query, symbol);
}

void resolve_frames(struct profile *p, const struct symbol_table *t,
		    struct frame_queries *q)
{
	symbol_queries_sort(q->query, q->nr);
	if (symbol_table_resolve(t, q->query, q->nr, resolve_found, p))
		profile_fail(p);
}

bool recorded_here(const struct profile *p)
{
	struct utsname u;

	return !uname(&u) && !strcmp(u.nodename, profile_text(p, p->hostname));
}

bool is_running_kernel(const struct profile *p)
{
	struct build_id recorded, running;

	build_id_set(&recorded, p->kernel.build_id, p->kernel.build_id_size);
	return recorded.size && build_id_running_kernel(&running) &&
	       build_id_equal(&recorded, &running);
}

/* ------------------------------------------------- frames, group by group */

/* The kernel's frames are group 0, those of dso number n group n + 1. */
static uint32_t group_of(const struct profile *p, const struct frame *frame)
{
	const enum dso_kind kind = profile_get_dso(p, frame->dso)->kind;

	if (frame->flags & FRAME_KERNEL || kind == DSO_KERNEL ||
	    kind == DSO_MODULE)
		return 0;
	return frame->dso + 1;
}

static bool wants_name(const struct profile *p, const struct frame *frame,
		       bool no_user)
{
	return !frame->symbol && !(frame->flags & FRAME_LOOKED_UP) &&
	       !(no_user && group_of(p, frame));
}

struct groups {
	struct symbol_query *query;
	size_t *end; /* of each group's queries; its start is the end before */
	uint32_t nr;
};

/* Counts, then fills: a counting sort by group. */
static int make_groups(struct profile *p, bool no_user, struct groups *g)
{
	const uint32_t nr_frames = profile_nr_frames(p);
	size_t sum = 0;
	uint32_t i;

	g->nr = profile_nr_dsos(p) + 1;
	g->end = calloc(g->nr, sizeof(*g->end));
	g->query = reallocarray(NULL, nr_frames ? nr_frames : 1,
				sizeof(*g->query));
	if (!g->end || !g->query)
		return -1;
	for (i = 1; i < nr_frames; i++) {
		const struct frame *frame = profile_get_frame(p, i);

		if (wants_name(p, frame, no_user))
			g->end[group_of(p, frame)]++;
	}
	for (i = 0; i < g->nr; i++) {
		const size_t count = g->end[i];

		g->end[i] = sum;
		sum += count;
	}
	for (i = 1; i < nr_frames; i++) {
		struct frame *frame = profile_get_frame(p, i);
		struct symbol_query *query;

		if (!wants_name(p, frame, no_user))
			continue;
		query = &g->query[g->end[group_of(p, frame)]++];
		query->cookie = i;
		query->address = frame->address;
		if (!(frame->flags & FRAME_EXACT) && query->address)
			query->address--;
		frame->flags |= FRAME_LOOKED_UP;
	}
	return 0;
}

static struct frame_queries get_group(const struct groups *g, uint32_t i)
{
	const size_t start = i ? g->end[i - 1] : 0;

	return (struct frame_queries){ g->query + start, g->end[i] - start };
}

static int resolve_groups(struct profile *p,
			  const struct symbol_options *options,
			  const struct symbol_places *places,
			  const struct groups *g, struct error *err)
{
	struct frame_queries q = get_group(g, 0);
	struct user_misses misses = { 0 };
	uint32_t i;

	if (q.nr && kernel_resolve(p, options, places, &q, err))
		return -1;
	for (i = 1; i < g->nr; i++) {
		q = get_group(g, i);
		if (q.nr)
			user_resolve(p, places, i - 1, &q, &misses);
	}
	user_warn(p, &misses);
	return 0;
}

static char *default_cache(void)
{
	const char *directory = getenv("PERF_BUILDID_DIR");
	const char *home = getenv("HOME");

	if (directory && *directory)
		return strdup(directory);
	return home && *home ? join_path("%s/.debug", home) : NULL;
}

int symbols_resolve(struct profile *p, const struct symbol_options *options,
		    struct error *err)
{
	char *cache = options->build_id_cache ? NULL : default_cache();
	const struct symbol_places places = {
		.debug_directory = options->debug_directory ?
					   options->debug_directory :
					   "/usr/lib/debug",
		.cache = options->build_id_cache ? options->build_id_cache :
						   cache,
		.root = options->root,
		.debuginfod = debuginfod_open(),
	};
	struct groups g = { 0 };
	int ret = 0;

	if (make_groups(p, options->no_user, &g))
		profile_fail(p);
	else
		ret = resolve_groups(p, options, &places, &g, err);
	free(g.query);
	free(g.end);
	debuginfod_close(places.debuginfod);
	free(cache);
	return ret;
}
