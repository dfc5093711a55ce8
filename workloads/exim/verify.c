// SPDX-License-Identifier: GPL-2.0-only
/*
 * Was every accepted message delivered exactly once, and whole?
 */
#include "workloads/exim/exim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct verifier {
	const struct exim *exim;
	struct workload_result *result;
	uint64_t **seen; /* by client: a bit for each accepted message, and one
			    more for one that may have been */
	char *body; /* as it should be */
	char *found; /* as it is, unquoted */
	uint64_t delivered;
	uint64_t deferred;
};

static struct workload_slot *slot_of(const struct verifier *v,
				     unsigned long client)
{
	return &v->exim->env->shared->slot[client];
}

static bool is_seen(const struct verifier *v, const struct exim_message *m)
{
	return v->seen[m->client][m->number / 64] >> (m->number % 64) & 1;
}

static void set_seen(struct verifier *v, const struct exim_message *m)
{
	v->seen[m->client][m->number / 64] |= UINT64_C(1) << (m->number % 64);
}

/* The value of a header line within @text; returns NULL without one. */
static const char *find_header(const char *text, size_t size, const char *name)
{
	size_t length = strlen(name);
	const char *end = text + size;

	while (text < end && *text != '\n') {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		if (!newline)
			return NULL;
		if ((size_t)(end - text) > length &&
		    !memcmp(text, name, length))
			return text + length;
		text = newline + 1;
	}
	return NULL;
}

/* Reads "CLIENT NUMBER HASH" up to the line's end. */
static int parse_name(const char *text, const char *end,
		      struct exim_message *message, uint64_t *hash)
{
	const char *newline = memchr(text, '\n', (size_t)(end - text));
	unsigned long long number, value;
	char line[128];

	if (!newline || (size_t)(newline - text) >= sizeof(line))
		return -1;
	memcpy(line, text, (size_t)(newline - text));
	line[newline - text] = '\0';
	if (sscanf(line, "%lu %llu %llx", &message->client, &number, &value) !=
	    3)
		return -1;
	message->number = number;
	*hash = value;
	return 0;
}

/*
 * Checks a body and takes note of its message; @where is for messages.
 * Returns whether it is one that this run accepted, and not seen before.
 */
static bool check(struct verifier *v, const struct exim_message *m,
		  uint64_t hash, const char *body, size_t size,
		  const char *where)
{
	const struct exim_options *o = v->exim->options;
	struct workload_slot *slot;

	if (m->client >= o->clients ||
	    m->number >= slot_of(v, m->client)->count[EXIM_ACCEPTED] +
				 slot_of(v, m->client)->count[EXIM_UNSURE]) {
		workload_result_failure(v->result,
					"%s: message %lu/%llu was never"
					" accepted",
					where, m->client,
					(unsigned long long)m->number);
		return false;
	}
	slot = slot_of(v, m->client);
	exim_body(o, m, v->body);
	if (size != o->size || exim_hash(body, size) != hash ||
	    exim_hash(v->body, o->size) != hash)
		workload_result_failure(
			v->result, "%s: message %lu/%llu has a wrong checksum",
			where, m->client, (unsigned long long)m->number);
	if (is_seen(v, m)) {
		workload_result_failure(v->result,
					"%s: message %lu/%llu is there twice",
					where, m->client,
					(unsigned long long)m->number);
		return false;
	}
	set_seen(v, m);
	return m->number < slot->count[EXIM_ACCEPTED];
}

/* One ">" less where it was quoted; returns the size, or -1: too much. */
static ssize_t unquote(struct verifier *v, const char *text, size_t size)
{
	size_t used = 0;

	while (size) {
		const char *newline = memchr(text, '\n', size);
		size_t length = newline ? (size_t)(newline - text) + 1 : size;
		size_t quotes = 0;

		while (quotes < length && text[quotes] == '>')
			quotes++;
		if (!quotes || length - quotes < 5 ||
		    memcmp(text + quotes, "From ", 5))
			quotes = 0;
		else
			quotes = 1;
		if (used + length > v->exim->options->size + quotes)
			return -1;
		memcpy(v->found + used, text + quotes, length - quotes);
		used += length - quotes;
		text += length;
		size -= length;
	}
	return (ssize_t)used;
}

/* One message of a mailbox: all after its "From " line. */
static void check_delivered(struct verifier *v, const char *text, size_t size,
			    unsigned long user, const char *where)
{
	const char *body = memmem(text, size, "\n\n", 2);
	const char *name = find_header(text, size, EXIM_HEADER);
	struct exim_message message;
	ssize_t length = -1;
	uint64_t hash;

	if (!body || !name || parse_name(name, text + size, &message, &hash)) {
		workload_result_failure(v->result,
					"%s: a message without a name", where);
		return;
	}
	body += 2;
	/* The blank line at its end is the mailbox's. */
	if (body < text + size)
		length = unquote(v, body, (size_t)(text + size - body) - 1);
	if (check(v, &message, hash, v->found, length < 0 ? 0 : (size_t)length,
		  where))
		v->delivered++;
	if (exim_user(v->exim->options, &message) != user)
		workload_result_failure(v->result,
					"%s: message %lu/%llu is for user%lu",
					where, message.client,
					(unsigned long long)message.number,
					exim_user(v->exim->options, &message));
}

