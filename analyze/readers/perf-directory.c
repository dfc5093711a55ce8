// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf.data as a directory (perf record --threads, --kcore): the file "data"
 * has the header, each of "data.0", "data.1", … the records of one buffer.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/readers/perf-private.h"

#define BUFFER_SIZE (2 * PD_MAX_RECORD)
#define MAX_FILES   65536

int pd_directory_open(const struct input *in, struct input *file,
		      unsigned char *head, size_t size, struct error *err)
{
	struct stat st;
	ssize_t got;

	*file = (struct input){ .name = in->name, .head = head };
	file->fd = openat(in->fd, "data", O_RDONLY | O_CLOEXEC);
	if (file->fd < 0)
		return error_errno(err, EXIT_USAGE,
				   "%s: a directory, but not of perf record: "
				   "no file \"data\" in it",
				   in->name);
	if (fstat(file->fd, &st) || !S_ISREG(st.st_mode)) {
		error_set(err, EXIT_USAGE, "%s/data: no regular file",
			  in->name);
		goto failed;
	}
	got = pread(file->fd, head, size, 0);
	if (got < 0) {
		error_errno(err, EXIT_USAGE, "%s/data: cannot read", in->name);
		goto failed;
	}
	file->is_regular = true;
	file->size = (uint64_t)st.st_size;
	file->peeked = (size_t)got;
	return 0;

failed:
	close(file->fd);
	return -1;
}

/* How many files data.N there are, from 0 on without a gap. */
static size_t count_files(const struct input *in)
{
	char name[32];
	struct stat st;
	size_t nr = 0;

	while (nr < MAX_FILES) {
		snprintf(name, sizeof(name), "data.%zu", nr);
		if (fstatat(in->fd, name, &st, 0) || !S_ISREG(st.st_mode))
			break;
		nr++;
	}
	return nr;
}

static int open_file(struct pd_reader *d, const struct input *in, size_t number,
		     struct pd_stream *s)
{
	char name[32];

	snprintf(name, sizeof(name), "data.%zu", number);
	*s = (struct pd_stream){
		.name = in->name,
		.fd = openat(in->fd, name, O_RDONLY | O_CLOEXEC),
		.swap = d->swap,
		.can_seek = true,
	};
	if (s->fd < 0)
		return error_errno(d->err, EXIT_USAGE, "%s/%s", in->name, name);
	if (!pd_stream_open(s, 0, UINT64_MAX, BUFFER_SIZE))
		return 0;
	close(s->fd);
	return pd_no_memory(d);
}

/* The header's own records, then those of each file. */
static int open_all(struct pd_reader *d, const struct input *in,
		    struct pd_stream *s, size_t files, size_t *nr)
{
	s[0] = (struct pd_stream){
		.name = in->name,
		.fd = d->in->fd,
		.swap = d->swap,
		.can_seek = true,
	};
	if (pd_stream_open(&s[0], d->data_begin, d->data_end, BUFFER_SIZE))
		return pd_no_memory(d);
	d->places[0] = (struct pd_place){ s[0].fd, d->data_begin, d->data_end };
	for (*nr = 1; *nr <= files; ++*nr) {
		if (open_file(d, in, *nr - 1, &s[*nr]))
			return -1;
		d->places[*nr] = (struct pd_place){ s[*nr].fd, 0, UINT64_MAX };
	}
	d->nr_places = *nr;
	return 0;
}

int pd_directory_read(struct pd_reader *d, const struct input *in)
{
	size_t files = count_files(in), nr = 0, i;
	struct pd_stream *s = calloc(files + 1, sizeof(*s));
	int ret;

	d->places = calloc(files + 1, sizeof(*d->places));
	if (!s || !d->places)
		ret = pd_no_memory(d);
	else
		ret = open_all(d, in, s, files, &nr);
	if (!ret)
		ret = files ? pd_read_streams(d, s, nr) :
			      pd_read_rounds(d, &s[0]);
	for (i = 0; i < nr; i++) {
		pd_stream_close(&s[i]);
		if (i)
			close(s[i].fd);
	}
	free(s);
	free(d->places);
	d->places = NULL;
	return ret;
}
