// SPDX-License-Identifier: GPL-2.0-only
/*
 * What scripts/bench.d/perf-data needs beside the program:
 *
 *	perf-bench enlarge IN OUT MEGABYTES   IN's records again and again
 *	perf-bench compress IN OUT            IN as perf record -z would write it
 *	perf-bench walk IN                    seconds to walk IN and hash chains
 *	perf-bench time COMMAND...            seconds, peak KiB of memory
 *
 * IN is a little-endian file of 64 bits whose first event has an id, an
 * address, a task, a time and a CPU, as perf record -a writes it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "analyze/readers/perf-bytes.h"

#define SAMPLE	   9
#define COMPRESSED 81
#define TIME_AT	   32 /* in a sample: header, id, address, task, time */
#define BACK_TIME  24 /* in other records: time, CPU, id at the end */
#define CHAIN_AT   64 /* behind CPU, period and the number of entries */
#define CHUNK	   32768

struct file {
	unsigned char *data;
	size_t size;
	uint64_t begin, end; /* of the records */
};

static void die(const char *what)
{
	perror(what);
	exit(3);
}

static void store(unsigned char *to, uint64_t v)
{
	memcpy(to, &v, sizeof(v));
}

static struct file load(const char *path)
{
	struct file f = { 0 };
	struct stat st;
	size_t got = 0;
	ssize_t ret;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st))
		die(path);
	f.size = (size_t)st.st_size;
	f.data = malloc(f.size);
	while (f.data && got < f.size) {
		ret = read(fd, f.data + got, f.size - got);
		if (ret <= 0)
			die(path);
		got += (size_t)ret;
	}
	close(fd);
	if (!f.data || f.size < 104 || memcmp(f.data, "PERFILE2", 8))
		die(path);
	f.begin = pd_u64(f.data + 40, false);
	f.end = f.begin + pd_u64(f.data + 48, false);
	if (f.end > f.size || f.end < f.begin)
		die(path);
	return f;
}

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "wb");

	if (!f)
		die(path);
	return f;
}

static void put(FILE *f, const void *from, size_t size)
{
	if (size && fwrite(from, 1, size, f) != size)
		die("cannot write");
}

/*
 * The features' table follows the records; what it points to moves with it, or
 * lies before them.
 */
static void put_features(FILE *to, struct file *f, uint64_t moved)
{
	unsigned int i, nr = 0;
	unsigned char *entry;

	for (i = 0; i < 256; i++)
		nr += f->data[72 + i / 8] >> (i % 8) & 1;
	for (i = 0; i < nr; i++) {
		entry = f->data + f->end + 16 * i;
		if (pd_u64(entry, false) >= f->end)
			store(entry, pd_u64(entry, false) + moved);
	}
	put(to, f->data + f->end, f->size - f->end);
}

/* Returns the latest time. */
static uint64_t shift_times(struct file *f, uint64_t by)
{
	uint64_t at, latest = 0;
	unsigned char *time;
	uint16_t size;

	for (at = f->begin; at + 8 <= f->end; at += size) {
		uint32_t type = pd_u32(f->data + at, false);

		size = pd_u16(f->data + at + 6, false);
		if (size < 8)
			die("a record without a size");
		if (type >= 64 || size < 40)
			continue;
		time = f->data + at +
		       (type == SAMPLE ? TIME_AT : size - BACK_TIME);
		if (!pd_u64(time, false))
			continue;
		store(time, pd_u64(time, false) + by);
		if (pd_u64(time, false) > latest)
			latest = pd_u64(time, false);
	}
	return latest;
}

static void enlarge(const char *from, const char *path, uint64_t megabytes)
{
	struct file f = load(from);
	uint64_t size = f.end - f.begin, times, i, first;
	unsigned char header[104];
	FILE *to = create(path);

	times = (megabytes * 1000000 + size - 1) / size;
	memcpy(header, f.data, sizeof(header));
	store(header + 48, size * times);
	put(to, header, sizeof(header));
	put(to, f.data + sizeof(header), f.begin - sizeof(header));
	/* Each time, it begins after the time at which it ended. */
	first = shift_times(&f, 0);
	for (i = 0; i < times; i++) {
		put(to, f.data + f.begin, size);
		shift_times(&f, first);
	}
	put_features(to, &f, size * (times - 1));
	if (fclose(to))
		die(path);
}

