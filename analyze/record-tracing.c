// SPDX-License-Identifier: GPL-2.0-only
/*
 * The feature TRACING_DATA: how the recorded tracepoints' members lie in a
 * record, taken from tracefs.
 */
#include "config.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyze/record-private.h"

#define TRACING_VERSION	 "0.6" /* the first with saved command lines */
#define TRACING_FILE_MAX (64UL << 20)

/*
 * Adds a file of tracefs, before it its size in 4 or 8 bytes, before that its
 * name if there is one.  A file that is not there has size 0.
 */
static int add_file(const struct recording *rec, const char *relative,
		    const char *name, size_t size_bytes,
		    struct record_buffer *b, struct error *err)
{
	uint64_t size = 0;
	uint32_t small;
	char path[512];
	size_t start;
	long got;

	snprintf(path, sizeof(path), "%s/%s", rec->tracefs, relative);
	if (name)
		record_buffer_add(b, name, strlen(name) + 1);
	start = b->size;
	record_buffer_add(b, &size, size_bytes);
	got = record_buffer_file(b, path, TRACING_FILE_MAX);
	if (got < 0 && errno == ENOENT)
		return 0;
	if (got < 0)
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "record: can't read %s", path);
	if (b->failed)
		return 0;
	size = (uint64_t)got;
	small = (uint32_t)size;
	/* Native byte order: the header says which. */
	memcpy(b->data + start, size_bytes == 4 ? (void *)&small : &size,
	       size_bytes);
	return 0;
}

/* Whether an earlier event is of the same tracepoint, or system. */
static bool seen(const struct recording *rec, size_t i, bool whole_system)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (rec->event[j]->system &&
		    !strcmp(rec->event[j]->system, rec->event[i]->system) &&
		    (whole_system ||
		     !strcmp(rec->event[j]->name, rec->event[i]->name)))
			return true;
	return false;
}

/* Calls @add, if any, for every tracepoint of a system; returns how many. */
static uint32_t of_system(const struct recording *rec, const char *system,
			  struct record_buffer *b, struct error *err)
{
	uint32_t nr = 0;
	char path[256];
	size_t i;

	for (i = 0; i < rec->nr_events; i++) {
		const struct record_event *e = rec->event[i];

		if (!e->system || strcmp(e->system, system) ||
		    seen(rec, i, false))
			continue;
		nr++;
		if (!b)
			continue;
		snprintf(path, sizeof(path), "events/%s/%s/format", e->system,
			 e->name);
		add_file(rec, path, NULL, 8, b, err);
	}
	return nr;
}

static void add_formats(const struct recording *rec, struct record_buffer *b,
			struct error *err)
{
	uint32_t systems = 0;
	size_t i;

	for (i = 0; i < rec->nr_events; i++)
		if (rec->event[i]->system && !seen(rec, i, true))
			systems++;
	record_buffer_u32(b, systems);
	for (i = 0; i < rec->nr_events; i++) {
		const char *system = rec->event[i]->system;

		if (!system || seen(rec, i, true))
			continue;
		record_buffer_add(b, system, strlen(system) + 1);
		record_buffer_u32(b, of_system(rec, system, NULL, err));
		of_system(rec, system, b, err);
	}
}

int record_tracing_data(const struct recording *rec, struct record_buffer *b,
			struct error *err)
{
	static const unsigned char magic[] = { 23,  8,	 68,  't', 'r',
					       'a', 'c', 'i', 'n', 'g' };
	unsigned char endian = __BYTE_ORDER == __BIG_ENDIAN;
	unsigned char long_size = sizeof(long);

	record_buffer_add(b, magic, sizeof(magic));
	record_buffer_add(b, TRACING_VERSION, sizeof(TRACING_VERSION));
	record_buffer_add(b, &endian, 1);
	record_buffer_add(b, &long_size, 1);
	record_buffer_u32(b, (uint32_t)sysconf(_SC_PAGESIZE));
	add_file(rec, "events/header_page", "header_page", 8, b, err);
	add_file(rec, "events/header_event", "header_event", 8, b, err);
	record_buffer_u32(b, 0); /* formats of ftrace's own events */
	add_formats(rec, b, err);
	record_buffer_u32(b, 0); /* kallsyms, which perf looks up elsewhere */
	add_file(rec, "printk_formats", NULL, 4, b, err);
	add_file(rec, "saved_cmdlines", NULL, 8, b, err);
	if (b->failed)
		error_set(err, EXIT_USAGE, "record: out of memory");
	return err->code == EXIT_OK ? 0 : -1;
}
