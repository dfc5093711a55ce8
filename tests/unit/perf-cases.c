// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/perf-cases.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

/* Of Linux 6.1, include/trace/events/sched.h, as the kernel prints it. */
static const char print_6_1[] =
	"\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> "
	"next_comm=%s next_pid=%d next_prio=%d\", REC->prev_comm, "
	"REC->prev_pid, REC->prev_prio, (REC->prev_state & ((((0x00000000 | "
	"0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | "
	"0x00000020 | 0x00000040) + 1) << 1) - 1)) ? "
	"__print_flags(REC->prev_state & ((((0x00000000 | 0x00000001 | "
	"0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | "
	"0x00000040) + 1) << 1) - 1), \"|\", { 0x00000001, \"S\" }, { "
	"0x00000002, \"D\" }, { 0x00000004, \"T\" }, { 0x00000008, \"t\" }, { "
	"0x00000010, \"X\" }, { 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { "
	"0x00000080, \"I\" }) : \"R\", REC->prev_state & (((0x00000000 | "
	"0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | "
	"0x00000020 | 0x00000040) + 1) << 1) ? \"+\" : \"\", REC->next_comm, "
	"REC->next_pid, REC->next_prio";

char *pc_format(const struct pw *w, const char *print)
{
	unsigned int size = w->o.is_32bit ? 4 : 8;
	char *text;

	if (asprintf(&text,
		     "name: sched_switch\nID: %d\nformat:\n"
		     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
		     "\tsigned:0;\n"
		     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;"
		     "\tsigned:0;\n"
		     "\tfield:unsigned char common_preempt_count;\toffset:3;"
		     "\tsize:1;\tsigned:0;\n"
		     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
		     "\n"
		     "\tfield:char prev_comm[16];\toffset:8;\tsize:16;"
		     "\tsigned:1;\n"
		     "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		     "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
		     "\tfield:long prev_state;\toffset:32;\tsize:%u;"
		     "\tsigned:1;\n"
		     "\tfield:char next_comm[16];\toffset:%u;\tsize:16;"
		     "\tsigned:1;\n"
		     "\tfield:pid_t next_pid;\toffset:%u;\tsize:4;\tsigned:1;\n"
		     "\tfield:int next_prio;\toffset:%u;\tsize:4;\tsigned:1;\n"
		     "\nprint fmt: %s\n",
		     PC_SWITCH_ID, size, 32 + size, 48 + size, 52 + size,
		     print ? print : print_6_1) < 0)
		tap_bail("out of memory");
	return text;
}

unsigned int pc_add_switch(struct pw *w, uint64_t sample_type, uint64_t flags,
			   uint64_t id)
{
	const struct pw_attr a = {
		.type = PC_TRACEPOINT,
		.config = PC_SWITCH_ID,
		.sample_type = sample_type,
		.flags = flags,
		.id = { id, id + 1 },
		.nr_ids = id ? 2 : 0,
		.name = "sched:sched_switch",
	};
	char *format;

	if (!w->nr_formats) {
		format = pc_format(w, NULL);
		pw_add_format(w, "sched", format);
		free(format);
	}
	return pw_add_attr(w, &a);
}

const char pc_begin_fields[] =
	"\tfield:void * lock_addr;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned int flags;\toffset:16;\tsize:4;\tsigned:0;\n";
const char pc_end_fields[] =
	"\tfield:void * lock_addr;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int ret;\toffset:16;\tsize:4;\tsigned:1;\n";
const char pc_wake_fields[] =
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n";

unsigned int pc_add_tracepoint(struct pw *w, const char *system,
			       const char *name, unsigned int number,
			       const char *fields, uint64_t id)
{
	char format[1024];

	snprintf(format, sizeof(format),
		 "name: %s\nID: %u\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;"
		 "\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		 "%s\nprint fmt: \"%%d\", REC->common_pid\n",
		 name, number, fields);
	pw_add_format(w, system, format);
	return pw_add_attr(w, &(struct pw_attr){
				      .type = PC_TRACEPOINT,
				      .config = number,
				      .sample_type = PC_USUAL | PC_IDENTIFIER,
				      .flags = PC_ID_ALL,
				      .id = { id },
				      .nr_ids = 1,
				      .name = name,
			      });
}

