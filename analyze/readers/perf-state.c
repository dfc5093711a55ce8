// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/perf-state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>

#define MAX_DEPTH 64
#define MAX_BITS                                \
	(sizeof(((struct pd_states *)0)->bit) / \
	 sizeof(*((struct pd_states *)0)->bit))

static bool is_state(const struct tep_print_arg *arg)
{
	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	return arg && arg->type == TEP_PRINT_FIELD &&
	       !strcmp(arg->field.name, "prev_state");
}

/* The value of an expression of constants, such as (((1 | 2) + 1) << 1) - 1 */
static bool constant(const struct tep_print_arg *arg, int depth, uint64_t *v)
{
	uint64_t left, right;
	char *end;

	if (!arg || depth > MAX_DEPTH)
		return false;
	if (arg->type == TEP_PRINT_TYPE)
		return constant(arg->typecast.item, depth + 1, v);
	if (arg->type == TEP_PRINT_ATOM) {
		*v = strtoull(arg->atom.atom, &end, 0);
		return end != arg->atom.atom;
	}
	if (arg->type != TEP_PRINT_OP ||
	    !constant(arg->op.left, depth + 1, &left) ||
	    !constant(arg->op.right, depth + 1, &right))
		return false;
	if (!strcmp(arg->op.op, "|"))
		*v = left | right;
	else if (!strcmp(arg->op.op, "+"))
		*v = left + right;
	else if (!strcmp(arg->op.op, "-"))
		*v = left - right;
	else if (!strcmp(arg->op.op, "<<"))
		*v = right < 64 ? left << right : 0;
	else
		return false;
	return true;
}

/* "prev_state & MASK" */
static bool masked_state(const struct tep_print_arg *arg, uint64_t *mask)
{
	if (is_state(arg)) {
		*mask = UINT64_MAX;
		return true;
	}
	return arg && arg->type == TEP_PRINT_OP && !strcmp(arg->op.op, "&") &&
	       is_state(arg->op.left) && constant(arg->op.right, 0, mask);
}

static void read_letters(struct pd_states *s, const struct tep_print_arg *arg)
{
	const struct tep_print_flag_sym *f;

	if (!masked_state(arg->flags.field, &s->mask))
		return;
	s->nr = 0;
	for (f = arg->flags.flags; f && s->nr < MAX_BITS; f = f->next) {
		uint64_t value = f->value ? strtoull(f->value, NULL, 0) : 0;

		if (!value || !f->str)
			continue;
		s->bit[s->nr].value = value;
		s->bit[s->nr++].letter = f->str[0];
	}
}

static void read_argument(struct pd_states *s, const struct tep_print_arg *arg,
			  int depth)
{
	const struct tep_print_arg *choice;
	uint64_t mask;

	if (!arg || depth > MAX_DEPTH)
		return;
	if (arg->type == TEP_PRINT_FLAGS)
		read_letters(s, arg);
	if (arg->type != TEP_PRINT_OP)
		return;
	choice = arg->op.right;
	if (!strcmp(arg->op.op, "?") && choice &&
	    choice->type == TEP_PRINT_OP && choice->op.left &&
	    choice->op.left->type == TEP_PRINT_ATOM &&
	    strchr(choice->op.left->atom.atom, '+') &&
	    masked_state(arg->op.left, &mask))
		s->plus = mask;
	read_argument(s, arg->op.left, depth + 1);
	read_argument(s, arg->op.right, depth + 1);
}

static bool has_letter(const struct pd_states *s, uint64_t value,
		       const char *letters)
{
	uint32_t i;

	for (i = 0; i < s->nr; i++)
		if ((value & s->bit[i].value) == s->bit[i].value &&
		    strchr(letters, s->bit[i].letter))
			return true;
	return false;
}

/*
 * Linux 4.14, until commit 3f5fe9fef5b2 fixed it, recorded the number of the
 * state's letter in place of its bit.  No task is in two of S, D and T at
 * once, so these are such numbers.
 */
static bool is_number(uint64_t value, enum task_state *state)
{
	switch (value) {
	case 3:
		*state = STATE_STOPPED;
		return true;
	case 5:
	case 6:
		*state = STATE_DEAD;
		return true;
	case 7:
		*state = STATE_PARKED;
		return true;
	default:
		return false;
	}
}

enum task_state pd_states_decode(const struct pd_states *s, uint64_t value)
{
	enum task_state state;

	if (value & s->plus)
		return STATE_RUNNING;
	value &= s->mask;
	if (!value)
		return STATE_RUNNING;
	if (is_number(value, &state))
		return state;
	if (has_letter(s, value, "XxZ"))
		return STATE_DEAD;
	/* TASK_IDLE: D and N (no load) together before it had a letter */
	if (has_letter(s, value, "I") ||
	    (has_letter(s, value, "D") && has_letter(s, value, "N")))
		return STATE_IDLE;
	if (has_letter(s, value, "P"))
		return STATE_PARKED;
	if (has_letter(s, value, "t"))
		return STATE_TRACED;
	if (has_letter(s, value, "T"))
		return STATE_STOPPED;
	if (has_letter(s, value, "D"))
		return STATE_UNINTERRUPTIBLE;
	if (has_letter(s, value, "S"))
		return STATE_INTERRUPTIBLE;
	if (has_letter(s, value, "K"))
		return STATE_UNINTERRUPTIBLE;
	return STATE_OTHER;
}

/* Without a print fmt: the bits of TASK_STATE_TO_CHAR_STR by version. */
static void assume(struct pd_states *s, const char *release)
{
	unsigned int major = 0, minor = 0, version, i;
	const char *letters;

	if (sscanf(release, "%u.%u", &major, &minor) < 1)
		major = 6;
	version = major * 1000 + minor;
	letters = version >= 4014 ? "SDTtXZPI" : "SDTtZXxKWPN";
	for (i = 0; letters[i]; i++) {
		s->bit[i].value = 1ull << i;
		s->bit[i].letter = letters[i];
	}
	s->nr = i;
	if (version >= 4014)
		s->plus = 256;
	else if (version >= 4008)
		s->plus = 4096;
	else
		s->plus = version >= 4002 ? 2048 : 1024;
	s->mask = s->plus - 1;
}

bool pd_states_read(struct pd_states *s, const struct tep_event *event,
		    const char *release)
{
	const struct tep_print_arg *arg;
	uint64_t value;
	bool said;

	*s = (struct pd_states){ 0 };
	for (arg = event->print_fmt.args; arg; arg = arg->next)
		read_argument(s, arg, 0);
	said = s->nr > 0;
	if (!said)
		assume(s, release);
	for (value = 0; value < PD_STATE_TABLE; value++)
		s->table[value] = (uint8_t)pd_states_decode(s, value);
	return said;
}
