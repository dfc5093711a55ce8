// SPDX-License-Identifier: GPL-2.0-only
/* What is around the records: headers, features, files. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/perf-writer.h"
#include "tests/tap.h"

#define HEADER 104

/* In a big-endian file the bits of a byte are the other way round. */
static void put_flags(const struct pw *w, struct pw_bytes *b, uint64_t flags)
{
	unsigned char byte, turned;
	unsigned int i, bit;

	for (i = 0; i < 8; i++) {
		byte = turned = (unsigned char)(flags >> (8 * i));
		for (bit = 0; w->o.big_endian && bit < 8; bit++) {
			turned &= (unsigned char)~(1u << bit);
			turned |= (unsigned char)((byte >> (7 - bit) & 1u)
						  << bit);
		}
		pw_put(b, &turned, 1);
	}
}

static void put_attr(const struct pw *w, struct pw_bytes *b,
		     const struct pw_attr *a)
{
	size_t begin = b->size;

	pw_u32(w, b, a->type);
	pw_u32(w, b, w->o.attr_size);
	pw_u64(w, b, a->config);
	pw_u64(w, b, a->period ? a->period : 1);
	pw_u64(w, b, a->sample_type);
	pw_u64(w, b, a->read_format);
	put_flags(w, b, a->flags);
	pw_text(b, "", w->o.attr_size - (b->size - begin));
}

static void put_section(const struct pw *w, struct pw_bytes *b, uint64_t at,
			uint64_t size)
{
	pw_u64(w, b, at);
	pw_u64(w, b, size);
}

static void put_formats(const struct pw *w, struct pw_bytes *b)
{
	unsigned int i;

	pw_u32(w, b, w->nr_formats);
	for (i = 0; i < w->nr_formats; i++) {
		pw_put(b, w->format[i].system, strlen(w->format[i].system) + 1);
		pw_u32(w, b, 1);
		pw_u64(w, b, strlen(w->format[i].text));
		pw_put(b, w->format[i].text, strlen(w->format[i].text));
	}
}

static void put_tracing(const struct pw *w, struct pw_bytes *b)
{
	static const char page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;"
				   "\tsigned:0;\n";
	static const char event[] =
		"# compressed entry header\n\ttype_len    :    5 bits\n"
		"\ttime_delta  :   27 bits\n\tarray       :   32 bits\n";
	unsigned char sizes[2] = { w->o.big_endian, w->o.is_32bit ? 4 : 8 };
	size_t kallsyms = w->kallsyms ? strlen(w->kallsyms) : 0;

	pw_put(b, "\x17\x08\x44tracing0.6", 14);
	pw_put(b, sizes, 2);
	pw_u32(w, b, 4096);
	pw_put(b, "header_page", 12);
	pw_u64(w, b, sizeof(page) - 1);
	pw_put(b, page, sizeof(page) - 1);
	pw_put(b, "header_event", 13);
	pw_u64(w, b, sizeof(event) - 1);
	pw_put(b, event, sizeof(event) - 1);
	pw_u32(w, b, 0); /* ftrace's own */
	put_formats(w, b);
	pw_u32(w, b, (uint32_t)kallsyms);
	pw_put(b, w->kallsyms, kallsyms);
	pw_u32(w, b, 0); /* printk formats */
	pw_u64(w, b, 0); /* command lines */
}

static void put_string(const struct pw *w, struct pw_bytes *b, const char *s)
{
	pw_u32(w, b, 64);
	pw_text(b, s, 64);
}

static void put_event_desc(const struct pw *w, struct pw_bytes *b)
{
	const struct pw_attr *a;
	unsigned int i, id;

	pw_u32(w, b, w->nr_attrs);
	pw_u32(w, b, w->o.attr_size);
	for (i = 0; i < w->nr_attrs; i++) {
		a = &w->attr[i];
		put_attr(w, b, a);
		pw_u32(w, b, a->nr_ids);
		put_string(w, b, a->name ? a->name : "event");
		for (id = 0; id < a->nr_ids; id++)
			pw_u64(w, b, a->id[id]);
	}
}

