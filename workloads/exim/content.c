// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/exim/exim.h"

#include <string.h>

#include <xxhash.h>

#define LINE 64

/* SplitMix64, by Sebastiano Vigna; public domain. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* What a line starts with, for the sake of quoting. */
static void start_line(char *line, size_t size, uint64_t random)
{
	static const char *const start[] = { ".", "..", "From ", ">From " };
	const char *text;

	if (random & 7)
		return;
	text = start[(random >> 3) & 3];
	if (strlen(text) <= size)
		memcpy(line, text, strlen(text));
}

void exim_body(const struct exim_options *options,
	       const struct exim_message *message, char *body)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789 .";
	uint64_t from[] = { options->seed, message->client, message->number };
	uint64_t state = XXH64(from, sizeof(from), 0);
	size_t size = options->size;

	while (size) {
		size_t length = size < LINE ? size : LINE;
		uint64_t random = 0;
		size_t i;

		for (i = 0; i < length - 1; i++) {
			if (i % 10 == 0)
				random = next(&state);
			body[i] = letters[random & 63];
			random >>= 6;
		}
		start_line(body, length - 1, next(&state));
		body[length - 1] = '\n';
		body += length;
		size -= length;
	}
}

unsigned long exim_user(const struct exim_options *options,
			const struct exim_message *message)
{
	return message->client % options->users;
}

uint64_t exim_hash(const char *body, size_t size)
{
	return XXH64(body, size, 0);
}