/* The next "From " at the start of a line, or the end. */
static const char *next_message(const char *text, const char *end)
{
	const char *found;

	found = memmem(text, (size_t)(end - text), "\nFrom ", 6);
	return found ? found + 1 : end;
}

static void check_mailbox(struct verifier *v, const char *text, size_t size,
			  unsigned long user, const char *where)
{
	const char *end = text + size;
	const char *next, *line;

	if (size < 5 || memcmp(text, "From ", 5)) {
		workload_result_failure(v->result, "%s: is no mailbox", where);
		return;
	}
	for (; text < end; text = next) {
		line = memchr(text, '\n', (size_t)(end - text));
		next = next_message(text, end);
		if (line)
			check_delivered(v, line + 1, (size_t)(next - line) - 1,
					user, where);
		else
			workload_result_failure(v->result, "%s: is cut off",
						where);
	}
}

static int read_mailbox(struct verifier *v, unsigned long user,
			struct error *err)
{
	char path[64];
	struct stat st;
	void *text = MAP_FAILED;
	int fd;

	snprintf(path, sizeof(path), "mail/user%lu", user);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd >= 0 && !fstat(fd, &st) && !st.st_size) {
		close(fd);
		return 0;
	}
	if (fd >= 0)
		text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			    fd, 0);
	if (text == MAP_FAILED)
		return error_errno(err, EXIT_USAGE, "exim: cannot read %s",
				   path);
	close(fd);
	check_mailbox(v, text, (size_t)st.st_size, user, path);
	munmap(text, (size_t)st.st_size);
	return 0;
}

/* A message that is still on the spool. */
static int check_spooled(const char *id, void *arg)
{
	struct verifier *v = arg;
	struct exim_spooled message;
	struct exim_message m;
	const char *name;
	uint64_t hash;
	ssize_t got;

	if (spool_load(&message, id)) {
		workload_result_failure(v->result, "spool: %s: %s", id,
					strerror(errno));
		return 0;
	}
	name = find_header(message.header, message.header_size, EXIM_HEADER);
	got = pread(message.data_fd, v->found, v->exim->options->size,
		    (off_t)message.body_offset);
	close(message.data_fd);
	if (!name || got < 0 ||
	    parse_name(name, message.header + message.header_size, &m, &hash))
		workload_result_failure(v->result,
					"spool: a message without a name");
	else if (check(v, &m, hash, v->found, (size_t)got, "spool"))
		v->deferred++;
	return 0;
}

static void find_missing(struct verifier *v)
{
	struct exim_message m = { 0 };

	for (; m.client < v->exim->options->clients; m.client++) {
		uint64_t accepted = slot_of(v, m.client)->count[EXIM_ACCEPTED];

		v->result->verification.checked += accepted;
		for (m.number = 0; m.number < accepted; m.number++)
			if (!is_seen(v, &m))
				workload_result_failure(
					v->result,
					"message %lu/%llu was accepted but"
					" not delivered",
					m.client, (unsigned long long)m.number);
	}
}

static int prepare(struct verifier *v)
{
	const struct exim_options *o = v->exim->options;
	unsigned long i;

	v->body = malloc(o->size);
	v->found = malloc(o->size + 1);
	v->seen = calloc(o->clients, sizeof(*v->seen));
	if (!v->body || !v->found || !v->seen)
		return -1;
	for (i = 0; i < o->clients; i++) {
		v->seen[i] =
			calloc(slot_of(v, i)->count[EXIM_ACCEPTED] / 64 + 1,
			       sizeof(**v->seen));
		if (!v->seen[i])
			return -1;
	}
	return 0;
}

static void release(struct verifier *v)
{
	unsigned long i;

	for (i = 0; v->seen && i < v->exim->options->clients; i++)
		free(v->seen[i]);
	free(v->seen);
	free(v->found);
	free(v->body);
}

int exim_verify(const struct exim *exim, struct workload_result *result,
		uint64_t *deferred, struct error *err)
{
	struct verifier v = { .exim = exim, .result = result };
	unsigned long user;
	int ret = 0;

	if (prepare(&v)) {
		release(&v);
		return error_set(err, EXIT_USAGE, "exim: out of memory");
	}
	for (user = 0; user < exim->options->users && !ret; user++)
		ret = read_mailbox(&v, user, err);
	if (!ret && spool_each(check_spooled, &v))
		ret = error_errno(err, EXIT_USAGE,
				  "exim: cannot read the spool");
	if (!ret)
		find_missing(&v);
	*deferred = v.deferred;
	release(&v);
	return ret;
}
