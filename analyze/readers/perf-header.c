// SPDX-License-Identifier: GPL-2.0-only
/*
 * The header of a file or a pipe, the events' section, the features.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/readers/perf-private.h"

#define PIPE_HEADER 16
#define OLD_HEADER  72 /* without a bitmap of features */
#define MAX_SECTION (256u << 20)

struct section {
	uint64_t offset, size;
};

static struct section take_section(struct pd_cursor *c)
{
	struct section s;

	s.offset = pd_take_u64(c);
	s.size = pd_take_u64(c);
	return s;
}

/* A part of the file in memory, with a zero byte after it. */
static unsigned char *read_at(struct pd_reader *d, struct section s)
{
	unsigned char *data;
	size_t got = 0;
	ssize_t ret;

	data = malloc(s.size + 1);
	if (!data) {
		error_set(d->err, EXIT_USAGE, "%s: out of memory", d->in->name);
		return NULL;
	}
	while (got < s.size) {
		ret = pread(d->in->fd, data + got, s.size - got,
			    (off_t)(s.offset + got));
		if (ret < 0 && errno == EINTR)
			continue;
		if (ret <= 0) {
			error_set(d->err, EXIT_USAGE,
				  "%s: offset %llu: cannot read %llu bytes",
				  d->in->name, (unsigned long long)s.offset,
				  (unsigned long long)s.size);
			free(data);
			return NULL;
		}
		got += (size_t)ret;
	}
	data[s.size] = '\0';
	return data;
}

static bool is_inside(const struct pd_reader *d, struct section s)
{
	return s.offset <= d->in->size && s.size <= d->in->size - s.offset;
}

static int outside(struct pd_reader *d, const char *what, struct section s)
{
	return error_set(d->err, EXIT_USAGE,
			 "%s: the header puts %s at offset %llu, size %llu, "
			 "but the file has %llu bytes; it is damaged",
			 d->in->name, what, (unsigned long long)s.offset,
			 (unsigned long long)s.size,
			 (unsigned long long)d->in->size);
}

static int add_attr(struct pd_reader *d, const unsigned char *from,
		    size_t entry)
{
	uint32_t size = pd_u32(from + 4, d->swap);
	struct section ids;
	unsigned char *data;
	int ret;

	/* The size's place was 0 in the first version. */
	if (size == 0 || size > entry - 16)
		size = (uint32_t)entry - 16;
	ids.offset = pd_u64(from + size, d->swap);
	ids.size = pd_u64(from + size + 8, d->swap);
	if (!is_inside(d, ids))
		return outside(d, "an event's ids", ids);
	/* Each has its own place, so together they fit into the file. */
	d->ids_size += ids.size;
	if (ids.size > MAX_SECTION || d->ids_size > d->in->size)
		return error_set(d->err, EXIT_USAGE,
				 "%s: offset %llu: the events' ids are more "
				 "than the file can hold; it is damaged",
				 d->in->name, (unsigned long long)ids.offset);
	data = read_at(d, ids);
	if (!data)
		return -1;
	ret = pd_attrs_add(d, from, size, data, ids.size / 8);
	free(data);
	return ret;
}

static int read_attrs(struct pd_reader *d, struct section s, uint64_t entry)
{
	unsigned char *data;
	uint64_t at;
	int ret = 0;

	if (!is_inside(d, s))
		return outside(d, "the events", s);
	if (entry < 64 + 16 || entry > 65536 || s.size > MAX_SECTION)
		return error_set(d->err, EXIT_USAGE,
				 "%s: offset 16: an event's entry is given "
				 "%llu bytes, all of them %llu; the header is "
				 "damaged",
				 d->in->name, (unsigned long long)entry,
				 (unsigned long long)s.size);
	data = read_at(d, s);
	if (!data)
		return -1;
	for (at = 0; !ret && s.size - at >= entry; at += entry)
		ret = add_attr(d, data + at, entry);
	free(data);
	return ret;
}

static bool has(const struct pd_reader *d, unsigned int feature)
{
	return d->features[feature / 64] >> (feature % 64) & 1;
}

/*
 * The bitmap is one of longs, so on a machine of the other byte order it may
 * be of 32-bit or of 64-bit words.  Any recording has the host's name.
 */
static void read_bitmap(struct pd_reader *d, const unsigned char *from)
{
	size_t i;

	for (i = 0; i < PD_NR_FEATURES / 64; i++)
		d->features[i] = pd_u64(from + 8 * i, d->swap);
	if (has(d, PD_FEATURE_HOSTNAME))
		return;
	for (i = 0; i < PD_NR_FEATURES / 64; i++)
		d->features[i] = (uint64_t)pd_u32(from + 8 * i + 4, d->swap)
					 << 32 |
				 pd_u32(from + 8 * i, d->swap);
}

static int read_feature(struct pd_reader *d, unsigned int feature,
			struct section s)
{
	unsigned char *data;

