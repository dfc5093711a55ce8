// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static void forget(struct output *out)
{
	free(out->path);
	free(out->temporary);
	memset(out, 0, sizeof(*out));
}

/* A link stays one: what it leads to is replaced. */
static int choose_names(struct output *out, const char *path)
{
	out->path = realpath(path, NULL);
	if (!out->path)
		out->path = strdup(path);
	if (!out->path || asprintf(&out->temporary, "%s.%ld.part", out->path,
				   (long)getpid()) < 0) {
		out->temporary = NULL;
		return -1;
	}
	return 0;
}

static int open_beside(struct output *out, const struct stat *old,
		       struct error *err)
{
	int fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		      0666);

	if (fd < 0)
		return error_errno(err, EXIT_USAGE, "cannot write %s",
				   out->temporary);
	if (old && fchmod(fd, old->st_mode & 0777) && errno != EPERM)
		error_errno(err, EXIT_USAGE, "cannot set the mode of %s",
			    out->temporary);
	else
		out->file = fdopen(fd, "w");
	if (out->file)
		return 0;
	error_errno(err, EXIT_USAGE, "cannot write %s", out->temporary);
	unlink(out->temporary);
	close(fd);
	return -1;
}

int output_open(struct output *out, const char *path, struct error *err)
{
	struct stat st;
	bool exists;
	int ret;

	memset(out, 0, sizeof(*out));
	out->name = path ? path : "standard output";
	if (!path) {
		out->file = stdout;
		return 0;
	}
	exists = stat(path, &st) == 0;
	if (exists && !S_ISREG(st.st_mode)) {
		out->file = fopen(path, "we");
		if (!out->file)
			return error_errno(err, EXIT_USAGE, "cannot write %s",
					   path);
		return 0;
	}
	if (choose_names(out, path))
		ret = error_set(err, EXIT_USAGE, "out of memory");
	else
		ret = open_beside(out, exists ? &st : NULL, err);
	if (ret)
		forget(out);
	return ret;
}

int output_close(struct output *out, bool keep, struct error *err)
{
	int ret = 0;

	if (out->file == stdout)
		return 0;
	errno = 0;
	if (keep && (error_flush(out->file) ||
		     (out->temporary && fsync(fileno(out->file)))))
		ret = error_errno(err, EXIT_USAGE, "cannot write %s",
				  out->name);
	errno = 0;
	if (fclose(out->file) && keep && !ret)
		ret = error_errno(err, EXIT_USAGE, "cannot write %s",
				  out->name);
	if (out->temporary && keep && !ret && rename(out->temporary, out->path))
		ret = error_errno(err, EXIT_USAGE, "cannot write %s",
				  out->name);
	if (out->temporary && (!keep || ret))
		unlink(out->temporary);
	forget(out);
	return ret;
}

/* NO_COLOR is the user's word. */
void output_terminal(const struct output *out, unsigned int *width,
		     bool *colour)
{
	const char *no_colour = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	struct winsize size;

	if (!isatty(fileno(out->file)))
		return;
	if (!ioctl(fileno(out->file), TIOCGWINSZ, &size) && size.ws_col)
		*width = size.ws_col;
	*colour = !(no_colour && *no_colour) && term &&
		  strcmp(term, "dumb") != 0;
}
