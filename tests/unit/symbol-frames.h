/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of symbols share: a folder of their own, profiles with
 * frames, and the file most of them use.
 */
#ifndef RWSEMLAB_TESTS_SYMBOL_FRAMES_H
#define RWSEMLAB_TESTS_SYMBOL_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/symbols.h"
#include "tests/tap.h"
#include "tests/unit/make-elf.h"

/* Build-ids of 20 bytes, and the first one's path in .build-id folders. */
#define ID	 "0123456789abcdefghij"
#define ID_TEXT	 "303132333435363738396162636465666768696a"
#define ID_PATH	 "30/3132333435363738396162636465666768696a"
#define OTHER_ID "another-build-id-..."

/* What new_profile() sets and resolve() uses. */
extern struct symbol_options options;

void folder_make(void); /* in /tmp, or bail out */
void folder_remove(void);
const char *folder_path(void);

/**
 * in_folder() - a path below the test's folder
 *
 * Return: a string that is valid until the fourth call after.
 */
const char *in_folder(const char *name);

void make_folder(const char *name); /* below the test's, with its parents */
void write_file(const char *path, const void *bytes, size_t size);
void write_elf(const char *path, const struct made_elf *e);

/**
 * plain_elf() - functions "first", "second" and more at 0x401000, which is
 * offset 0x200 in the file
 */
struct made_elf plain_elf(void);

struct profile *new_profile(void); /* of this computer */
uint32_t new_string(struct profile *p, const char *text);
uint32_t new_dso(struct profile *p, enum dso_kind kind, const char *path,
		 const char *id);
uint32_t new_frame(struct profile *p, uint32_t dso, uint64_t address,
		   uint32_t flags);

void resolve(struct profile *p); /* a check: without an error */
bool warned(const struct profile *p, const char *about);

/**
 * shown() - "name+0x10" of a frame with a symbol, else what reports print
 *
 * Return: a string that is valid until the next call.
 */
const char *shown(struct profile *p, uint32_t frame);

/**
 * check_user() - the name of one address of a user file
 * @warning: a part of the warning that must come, NULL: none at all
 */
void check_user(const char *path, const char *id, uint64_t offset,
		const char *want, const char *warning, const char *what);

#endif
