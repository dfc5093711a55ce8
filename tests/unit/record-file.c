// SPDX-License-Identifier: GPL-2.0-only
/*
 * The output of a recording, ended by a full disk at every possible place: the
 * file must then hold exactly the whole records that fit, and be complete.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/record-private.h"
#include "tests/tap.h"

#define FRONT_SIZE  208
#define SIZE_OFFSET 48
#define TABLE_SIZE  (3 * sizeof(struct record_section))
#define STREAM_SIZE 20000
#define MAX_RECORDS (STREAM_SIZE / 8)

/* All that is to be written, and where its records end. */
static unsigned char stream[STREAM_SIZE];
static size_t ends[MAX_RECORDS];
static size_t nr_records;
static char path[64];

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1103515245 + 12345;
	return *state >> 16;
}

static void make_stream(void)
{
	unsigned int state = 1;
	size_t at = 0, i;

	for (;;) {
		struct perf_event_header header = { .type = 9 };
		unsigned int r = next_random(&state);

		header.size = (uint16_t)(8 + r % (r & 64 ? 8 : 140) * 8);
		if (at + header.size > STREAM_SIZE)
			break;
		memcpy(stream + at, &header, sizeof(header));
		for (i = sizeof(header); i < header.size; i++)
			stream[at + i] = (unsigned char)next_random(&state);
		at += header.size;
		ends[nr_records++] = at;
	}
}

static void open_file(struct record_file *file)
{
	struct record_buffer front = { 0 };
	struct error err = { 0 };
	size_t i;

	unlink(path);
	if (record_file_open(file, path, &err))
		tap_bail("%s", err.text);
	for (i = 0; i < FRONT_SIZE / 8; i++)
		record_buffer_u64(&front, i == SIZE_OFFSET / 8 ? 0 : i);
	for (i = 0; i < 3; i++)
		file->table[i] = (struct record_section){ 1000 + i, i };
	file->table_size = TABLE_SIZE;
	file->size_offset = SIZE_OFFSET;
	if (record_file_front(file, &front, &err))
		tap_bail("%s", err.text);
	record_buffer_free(&front);
}

/*
 * Appends records in pieces of different sizes, by an even seed few at once.
 * Returns how much was committed.
 */
static size_t append_until_full(struct record_file *file, unsigned int seed)
{
	size_t done = 0, record = 0, committed = 0;
	unsigned int most = seed % 2 ? 9 : 3;

	while (record < nr_records) {
		size_t more = 1 + next_random(&seed) % most;
		struct iovec iov[2];
		size_t middle, end;

		if (record + more > nr_records)
			more = nr_records - record;
		record += more;
		end = ends[record - 1];
		middle = done + next_random(&seed) % (end - done);
		iov[0] = (struct iovec){ stream + done, middle - done };
		iov[1] = (struct iovec){ stream + middle, end - middle };
		if (record_file_append(file, iov, 2))
			break;
		done = end;
		if (next_random(&seed) % 3)
			continue;
		if (record_file_commit(file))
			break;
		committed = done;
	}
	return committed;
}

/* What record-rings.c does as well. */
static void keep_whole(struct record_file *file)
{
	uint64_t position = file->end;
	struct perf_event_header header;

	while (!record_file_read(file, position, &header, sizeof(header)) &&
	       position + header.size <= record_file_limit(file))
		position += header.size;
	record_file_cut(file, position);
}

/* The data that must be there when the file may be that large. */
static size_t most_that_fits(size_t limit)
{
	size_t i, best = 0;

	for (i = 0; i < nr_records; i++)
		if (FRONT_SIZE + ends[i] + TABLE_SIZE <= limit)
			best = ends[i];
	return best;
}

