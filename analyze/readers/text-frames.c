// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/readers/text-frames.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

uint32_t text_string(struct profile *p, struct text t)
{
	return t.at < t.end ? profile_string(p, t.at, text_length(&t)) : 0;
}

static const char *const kernel_names[] = {
	"[kernel", "[guest.kernel", "vmlinux", "[bpf", "bpf_prog_",
};

static bool is_kernel_image(const struct text *name)
{
	struct text base = *name;
	size_t i;

	if (*name->at == '/') {
		base.at = (const char *)memrchr(name->at, '/',
						text_length(name)) +
			  1;
		return text_starts(&base, "vmlinux") ||
		       text_equals(name, "/proc/kcore");
	}
	for (i = 0; i < ARRAY_SIZE(kernel_names); i++)
		if (text_starts(name, kernel_names[i]))
			return true;
	return false;
}

/* "/lib/modules/…/ext4.ko.xz": the name of the module, as perf has it. */
static bool module_of_file(const struct text *name, struct text *module)
{
	const char *slash = memrchr(name->at, '/', text_length(name));
	struct text base = *name;
	const char *ko;

	if (slash)
		base.at = slash + 1;
	ko = text_find(&base, ".ko");
	if (!ko || ko == base.at)
		return false;
	*module = (struct text){ base.at, ko };
	base.at = ko + 3;
	return base.at == base.end || *base.at == '.';
}

/* "[ext4]", with '-' as the kernel writes it, '_'. */
static uint32_t module_path(struct profile *p, const struct text *module)
{
	char path[66];
	size_t n = text_length(module), i;

	if (n > sizeof(path) - 2)
		n = sizeof(path) - 2;
	path[0] = '[';
	for (i = 0; i < n; i++)
		path[i + 1] = module->at[i] == '-' ? '_' : module->at[i];
	path[n + 1] = ']';
	return profile_string(p, path, n + 2);
}

static bool perf_map_pid(const struct text *name, uint32_t *pid)
{
	struct text rest = *name;
	uint64_t n;

	if (!text_take(&rest, "/tmp/perf-") || !text_take_u64(&rest, &n) ||
	    n > INT32_MAX || !text_equals(&rest, ".map"))
		return false;
	*pid = (uint32_t)n;
	return true;
}

static bool in_brackets(const struct text *name)
{
	return text_length(name) > 2 && *name->at == '[' &&
	       name->end[-1] == ']';
}

static bool is_memory(const struct text *name)
{
	return text_equals(name, "[heap]") || text_equals(name, "[anon]") ||
	       text_starts(name, "[stack") || text_equals(name, "[vsyscall]") ||
	       text_starts(name, "[anon:") || text_equals(name, "[uprobes]");
}

uint32_t text_dso(struct profile *p, struct text name)
{
	struct dso dso = { .kind = DSO_USER };
	struct text module;

	if (text_ends(&name, " (deleted)"))
		name.end -= strlen(" (deleted)");
	if (name.at == name.end || text_equals(&name, "[unknown]"))
		return 0;
	if (is_kernel_image(&name)) {
		dso.kind = DSO_KERNEL;
		name = text_of("[kernel]", strlen("[kernel]"));
	} else if (text_starts(&name, "[vdso")) {
		dso.kind = DSO_VDSO;
	} else if (perf_map_pid(&name, &dso.pid)) {
		dso.kind = DSO_PERF_MAP;
	} else if (module_of_file(&name, &module)) {
		dso.kind = DSO_MODULE;
		dso.path = module_path(p, &module);
	} else if (in_brackets(&name) && !is_memory(&name)) {
		dso.kind = DSO_MODULE;
	}
	if (!dso.path)
		dso.path = text_string(p, name);
	return profile_dso(p, &dso);
}

bool text_dso_is_kernel(const struct profile *p, uint32_t dso)
{
	enum dso_kind kind = profile_get_dso(p, dso)->kind;

	return kind == DSO_KERNEL || kind == DSO_MODULE;
}

/* What perf prints of a frame that has no name: "0x7f5a10", "[unknown]". */
static bool is_address(const char *name, uint64_t *address)
{
	struct text t = text_of(name, strlen(name));

	*address = 0;
	if (text_equals(&t, "[unknown]") || text_equals(&t, "0"))
		return true;
	return text_take(&t, "0x") && text_take_hex(&t, address) &&
	       t.at == t.end;
}

uint32_t text_frame(struct profile *p, uint32_t symbol, uint32_t dso,
		    uint32_t flags)
{
	/* Looked up: this computer's files are not the recorded ones. */
	struct frame frame = {
		.dso = dso,
		.symbol = symbol,
		.flags = flags | FRAME_LOOKED_UP,
	};

	if (is_address(profile_text(p, symbol), &frame.address))
		frame.symbol = 0;
	return profile_frame(p, &frame);
}