static void put_comm(struct pw_bytes *b, const char *comm)
{
	pw_text(b, comm ? comm : "task", 16);
}

void pc_put_switch(struct pw *w, const struct pc_switch *s,
		   const uint64_t *chain, uint64_t nr)
{
	int32_t pid = s->pid ? s->pid : s->prev;
	struct pw_bytes raw = { 0 };
	struct pw_sample sample = {
		.at = { s->attr, s->id, pid, pid, s->time, s->cpu },
		.chain = chain,
		.nr = nr,
	};

	pw_u16(w, &raw, PC_SWITCH_ID);
	pw_u16(w, &raw, 0);
	pw_u32(w, &raw, (uint32_t)s->prev);
	put_comm(&raw, s->prev_comm);
	pw_u32(w, &raw, (uint32_t)s->prev);
	pw_u32(w, &raw, 120);
	if (w->o.is_32bit)
		pw_u32(w, &raw, (uint32_t)s->state);
	else
		pw_u64(w, &raw, s->state);
	put_comm(&raw, s->next_comm);
	pw_u32(w, &raw, (uint32_t)s->next);
	pw_u32(w, &raw, 120);
	sample.raw = raw.data;
	sample.raw_size = (uint32_t)raw.size;
	if (s->rest) {
		sample.rest = s->rest->data;
		sample.rest_size = (uint32_t)s->rest->size;
	}
	pw_sample(w, &sample);
	free(raw.data);
}

void pc_put_events(struct pw *w, uint64_t id, bool rounds)
{
	uint64_t kernel = w->o.is_32bit ? 0xc0000000u : 0xffffffff81000000u;
	const uint64_t a[] = { PC_KERNEL, kernel + 0x1000, kernel + 0x2000,
			       PC_USER, 0x401000 };
	const uint64_t b[] = { PC_KERNEL, kernel + 0x3000 };
	const struct pc_switch s[] = {
		{ 1000, 0, 100, 0, 2, "a", "swapper/0", 0, 0, id },
		{ 4000, 0, 0, 100, 0, "swapper/0", "a", 0, 0, id },
		{ 1500, 1, 200, 300, 256, "b", "c", 0, 0, id },
		{ 2500, 1, 300, 0, 1, "c", "swapper/1", 0, 0, id },
		{ 6000, 1, 0, 300, 0, "swapper/1", "c", 0, 0, id },
	};
	const struct pw_stamp none = { .id = id };

	pw_mmap(w, -1, kernel, 0x800000, kernel, "[kernel.kallsyms]_text",
		&none);
	pw_mmap(w, 100, 0x400000, 0x10000, 0x3000, "/bin/a", &none);
	if (rounds)
		pw_round(w);
	pc_put_switch(w, &s[0], a, 5);
	if (!rounds) {
		pc_put_switch(w, &s[2], b, 2);
		pc_put_switch(w, &s[3], NULL, 0);
	}
	pc_put_switch(w, &s[1], b, 2);
	if (rounds) {
		pc_put_switch(w, &s[2], b, 2);
		pw_round(w);
		pc_put_switch(w, &s[3], NULL, 0);
	}
	pc_put_switch(w, &s[4], b, 2);
	if (rounds)
		pw_round(w);
}

static struct profile *read_path(const char *path, struct error *err)
{
	struct profile *p = profile_new();

	if (!p)
		tap_bail("out of memory");
	*err = (struct error){ 0 };
	input_read(path, p, err);
	return p;
}

struct profile *pc_read(const struct pw_bytes *b, struct error *err)
{
	struct profile *p;
	char path[64];
	int fd = pw_write(b);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	p = read_path(path, err);
	close(fd);
	return p;
}

