// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READER(name) extern const struct reader reader_##name;
#include "analyze/readers.def"
#undef READER

static const struct reader *const readers[] = {
#define READER(name) &reader_##name,
#include "analyze/readers.def"
#undef READER
};

#define NR_READERS (sizeof(readers) / sizeof(readers[0]))

/* Fill @head as far as the input goes; a pipe gives it in pieces. */
static ssize_t read_head(int fd, unsigned char *head, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t n = read(fd, head + got, size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static int describe(struct input *in, unsigned char *head, size_t size,
		    struct error *err)
{
	struct stat st;
	ssize_t got;

	if (fstat(in->fd, &st))
		return error_errno(err, EXIT_USAGE, "%s", in->name);
	in->is_directory = S_ISDIR(st.st_mode);
	in->is_regular = S_ISREG(st.st_mode);
	in->size = in->is_regular ? (uint64_t)st.st_size : 0;
	in->head = head;
	if (in->is_directory)
		return 0;
	got = read_head(in->fd, head, size);
	if (got < 0)
		return error_errno(err, EXIT_USAGE, "%s: cannot read",
				   in->name);
	if (got == 0)
		return error_set(err, EXIT_USAGE,
				 "%s: empty, nothing was recorded", in->name);
	in->peeked = (size_t)got;
	if (in->is_regular && lseek(in->fd, 0, SEEK_SET) < 0)
		return error_errno(err, EXIT_USAGE, "%s: cannot seek",
				   in->name);
	return 0;
}

static int read_any(const struct input *in, struct profile *p,
		    struct error *err)
{
	size_t i;

	for (i = 0; i < NR_READERS; i++) {
		if (!readers[i]->matches(in))
			continue;
		p->source = profile_string(p, in->name, strlen(in->name));
		p->format = profile_string(p, readers[i]->name,
					   strlen(readers[i]->name));
		if (readers[i]->read(in, p, err))
			return -1;
		if (profile_failed(p))
			return error_set(err, EXIT_USAGE,
					 "%s: out of memory while reading",
					 in->name);
		return 0;
	}
	return error_set(err, EXIT_USAGE,
			 "%s: neither perf.data nor a text that perf script, "
			 "perf report --stdio or stack collapsing writes",
			 in->name);
}

int input_read(const char *path, struct profile *p, struct error *err)
{
	bool standard_input = !strcmp(path, "-");
	unsigned char head[4096];
	struct input in = {
		.name = standard_input ? "standard input" : path,
	};
	int ret;

	in.fd = standard_input ? STDIN_FILENO :
				 open(path, O_RDONLY | O_CLOEXEC);
	if (in.fd < 0)
		return error_errno(err, EXIT_USAGE, "%s", path);
	ret = describe(&in, head, sizeof(head), err);
	if (!ret)
		ret = read_any(&in, p, err);
	if (!standard_input)
		close(in.fd);
	return ret;
}