	if (!is_inside(d, s) || s.size > MAX_SECTION) {
		profile_warn(d->p,
			     "%s: header feature %u lies outside of the "
			     "file",
			     d->in->name, feature);
		return 0;
	}
	data = read_at(d, s);
	if (!data)
		return -1;
	pd_feature_read(d, feature, data, s.size);
	free(data);
	return 0;
}

static bool is_used(unsigned int feature)
{
	return (feature >= PD_FEATURE_TRACING_DATA &&
		feature <= PD_FEATURE_EVENT_DESC) ||
	       feature == PD_FEATURE_COMPRESSED;
}

static uint64_t table_size(const struct pd_reader *d)
{
	uint64_t size = 0;
	unsigned int i;

	for (i = 0; i < PD_NR_FEATURES; i++)
		size += 16 * has(d, i);
	return size;
}

static int read_features(struct pd_reader *d)
{
	struct section table = { d->data_end, table_size(d) }, entry;
	unsigned char *data;
	struct pd_cursor c;
	unsigned int i;
	int ret = 0;

	if (!table.size || !is_inside(d, table))
		return 0;
	data = read_at(d, table);
	if (!data)
		return -1;
	c = (struct pd_cursor){ data, data + table.size, d->swap, false };
	/* The kernel's release tells how to read the tracing data. */
	for (i = 0; i < PD_NR_FEATURES && !ret; i++) {
		if (!has(d, i))
			continue;
		entry = take_section(&c);
		if (i == PD_FEATURE_OSRELEASE)
			ret = read_feature(d, i, entry);
	}
	c.at = data;
	for (i = 0; i < PD_NR_FEATURES && !ret; i++) {
		if (!has(d, i))
			continue;
		entry = take_section(&c);
		if (is_used(i) && i != PD_FEATURE_OSRELEASE)
			ret = read_feature(d, i, entry);
	}
	free(data);
	return ret;
}

/* Whether the features follow here: the first begins behind their table. */
static bool is_table(const struct pd_reader *d, uint64_t at)
{
	uint64_t size = table_size(d);
	unsigned char first[8];

	if (!size || pread(d->in->fd, first, 8, (off_t)at) != 8)
		return false;
	return pd_u64(first, d->swap) == at + size;
}

/* Where the records are, as far as the header is right about it. */
static int place_data(struct pd_reader *d, struct section data)
{
	d->data_begin = data.offset;
	d->data_end = data.offset + data.size;
	if (data.offset > d->in->size || d->data_end < data.offset)
		return outside(d, "the records", data);
	if (!data.size && !is_table(d, data.offset)) {
		d->data_end = UINT64_MAX;
		profile_warn(d->p,
			     "%s: recording did not end properly: the header "
			     "gives no size; all that follows is read",
			     d->in->name);
	}
	return 0;
}

static int read_file_header(struct pd_reader *d, uint64_t size)
{
	const unsigned char *head = d->in->head;
	struct pd_cursor c = { head + 16, head + d->in->peeked, d->swap,
			       false };
	struct section attrs, data;
	uint64_t entry;

	entry = pd_take_u64(&c);
	attrs = take_section(&c);
	data = take_section(&c);
	take_section(&c); /* event types, not written since 3.10 */
	if (c.failed || size < OLD_HEADER)
		return error_set(d->err, EXIT_USAGE,
				 "%s: offset 8: a header of %llu bytes; it is "
				 "damaged",
				 d->in->name, (unsigned long long)size);
	if (size >= OLD_HEADER + 32) {
		const unsigned char *bitmap = pd_take(&c, 32);

		if (bitmap)
			read_bitmap(d, bitmap);
	}
	if (read_attrs(d, attrs, entry) || place_data(d, data))
		return -1;
	return d->data_end == UINT64_MAX ? 0 : read_features(d);
}

int pd_header_read(struct pd_reader *d)
{
	const struct input *in = d->in;
	uint64_t size;

	if (in->peeked < PIPE_HEADER)
		return error_set(d->err, EXIT_USAGE,
				 "%s: %zu bytes are too few for a header",
				 in->name, in->peeked);
	/* A number whose bytes read PERFILE2 where the lowest comes first. */
	d->swap = (in->head[0] == '2') !=
		  (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	size = pd_u64(in->head + 8, d->swap);
	if (!memcmp(in->head, "PERFFILE", 8)) {
		/* The first version's magic has the same bytes everywhere. */
		d->swap = size > UINT32_MAX;
		size = pd_u64(in->head + 8, d->swap);
	}
	d->data_begin = PIPE_HEADER;
	d->data_end = UINT64_MAX;
	if (size == PIPE_HEADER)
		return 0;
	if (!in->is_regular)
		return error_set(d->err, EXIT_USAGE,
				 "%s: a perf.data file can't come through a "
				 "pipe: name the file, or let perf record -o - "
				 "write the pipe",
				 in->name);
	return read_file_header(d, size);
}
