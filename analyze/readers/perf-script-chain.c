// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-script-chain.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyze/readers/text-frames.h"

#define SLOTS	  8192 /* a power of two */
#define SLOT_TEXT 184 /* longer lines are parsed each time */

struct slot {
	uint32_t frame;
	uint16_t length; /* 0: empty */
	bool leaf;
	char text[SLOT_TEXT];
};

struct chain_cache {
	struct profile *p;
	struct slot slot[SLOTS];
};

/* What a line says, before it is looked up or added. */
struct chain_line {
	uint64_t address;
	struct text symbol; /* empty: not known */
	struct text dso; /* empty: not known */
	bool is_inline;
};

struct chain_cache *chain_cache_new(struct profile *p)
{
	struct chain_cache *c = calloc(1, sizeof(*c));

	if (c)
		c->p = p;
	return c;
}

void chain_cache_free(struct chain_cache *c)
{
	free(c);
}

/* The "(…)" at the end, parentheses within it included. */
static bool take_group(struct text *t, struct text *group)
{
	const char *at = t->end;
	int depth = 0;

	if (at == t->at || at[-1] != ')')
		return false;
	while (at > t->at) {
		at--;
		if (*at == ')')
			depth++;
		else if (*at == '(' && --depth == 0)
			break;
	}
	if (depth || (at > t->at && !text_is_blank(at[-1])))
		return false;
	*group = (struct text){ at + 1, t->end - 1 };
	t->end = at;
	*t = text_trim(*t);
	return true;
}

/* "schedule+0x23": without the offset */
static void drop_offset(struct text *t)
{
	const char *at = t->end;

	while (at > t->at && ((at[-1] >= '0' && at[-1] <= '9') ||
			      (at[-1] >= 'a' && at[-1] <= 'f')))
		at--;
	if (at < t->end && at - t->at > 3 && !memcmp(at - 3, "+0x", 3))
		t->end = at - 3;
}

static bool parse_line(struct text t, struct chain_line *l)
{
	struct text group;

	memset(l, 0, sizeof(*l));
	text_skip_blanks(&t);
	if (!text_take_hex(&t, &l->address) ||
	    (t.at < t.end && !text_is_blank(*t.at)))
		return false;
	t = text_trim(t);
	if (take_group(&t, &group)) {
		if (text_equals(&group, "inlined")) {
			l->is_inline = true;
		} else {
			l->dso = group;
			/* perf script -F +dsoff: "libc.so.6+0x2724a" */
			drop_offset(&l->dso);
		}
	}
	drop_offset(&t);
	if (!text_equals(&t, "[unknown]"))
		l->symbol = t;
	return true;
}

static uint32_t add_frame(struct profile *p, const struct chain_line *l,
			  bool leaf)
{
	uint32_t dso = text_dso(p, l->dso);
	struct frame frame = {
		.address = l->address,
		.dso = dso,
		.flags = FRAME_LOOKED_UP,
	};
	bool kernel = text_dso_is_kernel(p, dso);
	uint32_t symbol;

	/* An inlined function has no dso; its address tells. */
	if (!dso && l->address >> 63)
		kernel = true;
	symbol = text_string(p, l->symbol);
	if (symbol)
		return text_frame(p, symbol, dso,
				  (kernel ? FRAME_KERNEL : 0) |
					  (l->is_inline ? FRAME_INLINE : 0));
	frame.flags |= (kernel ? FRAME_KERNEL : 0) | (leaf ? FRAME_EXACT : 0);
	return profile_frame(p, &frame);
}

bool chain_frame(struct chain_cache *c, struct text text, bool leaf,
		 uint32_t *frame)
{
	size_t length = text_length(&text);
	struct chain_line line;
	struct slot *s = NULL;

	if (length && length <= SLOT_TEXT) {
		s = &c->slot[XXH3_64bits(text.at, length) & (SLOTS - 1)];
		if (s->length == length && s->leaf == leaf &&
		    !memcmp(s->text, text.at, length)) {
			*frame = s->frame;
			return true;
		}
	}
	if (!parse_line(text, &line))
		return false;
	*frame = add_frame(c->p, &line, leaf);
	if (s) {
		s->frame = *frame;
		s->length = (uint16_t)length;
		s->leaf = leaf;
		memcpy(s->text, text.at, length);
	}
	return true;
}
