/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RWSEMLAB_ANALYZE_SYMBOLS_BUILD_ID_H
#define RWSEMLAB_ANALYZE_SYMBOLS_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_ID_MAX  20
#define BUILD_ID_TEXT (2 * BUILD_ID_MAX + 1)

struct build_id {
	uint8_t byte[BUILD_ID_MAX];
	uint8_t size; /* 0: not known */
};

/**
 * build_id_set() - take the first BUILD_ID_MAX bytes of an id
 *
 * perf records ids of 8 or 16 bytes (xxhash, md5, uuid) padded with zeroes to
 * BUILD_ID_MAX; such words of zeroes at the end are taken off.
 */
void build_id_set(struct build_id *id, const void *bytes, size_t size);

/**
 * build_id_equal() - both are known and the same
 */
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/**
 * build_id_text() - in hexadecimal
 *
 * Return: @text
 */
const char *build_id_text(const struct build_id *id, char text[BUILD_ID_TEXT]);

/**
 * build_id_from_notes() - find the GNU build-id among ELF notes
 * @notes: @size bytes in this machine's byte order, padded to 4 bytes
 *
 * Return: whether there was one.
 */
bool build_id_from_notes(struct build_id *id, const void *notes, size_t size);

/**
 * build_id_running_kernel() - of the kernel that runs this program
 *
 * Return: whether /sys/kernel/notes told it.
 */
bool build_id_running_kernel(struct build_id *id);

#endif
