// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz target: a file of site rules.  What was read must print as rules that
 * read the same again, and be usable.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyze/site-rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	char *bytes;
	size_t size;
};

static void require(int condition)
{
	if (!condition)
		abort();
}

static void add_line(const char *line, void *context)
{
	struct text *t = context;
	size_t length = strlen(line);

	t->bytes = realloc(t->bytes, t->size + length + 1);
	require(t->bytes != NULL);
	memcpy(t->bytes + t->size, line, length);
	t->bytes[t->size + length] = '\n';
	t->size += length + 1;
}

static struct site_rules *read_rules(const void *data, size_t size,
				     struct error *err)
{
	int fd = memfd_create("rules", 0);
	struct site_rules *rules;
	char path[64];

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rules = site_rules_new(path, err);
	close(fd);
	return rules;
}

/* A wrong file is refused in one line that names the one at fault. */
static void check_refused(const struct error *err)
{
	require(err->code == EXIT_USAGE && err->text[0]);
	require(!strchr(err->text, '\n'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { 0 };
	struct site_rules *rules = read_rules(data, size, &err);
	struct rule_matches matches;
	struct text text = { 0 };

	if (!rules) {
		check_refused(&err);
		return 0;
	}
	site_rules_match(rules, "rwsem_down_write_slowpath", &matches);
	require(matches.rule[RULE_LOCK] != NULL);
	require(site_rules_family(rules, "unlink_anon_vmas", "rwsem",
				  "down_write") != NULL);
	site_rules_each(rules, add_line, &text);
	site_rules_free(rules);
	rules = read_rules(text.bytes, text.size, &err);
	require(rules != NULL);
	site_rules_free(rules);
	free(text.bytes);
	return 0;
}