/* Version, kind (zstd), level, ratio, size of perf record's buffers. */
static void put_compressed(const struct pw *w, struct pw_bytes *b)
{
	static const uint32_t numbers[] = { 1, 1, 1, 10, 1 << 20 };
	unsigned int i;

	for (i = 0; w->o.compressed && i < 5; i++)
		pw_u32(w, b, numbers[i]);
}

/* Whether the feature is there; then its data is appended. */
static bool put_feature(const struct pw *w, struct pw_bytes *b, unsigned int f)
{
	switch (f) {
	case 1:
		if (w->o.no_tracing || w->o.tracing_in_data || !w->nr_formats)
			return false;
		put_tracing(w, b);
		return true;
	case 2:
		pw_put(b, w->build_ids.data, w->build_ids.size);
		return w->build_ids.size;
	case 3:
		put_string(w, b, "testhost");
		return true;
	case 4:
		put_string(w, b, w->o.release);
		return true;
	case 6:
		put_string(w, b, w->o.is_32bit ? "armv7l" : "x86_64");
		return true;
	case 7:
		pw_u32(w, b, 4);
		pw_u32(w, b, 3);
		return true;
	case 11:
		pw_u32(w, b, 2);
		put_string(w, b, "perf");
		put_string(w, b, "record");
		return true;
	case 12:
		put_event_desc(w, b);
		return true;
	case 27:
		put_compressed(w, b);
		return w->o.compressed;
	default:
		return false;
	}
}

static uint64_t put_features(struct pw *w, struct pw_bytes *b, uint64_t at)
{
	struct pw_bytes data = { 0 };
	uint64_t bitmap = 0, offset[64], nr = 0, i, end;
	unsigned int f;

	for (f = 1; f < 64; f++) {
		end = data.size;
		if (!put_feature(w, &data, f))
			continue;
		bitmap |= 1ull << f;
		offset[nr++] = end;
	}
	offset[nr] = data.size;
	for (i = 0; i < nr; i++)
		put_section(w, b, at + 16 * nr + offset[i],
			    offset[i + 1] - offset[i]);
	pw_put(b, data.data, data.size);
	free(data.data);
	return bitmap;
}

static void put_bitmap(const struct pw *w, struct pw_bytes *b, uint64_t bitmap)
{
	if (w->o.is_32bit) {
		pw_u32(w, b, (uint32_t)bitmap);
		pw_u32(w, b, (uint32_t)(bitmap >> 32));
	} else {
		pw_u64(w, b, bitmap);
	}
	pw_text(b, "", 24);
}

static void put_attrs(struct pw *w, struct pw_bytes *attrs,
		      struct pw_bytes *ids)
{
	unsigned int i, id;

	for (i = 0; i < w->nr_attrs; i++) {
		put_attr(w, attrs, &w->attr[i]);
		put_section(w, attrs, HEADER + ids->size,
			    8 * w->attr[i].nr_ids);
		for (id = 0; id < w->attr[i].nr_ids; id++)
			pw_u64(w, ids, w->attr[i].id[id]);
	}
}

static struct pw_bytes finish_file(struct pw *w)
{
	struct pw_bytes all = { 0 }, ids = { 0 }, attrs = { 0 }, tail = { 0 };
	struct pw_bytes *data = &w->stream[0];
	uint64_t bitmap = 0, data_at;

	put_attrs(w, &attrs, &ids);
	data_at = HEADER + ids.size + attrs.size;
	if (!w->o.no_size)
		bitmap = put_features(w, &tail, data_at + data->size);
	pw_put(&all, w->o.big_endian ? "2ELIFREP" : "PERFILE2", 8);
	pw_u64(w, &all, HEADER);
	pw_u64(w, &all, w->o.attr_size + 16);
	put_section(w, &all, HEADER + ids.size, attrs.size);
	put_section(w, &all, data_at, w->o.no_size ? 0 : data->size);
	put_section(w, &all, 0, 0);
	put_bitmap(w, &all, bitmap);
	pw_put(&all, ids.data, ids.size);
	pw_put(&all, attrs.data, attrs.size);
	pw_put(&all, data->data, data->size);
	pw_put(&all, tail.data, tail.size);
	free(ids.data);
	free(attrs.data);
	free(tail.data);
	return all;
}

