// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/channel.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_DOCUMENT (64u << 20)

static int write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t wrote = write(fd, text, size);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return -1;
		text += wrote;
		size -= (size_t)wrote;
	}
	return 0;
}

int channel_send(int fd, json_t *event)
{
	char *text = event ? json_dumps(event, JSON_COMPACT) : NULL;
	size_t length;
	int ret;

	json_decref(event);
	if (!text) {
		errno = ENOMEM;
		return -1;
	}
	/* The NUL makes room for the newline. */
	length = strlen(text);
	text[length] = '\n';
	ret = write_all(fd, text, length + 1);
	free(text);
	return ret;
}

int channel_fill(struct channel *channel)
{
	ssize_t got;

	if (channel->size - channel->used < 4096) {
		size_t size = channel->size ? channel->size * 2 : 16384;
		char *grown;

		errno = EMSGSIZE;
		if (size > 2 * MAX_DOCUMENT)
			return -1;
		grown = realloc(channel->text, size);
		if (!grown)
			return -1;
		channel->text = grown;
		channel->size = size;
	}
	do
		got = read(channel->fd, channel->text + channel->used,
			   channel->size - channel->used);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN ? 0 : -1;
	channel->used += (size_t)got;
	channel->ended = !got;
	return 0;
}

int channel_next(struct channel *channel, json_t **event)
{
	char *newline = NULL;
	size_t length;

	*event = NULL;
	if (channel->used)
		newline = memchr(channel->text, '\n', channel->used);
	if (!newline)
		return 0;
	length = (size_t)(newline - channel->text);
	*event = json_loadb(channel->text, length, 0, NULL);
	channel->used -= length + 1;
	memmove(channel->text, newline + 1, channel->used);
	if (json_is_object(*event))
		return 0;
	json_decref(*event);
	*event = NULL;
	return -1;
}

bool channel_is(const json_t *event, const char *name)
{
	const char *is = json_string_value(json_object_get(event, "event"));

	return is && !strcmp(is, name);
}

json_t *channel_text(const char *text)
{
	char *copy = strdup(text);
	json_t *string;
	char *c;

	if (!copy)
		return NULL;
	for (c = copy; *c; c++)
		if (!isascii((unsigned char)*c))
			*c = '?';
	string = json_string(copy);
	free(copy);
	return string;
}

json_t *channel_error(const struct error *err)
{
	return json_pack("{s:s, s:{s:i, s:o}}", "event", "end", "error", "code",
			 (int)err->code, "text", channel_text(err->text));
}

bool channel_take_error(const json_t *event, struct error *err)
{
	json_t *error = json_object_get(event, "error");
	const char *text;
	int code;

	if (!error)
		return false;
	if (json_unpack(error, "{s:i, s:s}", "code", &code, "text", &text) ||
	    code <= EXIT_OK || code > EXIT_UNTRUSTED)
		error_set(err, EXIT_CHECK_FAILED,
			  "the workload failed without saying why");
	else
		error_set(err, (enum exit_code)code, "%s", text);
	return true;
}

void channel_close(struct channel *channel)
{
	if (channel->fd >= 0)
		close(channel->fd);
	free(channel->text);
	*channel = (struct channel){ .fd = -1 };
}