static bool is_complete(const struct record_section *table, size_t want,
			const char **wrong)
{
	static unsigned char whole[FRONT_SIZE + STREAM_SIZE + TABLE_SIZE + 1];
	FILE *f = fopen(path, "re");
	uint64_t data_size;
	size_t size;

	if (!f)
		return false;
	size = fread(whole, 1, sizeof(whole), f);
	fclose(f);
	memcpy(&data_size, whole + SIZE_OFFSET, sizeof(data_size));
	*wrong = NULL;
	if (data_size != want)
		*wrong = "the header's size";
	else if (size != FRONT_SIZE + want + TABLE_SIZE)
		*wrong = "the file's size";
	else if (memcmp(whole + FRONT_SIZE, stream, want))
		*wrong = "the data";
	else if (memcmp(whole + FRONT_SIZE + want, table, TABLE_SIZE))
		*wrong = "the table";
	return !*wrong;
}

static void set_limit(rlim_t limit)
{
	struct rlimit r;

	getrlimit(RLIMIT_FSIZE, &r);
	r.rlim_cur = limit;
	setrlimit(RLIMIT_FSIZE, &r);
}

static void check_limits(unsigned int seed)
{
	size_t limit, last = FRONT_SIZE + TABLE_SIZE + 7000, bad = 0;
	const char *wrong = NULL;
	struct record_file file;

	for (limit = FRONT_SIZE + TABLE_SIZE; limit < last; limit += 3) {
		open_file(&file);
		set_limit(limit);
		append_until_full(&file, seed);
		if (!file.error && !bad++)
			tap_diag("limit %zu was not reached", limit);
		keep_whole(&file);
		set_limit(RLIM_INFINITY);
		record_file_close(&file);
		if (!is_complete(file.table, most_that_fits(limit), &wrong) &&
		    !bad++)
			tap_diag("limit %zu: %s is wrong", limit, wrong);
		record_file_free(&file);
	}
	tap_is_u64(bad, 0, "seed %u: each limit leaves all that fits", seed);
}

static void check_no_limit(void)
{
	const char *wrong = NULL;
	struct record_file file;
	struct stat st;

	open_file(&file);
	append_until_full(&file, 7);
	tap_ok(!record_file_commit(&file), "all is committed");
	tap_is_u64(record_file_bytes(&file),
		   FRONT_SIZE + ends[nr_records - 1] + TABLE_SIZE, "its size");
	tap_ok(!record_file_close(&file), "it closes");
	tap_ok(is_complete(file.table, ends[nr_records - 1], &wrong),
	       "it is complete: %s", wrong ? wrong : "yes");
	tap_ok(!stat(path, &st) && (st.st_mode & 0777) == 0600,
	       "for its owner only");
	record_file_free(&file);
}

/* What a recorder that is killed between two commits leaves. */
static void check_uncommitted(void)
{
	const char *wrong = NULL;
	struct record_file file;
	unsigned int seed;
	size_t bad = 0;

	for (seed = 0; seed < 200; seed++) {
		size_t committed;

		open_file(&file);
		set_limit(FRONT_SIZE + TABLE_SIZE + seed * 60);
		committed = append_until_full(&file, seed);
		set_limit(RLIM_INFINITY);
		close(file.fd);
		file.fd = -1;
		/* Only what lies behind the table may differ. */
		if (!truncate(path,
			      (off_t)(FRONT_SIZE + committed + TABLE_SIZE)) &&
		    !is_complete(file.table, committed, &wrong) && !bad++)
			tap_diag("seed %u: %s is wrong", seed, wrong);
		record_file_free(&file);
	}
	tap_is_u64(bad, 0, "what was committed is there without an end");
}

int main(void)
{
	unsigned int seed;
	char folder[] = "/tmp/rwsemlab-record-file.XXXXXX";

	signal(SIGXFSZ, SIG_IGN);
	if (!mkdtemp(folder))
		tap_bail("no temporary folder");
	snprintf(path, sizeof(path), "%s/perf.data", folder);
	make_stream();
	check_no_limit();
	for (seed = 1; seed <= 2; seed++)
		check_limits(seed);
	check_uncommitted();
	unlink(path);
	rmdir(folder);
	return tap_done();
}
