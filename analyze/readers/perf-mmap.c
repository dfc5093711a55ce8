// SPDX-License-Identifier: GPL-2.0-only
/*
 * MMAP, MMAP2 and KSYMBOL records → items, and what they say of the kernel.
 */
#include <string.h>

#include "analyze/readers/perf-private.h"

/*
 * The kernel image itself needs no mapping: whatever kernel address lies in
 * no module is taken to be there.  Its record only tells where it was moved.
 */
static int kernel_image(struct pd_reader *d, const char *name, size_t length,
			const struct pd_item *item)
{
	struct profile_kernel *k = &d->p->kernel;

	if (k->map_name)
		return 0;
	k->map_name = profile_string(d->p, name, length);
	k->map_start = item->map.start;
	k->map_length = item->map.length;
	k->reloc_address = item->map.offset;
	return 0;
}

bool pd_is_kernel_image(const char *name, size_t length)
{
	static const char *const names[] = { "[kernel.kallsyms]",
					     "[kernel.vmlinux]", "[kernel]" };
	size_t i, size;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size = strlen(names[i]);
		if (length >= size && !memcmp(name, names[i], size))
			return true;
	}
	return false;
}

static int kernel_map(struct pd_reader *d, const char *name, size_t length,
		      const unsigned char *build_id, uint8_t size,
		      struct pd_item *item)
{
	struct profile_kernel *k = &d->p->kernel;

	if (pd_is_kernel_image(name, length)) {
		if (size && !k->build_id_size) {
			memcpy(k->build_id, build_id, size);
			k->build_id_size = size;
		}
		return kernel_image(d, name, length, item);
	}
	/* Under kptr_restrict modules have no addresses. */
	if (!item->map.length || !item->map.start)
		return 0;
	item->kind = PD_ITEM_KERNEL_MAP;
	item->map.image =
		pd_image(d, PD_IMAGE_MODULE, name, length, build_id, size);
	return 1;
}

int pd_mmap_decode(struct pd_reader *d, const struct pd_record *r,
		   struct pd_item *item)
{
	size_t header = r->type == PD_MMAP2 ? 72 : 40, length;
	unsigned int mode = r->misc & PD_MISC_MODE;
	const unsigned char *build_id = NULL;
	const char *name;
	uint8_t size = 0;

	if (r->size < header) {
		pd_malformed(d, r, "a mapping's record is too short");
		return 0;
	}
	if (mode == PD_MODE_GUEST_KERNEL || mode == PD_MODE_GUEST_USER)
		return 0;
	name = (const char *)r->data + header;
	length = strnlen(name, r->size - header);
	item->kind = PD_ITEM_MAP;
	item->pid = pd_s32(r->data + 8, d->swap);
	item->map.start = pd_u64(r->data + 16, d->swap);
	item->map.length = pd_u64(r->data + 24, d->swap);
	item->map.offset = pd_u64(r->data + 32, d->swap);
	if (r->type == PD_MMAP2 && (r->misc & PD_MISC_MMAP_BUILD_ID)) {
		size = r->data[40] <= 20 ? r->data[40] : 20;
		build_id = r->data + 44;
	}
	if (mode == PD_MODE_KERNEL)
		return kernel_map(d, name, length, build_id, size, item);
	if (!item->map.length)
		return 0;
	item->map.image =
		pd_image(d, PD_IMAGE_USER, name, length, build_id, size);
	return 1;
}

/* Generated code: BPF programs, trampolines.  They come and go. */
int pd_ksymbol_decode(struct pd_reader *d, const struct pd_record *r,
		      struct pd_item *item)
{
	const char *name;

	if (r->size < 24) {
		pd_malformed(d, r, "a kernel symbol's record is too short");
		return 0;
	}
	item->map.start = pd_u64(r->data + 8, d->swap);
	item->map.length = pd_u32(r->data + 16, d->swap);
	if (pd_u16(r->data + 22, d->swap) & PD_KSYMBOL_UNREGISTER) {
		item->kind = PD_ITEM_KERNEL_UNMAP;
		return 1;
	}
	name = (const char *)r->data + 24;
	item->kind = PD_ITEM_KERNEL_MAP;
	item->map.image = pd_image(d, PD_IMAGE_SYMBOL, name,
				   strnlen(name, r->size - 24u), NULL, 0);
	return 1;
}
