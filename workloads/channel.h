/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON documents through a pipe, one a line: how root, keeper and tool talk.
 *
 * Each document is an object with the key "event": "ready" (root waits at the
 * gate), "measured" (the measured time is over), "end" (with "result" or
 * "error").
 */
#ifndef WORKLOADS_CHANNEL_H
#define WORKLOADS_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "error.h"

/* The reading end; set fd, zero the rest. */
struct channel {
	int fd;
	bool ended; /* end of file */
	char *text; /* read, not yet taken */
	size_t used, size;
};

/**
 * channel_send() - write one document
 * @event: consumed, also on failure; NULL fails
 *
 * Blocks until all is written.
 *
 * Return: 0, or -1 with errno set.
 */
int channel_send(int fd, json_t *event);

/**
 * channel_fill() - read what is there, once
 *
 * Return: 0, also at the end of file; -1 with errno set.  A document larger
 * than 64 MiB fails with EMSGSIZE.
 */
int channel_fill(struct channel *channel);

/**
 * channel_next() - take one document out of what was read
 * @event: the document, an object, owned by the caller; NULL: none yet
 *
 * Return: 0, or -1 where the line is no JSON object: untrusted input.
 */
int channel_next(struct channel *channel, json_t **event);

/**
 * channel_is() - is it this event?
 */
bool channel_is(const json_t *event, const char *name);

/**
 * channel_error() - an "end" event that carries an error
 *
 * Return: a new object, or NULL without memory.
 */
json_t *channel_error(const struct error *err);

/**
 * channel_take_error() - the error of an "end" event into @err
 *
 * Return: true when it had one, also a malformed one.
 */
bool channel_take_error(const json_t *event, struct error *err);

/**
 * channel_text() - a JSON string from any bytes; what is not ASCII becomes '?'
 *
 * Return: a new string, or NULL without memory.
 */
json_t *channel_text(const char *text);

/**
 * channel_close() - close and free; the fd may be -1
 */
void channel_close(struct channel *channel);

#endif
