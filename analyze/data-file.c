// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/data-file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *open_in(const char *folder, const char *name)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s", folder, name);

	if (length < 0 || (size_t)length >= sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* The folder that the program is in; "" if that can't be told. */
static void program_folder(char *folder, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", folder, size - 1);
	char *slash;

	folder[length > 0 ? length : 0] = '\0';
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
}

FILE *data_file_open(const char *name, const char *built)
{
	const char *set = getenv("RWSEMLAB_DATADIR");
	char folder[PATH_MAX];
	FILE *file = NULL;

	if (set && *set)
		return open_in(set, name);
	program_folder(folder, sizeof(folder) - sizeof("/../share/rwsemlab"));
	if (folder[0]) {
		file = open_in(folder, built);
		if (!file) {
			strncat(folder, "/../share/rwsemlab",
				sizeof(folder) - strlen(folder) - 1);
			file = open_in(folder, name);
		}
	}
	return file ? file : open_in(PKGDATADIR, name);
}