static uint64_t put_compressed(FILE *to, ZSTD_CCtx *zstd,
			       const unsigned char *from, size_t size)
{
	unsigned char out[8 + 2 * CHUNK] = { COMPRESSED };
	ZSTD_inBuffer in = { from, size, 0 };
	ZSTD_outBuffer o = { out, sizeof(out), 8 };
	uint16_t total;

	if (ZSTD_compressStream2(zstd, &o, &in, ZSTD_e_flush))
		die("zstd");
	total = (uint16_t)o.pos;
	memcpy(out + 6, &total, 2);
	put(to, out, o.pos);
	return o.pos;
}

static void compress(const char *from, const char *path)
{
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	struct file f = load(from);
	uint64_t at, part, size = 0;
	FILE *to = create(path);

	if (!zstd)
		die("zstd");
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, 1);
	put(to, f.data, f.begin);
	for (at = f.begin; at < f.end; at += part) {
		part = f.end - at < CHUNK ? f.end - at : CHUNK;
		size += put_compressed(to, zstd, f.data + at, part);
	}
	put_features(to, &f, size - (f.end - f.begin));
	store(f.data + 48, size);
	if (fseek(to, 48, SEEK_SET))
		die(path);
	put(to, f.data + 48, 8);
	if (fclose(to))
		die(path);
	ZSTD_freeCCtx(zstd);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The chains of the samples in the buffer; how much of it was used. */
static size_t walk_buffer(const unsigned char *buffer, size_t have,
			  uint64_t *sum)
{
	size_t at = 0;
	uint64_t nr;

	while (have - at >= 8) {
		uint16_t size = pd_u16(buffer + at + 6, false);

		if (size < 8 || have - at < size)
			break;
		if (pd_u32(buffer + at, false) == SAMPLE && size > CHAIN_AT) {
			nr = pd_u64(buffer + at + CHAIN_AT - 8, false);
			if (nr <= (size - CHAIN_AT) / 8u)
				*sum += XXH3_64bits(buffer + at + CHAIN_AT,
						    nr * 8);
		}
		at += size;
	}
	return at;
}

/* With a buffer of the size that our reader has. */
static void walk(const char *path)
{
	static unsigned char buffer[262144];
	unsigned char header[104];
	size_t have = 0, used;
	uint64_t sum = 0, at, end;
	double begin = now();
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = 1;

	if (fd < 0 || pread(fd, header, sizeof(header), 0) != sizeof(header))
		die(path);
	at = pd_u64(header + 40, false);
	end = at + pd_u64(header + 48, false);
	while (got > 0) {
		size_t part = sizeof(buffer) - have;

		part = part < end - at ? part : end - at;
		got = pread(fd, buffer + have, part, (off_t)at);
		at += got > 0 ? (uint64_t)got : 0;
		have += got > 0 ? (size_t)got : 0;
		used = walk_buffer(buffer, have, &sum);
		have -= used;
		memmove(buffer, buffer + used, have);
	}
	close(fd);
	printf("%.4f %llx\n", now() - begin, (unsigned long long)sum);
}

static int run(char **command)
{
	double begin = now();
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (child < 0)
		die("fork");
	if (!child) {
		execvp(command[0], command);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child)
		die("wait4");
	fprintf(stderr, "%.4f %ld\n", now() - begin, usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";

	if (!strcmp(what, "enlarge") && argc == 5) {
		enlarge(argv[2], argv[3], strtoull(argv[4], NULL, 10));
		return 0;
	}
	if (!strcmp(what, "compress") && argc == 4) {
		compress(argv[2], argv[3]);
		return 0;
	}
	if (!strcmp(what, "walk") && argc == 3) {
		walk(argv[2]);
		return 0;
	}
	if (!strcmp(what, "time"))
		return run(argv + 2);
	fprintf(stderr, "usage: perf-bench enlarge|compress|walk|time ...\n");
	return 2;
}
