/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is mapped, numbered: files, and generated kernel code by its name.
 */
#ifndef RWSEMLAB_ANALYZE_READERS_PERF_IMAGES_H
#define RWSEMLAB_ANALYZE_READERS_PERF_IMAGES_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/maps.h"
#include "analyze/profile.h"

struct pd_reader;
struct pd_images;

enum pd_image_kind {
	PD_IMAGE_USER,
	PD_IMAGE_MODULE,
	PD_IMAGE_SYMBOL, /* kernel code that was generated: its name */
};

struct pd_images *pd_images_new(void); /* NULL: out of memory */
void pd_images_free(struct pd_images *t);

/**
 * pd_image() - the number of a file or a symbol
 * @length:   of @path at most; a zero byte ends it early
 * @build_id: as the mapping's record has it, up to 20 bytes
 * @size:     0: it has none, the file's table may know one
 *
 * Return: its number, 0 when memory ran out (then profile_failed() is true).
 */
uint32_t pd_image(struct pd_reader *d, enum pd_image_kind kind,
		  const char *path, size_t length,
		  const unsigned char *build_id, uint8_t size);

/**
 * pd_image_frame() - fill a frame's dso, address and maybe symbol
 * @m:     the mapping that @address is in
 * @frame: its address is set already
 */
void pd_image_frame(struct pd_reader *d, const struct mapping *m,
		    uint64_t address, struct frame *frame);
uint32_t pd_kernel_dso(struct pd_reader *d);

#endif
