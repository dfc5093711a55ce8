// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/perf-map.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/symbols/open-file.h"

#define SIZE_LIMIT (256u << 20)

/* Returns what follows a hexadecimal number and one blank, or NULL. */
static char *parse_number(char *c, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	char *first;

	if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
		c += 2;
	*value = 0;
	for (first = c; *c; c++) {
		const char *digit = strchr(digits, *c | 0x20);

		if (!digit || c - first == 16)
			break;
		*value = *value << 4 | (uint64_t)(digit - digits);
	}
	return c > first && *c == ' ' ? c + 1 : NULL;
}

static int parse_line(struct symbol_table *t, char *line)
{
	struct symbol s = { .binding = SYMBOL_GLOBAL };
	uint64_t size;
	char *c;

	c = parse_number(line, &s.start);
	if (c)
		c = parse_number(c, &size);
	if (!c || !*c || !size)
		return 0;
	if (__builtin_add_overflow(s.start, size, &s.end))
		s.end = UINT64_MAX;
	s.name = c;
	return symbol_table_add(t, &s);
}

int perf_map_parse(struct symbol_table *t, char *text, size_t size)
{
	char *const behind = text + size;
	char *line = text;

	while (line < behind) {
		char *end = memchr(line, '\n', behind - line);

		if (!end)
			end = behind;
		*end = '\0';
		if (end > line && end[-1] == '\r')
			end[-1] = '\0';
		if (parse_line(t, line))
			return -1;
		line = end + 1;
	}
	return 0;
}

static enum perf_map_result check_owner(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return PERF_MAP_NONE;
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return PERF_MAP_FOREIGN;
	return PERF_MAP_READ;
}

enum perf_map_result perf_map_read(struct symbol_table *t, const char *root,
				   uint32_t pid, char **text)
{
	char *path =
		join_path("%s/tmp/perf-%" PRIu32 ".map", root ? root : "", pid);
	enum perf_map_result result;
	size_t size;
	int fd;

	*text = NULL;
	if (!path)
		return PERF_MAP_NONE;
	fd = open_regular_here(path);
	free(path);
	if (fd < 0)
		return PERF_MAP_NONE;
	result = check_owner(fd);
	if (result == PERF_MAP_READ) {
		*text = read_whole(fd, SIZE_LIMIT, &size);
		if (!*text || perf_map_parse(t, *text, size) || !t->nr)
			result = PERF_MAP_NONE;
	}
	close(fd);
	return result;
}