/* In pieces of a size that fits nothing. */
static void feed(int fd, const struct pw_bytes *b)
{
	size_t done = 0, part;
	ssize_t ret;

	signal(SIGPIPE, SIG_DFL);
	while (done < b->size) {
		part = b->size - done < 1237 ? b->size - done : 1237;
		ret = write(fd, b->data + done, part);
		if (ret < 0)
			_exit(1);
		done += (size_t)ret;
	}
	_exit(0);
}

struct profile *pc_read_pipe(const struct pw_bytes *b, struct error *err)
{
	struct profile *p;
	char path[64];
	int ends[2];
	pid_t child;

	fflush(stdout);
	if (pipe(ends))
		tap_bail("no pipe");
	child = fork();
	if (child < 0)
		tap_bail("cannot fork");
	if (!child) {
		close(ends[0]);
		feed(ends[1], b);
	}
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	p = read_path(path, err);
	close(ends[0]);
	waitpid(child, NULL, 0);
	return p;
}

const struct sleep_row *pc_row(struct profile *p, uint64_t off_ns)
{
	const struct sleep_row *row;
	size_t i;

	for (i = 0; i < profile_nr_sleep_rows(p); i++) {
		row = profile_get_sleep_row(p, i);
		if (row->sleeps && row->off_ns == off_ns)
			return row;
	}
	return NULL;
}

static const char *dso_name(const struct profile *p, uint32_t number)
{
	const struct dso *dso = profile_get_dso(p, number);

	return dso->kind == DSO_UNKNOWN ? "?" : profile_text(p, dso->path);
}

char *pc_stack(struct profile *p, uint32_t stack)
{
	const struct stack *s = profile_get_stack(p, stack);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	uint32_t i;

	if (!f)
		tap_bail("out of memory");
	for (i = 0; i < s->nr; i++) {
		const struct frame *fr = profile_get_frame(p, s->frame[i]);

		fprintf(f, "%s%s@%" PRIx64 "%s%s", i ? " " : "",
			dso_name(p, fr->dso), fr->address,
			fr->flags & FRAME_EXACT ? "!" : "",
			fr->flags & FRAME_KERNEL ? "" : "u");
	}
	if (s->flags & STACK_CUT)
		fputs(" cut", f);
	fclose(f);
	return text;
}

static bool is_right(struct profile *p, bool chains)
{
	const struct sleep_row *a = pc_row(p, 3000), *c = pc_row(p, 3500);
	bool right = p->switches == 5 && p->sleeps == 2 &&
		     p->preemptions == 1 && p->from_idle == 2 &&
		     p->first_ns == 1000 && p->last_ns == 6000 &&
		     p->has_chains == chains;
	char *stack;

	tap_diag("switches %" PRIu64 " sleeps %" PRIu64 " preemptions %" PRIu64
		 " from idle %" PRIu64 " window %" PRIu64 "…%" PRIu64,
		 p->switches, p->sleeps, p->preemptions, p->from_idle,
		 p->first_ns, p->last_ns);
	if (!chains)
		return right;
	if (!a || !c || a->by_state[STATE_UNINTERRUPTIBLE] != 1 ||
	    c->by_state[STATE_INTERRUPTIBLE] != 1 || c->stack)
		return false;
	stack = pc_stack(p, a->stack);
	tap_diag("%s", stack);
	right = right && (!strcmp(stack, "[kernel]@ffffffff81001000 "
					 "[kernel]@ffffffff81002000 "
					 "/bin/a@4000!u") ||
			  !strcmp(stack, "[kernel]@c0001000 "
					 "[kernel]@c0002000 /bin/a@4000!u"));
	free(stack);
	return right;
}

void pc_check(struct profile *p, const struct error *err, bool chains,
	      const char *name)
{
	bool right = err->code == EXIT_OK && is_right(p, chains);
	size_t i;

	if (err->code != EXIT_OK)
		tap_diag("%s", err->text);
	for (i = 0; i < profile_nr_warnings(p); i++)
		tap_diag("warning: %s",
			 profile_warning(p, i, &(uint64_t){ 0 }));
	tap_ok(right && !p->losses.malformed && !p->losses.out_of_order, "%s",
	       name);
}