static void put_record(const struct pw *w, struct pw_bytes *to, uint32_t type,
		       const struct pw_bytes *body)
{
	pw_u32(w, to, type);
	pw_u16(w, to, 0);
	pw_u16(w, to, (uint16_t)(body->size + 8));
	pw_put(to, body->data, body->size);
}

static void put_attr_records(struct pw *w, struct pw_bytes *to)
{
	struct pw_bytes b;
	unsigned int i, id;

	for (i = 0; i < w->nr_attrs; i++) {
		b = (struct pw_bytes){ 0 };
		put_attr(w, &b, &w->attr[i]);
		for (id = 0; id < w->attr[i].nr_ids; id++)
			pw_u64(w, &b, w->attr[i].id[id]);
		put_record(w, to, 64, &b);
		free(b.data);
	}
}

static void put_feature_records(struct pw *w, struct pw_bytes *to)
{
	struct pw_bytes b;
	unsigned int f;

	for (f = 3; f < 64; f++) {
		b = (struct pw_bytes){ 0 };
		pw_u64(w, &b, f);
		if (put_feature(w, &b, f))
			put_record(w, to, 80, &b);
		free(b.data);
	}
}

/* Its own size has only the header; the data follows, padded. */
static void put_tracing_record(struct pw *w, struct pw_bytes *to)
{
	struct pw_bytes b = { 0 };

	put_tracing(w, &b);
	pw_text(&b, "", (0 - b.size) & 7);
	pw_u32(w, to, 66);
	pw_u16(w, to, 0);
	pw_u16(w, to, 12);
	pw_u32(w, to, (uint32_t)b.size);
	pw_put(to, b.data, b.size);
	free(b.data);
}

static struct pw_bytes finish_pipe(struct pw *w)
{
	struct pw_bytes all = { 0 };

	pw_put(&all, w->o.big_endian ? "2ELIFREP" : "PERFILE2", 8);
	pw_u64(w, &all, 16);
	put_attr_records(w, &all);
	put_feature_records(w, &all);
	if (!w->o.no_tracing && w->nr_formats)
		put_tracing_record(w, &all);
	pw_put(&all, w->build_ids.data, w->build_ids.size);
	pw_put(&all, w->stream[0].data, w->stream[0].size);
	return all;
}

struct pw_bytes pw_finish(struct pw *w)
{
	struct pw_bytes data, begin = { 0 };

	pw_stream(w, 0);
	if (w->o.pipe)
		return finish_pipe(w);
	if (w->o.tracing_in_data) {
		data = w->stream[0];
		put_tracing_record(w, &begin);
		pw_put(&begin, data.data, data.size);
		free(data.data);
		w->stream[0] = begin;
	}
	return finish_file(w);
}

static void write_all(int fd, const struct pw_bytes *b)
{
	size_t done = 0;
	ssize_t ret;

	while (done < b->size) {
		ret = write(fd, b->data + done, b->size - done);
		if (ret < 0)
			tap_bail("cannot write");
		done += (size_t)ret;
	}
}

int pw_write(const struct pw_bytes *b)
{
	int fd = memfd_create("perf.data", MFD_CLOEXEC);

	if (fd < 0)
		tap_bail("no memfd");
	write_all(fd, b);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void write_file(const char *path, const struct pw_bytes *b)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		tap_bail("cannot create %s", path);
	write_all(fd, b);
	close(fd);
}

void pw_write_directory(struct pw *w, const char *path)
{
	struct pw_bytes all;
	char name[4096];
	unsigned int i;

	if (mkdir(path, 0700))
		tap_bail("cannot create %s", path);
	all = pw_finish(w);
	snprintf(name, sizeof(name), "%s/data", path);
	write_file(name, &all);
	free(all.data);
	for (i = 1; i < PW_MAX_STREAMS && w->stream[i].size; i++) {
		snprintf(name, sizeof(name), "%s/data.%u", path, i - 1);
		write_file(name, &w->stream[i]);
	}
}