/* A name ends at its first '.': what follows is a compiler's suffix. */
static bool is_named(const char *symbol, const char *name)
{
	size_t n = strlen(name);

	if (name[n - 1] == '*')
		return !strncmp(symbol, name, n - 1);
	return !strncmp(symbol, name, n) &&
	       (symbol[n] == '\0' || symbol[n] == '.');
}

static const char *const scheduler_names[] = {
	"perf_trace_sched_*",
	"__traceiter_sched_*",
	"perf_trace_run_bpf_submit",
	"perf_tp_event",
	"perf_swevent_*",
	"__perf_event_*",
	"trace_event_raw_event_*",
	"trace_call_bpf",
	"bpf_trace_run*",
	"__bpf_trace_*",
	"__schedule*",
	"schedule*",
	"preempt_schedule*",
	"io_schedule*",
	"__cond_resched*",
	"_cond_resched*",
	"do_task_dead",
	"context_switch",
	"finish_task_switch",
	"__switch_to*",
	"thread_return",
	"do_sched_yield",
};

static const char *const entry_names[] = {
	/* x86 */
	"entry_SYSCALL_*",
	"entry_SYSENTER_*",
	"entry_INT80_*",
	"asm_*",
	"system_call",
	"system_call_fastpath",
	"system_call_after_swapgs",
	"sysenter_*",
	"ia32_sys*",
	"int80_*",
	"tracesys*",
	"stub_clone",
	"stub_execve",
	"stub_fork",
	"stub_vfork",
	"ptregscall_common",
	"int_signal",
	"int_careful",
	"sysret_*",
	"retint_*",
	"page_fault",
	"async_page_fault",
	"ret_from_fork*",
	"ret_from_intr",
	"ret_from_kernel_thread",
	"kernel_thread_helper",
	"child_rip",
	"start_secondary",
	"secondary_startup_64*",
	"x86_64_start_kernel",
	"x86_64_start_reservations",
	"common_startup_64",
	"rest_init",
	"syscall_return_*",
	/* arm64, arm */
	"el0_*",
	"el0t_*",
	"ret_fast_syscall",
	"ret_to_user*",
	"ret_slow_syscall",
	"work_resched",
	"work_pending",
	"secondary_start_kernel",
	/* others */
	"system_call_common",
	"system_call_vectored_common",
	"ret_from_syscall*",
	"ret_from_except*",
	"handle_exception",
	"handle_syscall",
	"system_call_exception",
};

enum symbol_class {
	CLASS_KNOWN = 1,
	CLASS_SCHEDULER = 2,
	CLASS_KERNEL_ENTRY = 4,
};

static uint8_t classify(const char *symbol)
{
	uint8_t class = CLASS_KNOWN;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scheduler_names); i++)
		if (is_named(symbol, scheduler_names[i]))
			class |= CLASS_SCHEDULER;
	for (i = 0; i < ARRAY_SIZE(entry_names); i++)
		if (is_named(symbol, entry_names[i]))
			class |= CLASS_KERNEL_ENTRY;
	return class;
}

static bool make_room(struct text_classes *c, uint32_t symbol)
{
	uint32_t nr = symbol + symbol / 2 + 64;
	uint8_t *grown;

	if (symbol < c->nr)
		return true;
	grown = realloc(c->of_symbol, nr);
	if (!grown) {
		profile_fail(c->p);
		return false;
	}
	memset(grown + c->nr, 0, nr - c->nr);
	c->of_symbol = grown;
	c->nr = nr;
	return true;
}

static uint8_t class_of(struct text_classes *c, uint32_t symbol)
{
	if (!symbol || !make_room(c, symbol))
		return 0;
	if (!c->of_symbol[symbol])
		c->of_symbol[symbol] = classify(profile_text(c->p, symbol));
	return c->of_symbol[symbol];
}

void text_classes_free(struct text_classes *c)
{
	free(c->of_symbol);
	c->of_symbol = NULL;
	c->nr = 0;
}

bool text_is_scheduler(struct text_classes *c, uint32_t symbol)
{
	return class_of(c, symbol) & CLASS_SCHEDULER;
}

bool text_is_kernel_entry(struct text_classes *c, uint32_t symbol)
{
	return class_of(c, symbol) & CLASS_KERNEL_ENTRY;
}

void text_mark_kernel(struct text_classes *c, struct text_frame *f, uint32_t nr,
		      bool leaf_is_kernel)
{
	uint32_t i;

	for (i = nr; i > 0; i--)
		if (text_is_kernel_entry(c, f[i - 1].symbol))
			break;
	if (!i && nr && (leaf_is_kernel || text_is_scheduler(c, f[0].symbol)))
		i = nr;
	while (i-- > 0)
		f[i].flags |= FRAME_KERNEL;
}
