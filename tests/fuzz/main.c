// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plain main for fuzz targets: each file, and each file of a folder, is one
 * input and one check.  A crash ends the test without its last line, so it
 * counts as failed.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/tap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run_file(const char *path)
{
	uint8_t *data = NULL, *grown;
	size_t size = 0, room = 0, got = 1;
	FILE *f = fopen(path, "rb");

	if (!f)
		tap_bail("cannot open %s", path);
	while (got) {
		if (size == room) {
			room = room ? 2 * room : 65536;
			grown = realloc(data, room);
			if (!grown)
				tap_bail("out of memory");
			data = grown;
		}
		got = fread(data + size, 1, room - size, f);
		size += got;
	}
	fclose(f);
	/* Exactly as large, so that a byte beyond is seen. */
	grown = realloc(data, size ? size : 1);
	if (!grown)
		tap_bail("out of memory");
	/* What hangs or crashes is the last one named in the log. */
	tap_diag("%s", path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(grown, size);
	free(grown);
	tap_ok(true, "%s", strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
}

static void run_folder(const char *path)
{
	struct dirent **entry;
	char name[4096];
	int i, nr = scandir(path, &entry, NULL, alphasort);

	if (nr < 0)
		tap_bail("cannot read %s", path);
	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%s/%s", path, entry[i]->d_name);
		if (entry[i]->d_name[0] != '.')
			run_file(name);
		free(entry[i]);
	}
	free(entry);
}

int main(int argc, char **argv)
{
	struct stat st;
	int i;

	for (i = 1; i < argc; i++) {
		if (stat(argv[i], &st))
			tap_bail("no %s", argv[i]);
		if (S_ISDIR(st.st_mode))
			run_folder(argv[i]);
		else
			run_file(argv[i]);
	}
	return tap_done();
}
