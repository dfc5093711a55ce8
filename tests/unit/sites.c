// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call chains of many kernels against the site a reader of kernel/locking/
 * would name.  The chains are as perf prints them, the sleeping end first.
 */
#include <stdio.h>
#include <string.h>

#include "analyze/sites.h"
#include "tests/tap.h"

/*
 * chain: names with a space between; "u:" before a frame of user space, "..."
 * at the end: callers were not recorded, "lock_text:" before a frame of the
 * kernel's lock section.
 * want: "CLASS[:MODE] CALLER FAMILY SLOWPATH[, KIND]", or "kind:KIND CALLER",
 * "unknown CALLER", "no_chain".
 */
static const struct {
	const char *kernel;
	const char *chain;
	const char *want;
} cases[] = {
	/* rwsem, from 2.6.32 to 7.x */
	{ "6.18",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_write_slowpath down_write unlink_anon_vmas free_pgtables"
	  " exit_mmap",
	  "rwsem:W unlink_anon_vmas anon_vma rwsem_down_write_slowpath" },
	{ "6.1",
	  "__schedule schedule rwsem_down_write_slowpath.isra.0 down_write"
	  " anon_vma_fork dup_mmap.constprop.0 dup_mm",
	  "rwsem:W anon_vma_fork anon_vma rwsem_down_write_slowpath" },
	{ "6.1",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_read_slowpath down_read do_user_addr_fault"
	  " exc_page_fault asm_exc_page_fault",
	  "rwsem:R do_user_addr_fault mmap_lock rwsem_down_read_slowpath" },
	{ "3.10",
	  "perf_trace_sched_switch __schedule schedule"
	  " rwsem_down_write_failed call_rwsem_down_write_failed"
	  " lock_anon_vma_root.clone.27 unlink_anon_vmas free_pgtables",
	  "rwsem:W unlink_anon_vmas anon_vma rwsem_down_write_failed" },
	{ "3.10",
	  "__schedule schedule rwsem_down_write_failed"
	  " call_rwsem_down_write_failed exit_shm do_exit",
	  "rwsem:W exit_shm ipc_ids rwsem_down_write_failed" },
	{ "4.14",
	  "__schedule schedule rwsem_down_read_failed"
	  " call_rwsem_down_read_failed down_read __do_page_fault",
	  "rwsem:R __do_page_fault mmap_lock rwsem_down_read_failed" },
	{ "2.6.32",
	  "thread_return rwsem_down_failed_common rwsem_down_write_failed"
	  " call_rwsem_down_write_failed down_write sys_mprotect",
	  "rwsem:W sys_mprotect mmap_lock rwsem_down_failed_common" },
	{ "6.12 arm64",
	  "__switch_to __schedule schedule schedule_preempt_disabled"
	  " rwsem_down_write_slowpath down_write_killable vm_mmap_pgoff"
	  " ksys_mmap_pgoff",
	  "rwsem:W vm_mmap_pgoff mmap_lock rwsem_down_write_slowpath" },
	{ "6.12, __put_anon_vma's own caller stays visible",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_write_slowpath down_write __put_anon_vma"
	  " unlink_anon_vmas free_pgtables",
	  "rwsem:W unlink_anon_vmas anon_vma rwsem_down_write_slowpath" },
	{ "6.12, a clang build",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_write_slowpath.llvm.1234567890 down_write"
	  " unlink_file_vma.cold.2 free_pgtables",
	  "rwsem:W unlink_file_vma i_mmap rwsem_down_write_slowpath" },
	{ "6.18, one caller, two locks: by the function it calls",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_write_slowpath down_write dup_mmap dup_mm",
	  "rwsem:W dup_mmap i_mmap rwsem_down_write_slowpath" },
	{ "6.18, and the other one",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_write_slowpath down_write_killable dup_mmap dup_mm",
	  "rwsem:W dup_mmap mmap_lock rwsem_down_write_slowpath" },
	/* PREEMPT_RT: the rwsem, not the rt_mutex inside it */
	{ "6.12 RT",
	  "__schedule rt_mutex_schedule rwbase_write_lock down_write"
	  " unlink_anon_vmas",
	  "rwsem:W unlink_anon_vmas anon_vma rwbase_write_lock" },
	{ "6.12 RT",
	  "__schedule rt_mutex_schedule rt_mutex_slowlock_block.constprop.0"
	  " __rt_mutex_slowlock_locked.constprop.0 rwbase_read_lock down_read"
	  " do_madvise",
	  "rwsem:R do_madvise mmap_lock rt_mutex_slowlock_block" },
	{ "6.12 RT",
	  "__schedule schedule_rtlock rtlock_slowlock_locked rt_spin_lock"
	  " free_unref_page",
	  "rt-spinlock free_unref_page - rtlock_slowlock_locked" },
	/* mutex */
	{ "6.18",
	  "__schedule schedule schedule_preempt_disabled"
	  " __mutex_lock.constprop.0 pipe_write vfs_write",
	  "mutex pipe_write pipe __mutex_lock" },
	{ "3.10",
	  "perf_trace_sched_switch __schedule schedule"
	  " schedule_preempt_disabled __mutex_lock_common.clone.8"
	  " __mutex_lock_slowpath mutex_lock lock_anon_vma_root.clone.24 ...",
	  "mutex lock_anon_vma_root(cut) anon_vma __mutex_lock_common" },
	{ "3.10",
	  "__schedule schedule schedule_preempt_disabled"
	  " __mutex_lock_common.clone.8 __mutex_lock_slowpath mutex_lock dup_mm"
	  " ...",
	  "mutex dup_mm i_mmap __mutex_lock_common" },
	{ "4.4", "__schedule schedule __ww_mutex_lock.isra.3 drm_modeset_lock",
	  "ww_mutex drm_modeset_lock - __ww_mutex_lock" },
	/* percpu-rwsem */
	{ "6.18",
	  "__schedule schedule percpu_rwsem_wait __percpu_down_read"
	  " exit_signals do_exit",
	  "percpu-rwsem:R exit_signals cgroup_threadgroup"
	  " percpu_rwsem_wait" },
	{ "6.12",
	  "__schedule schedule percpu_down_write cgroup_procs_write_start"
	  " __cgroup_procs_write",
	  "percpu-rwsem:W cgroup_procs_write_start cgroup_threadgroup"
	  " percpu_down_write" },
	{ "6.12, the writer's grace period",
	  "__schedule schedule schedule_timeout __wait_for_common"
	  " wait_for_completion __wait_rcu_gp synchronize_rcu rcu_sync_enter"
	  " percpu_down_write cgroup_procs_write_start",
	  "percpu-rwsem:W cgroup_procs_write_start cgroup_threadgroup"
	  " rcu_sync_enter, RCU grace period" },
	{ "6.12, the grace period that another writer waits for",
	  "__schedule schedule rcu_sync_enter percpu_down_write"
	  " cgroup_procs_write_start __cgroup_procs_write",
	  "percpu-rwsem:W cgroup_procs_write_start cgroup_threadgroup"
	  " rcu_sync_enter, RCU grace period" },
	{ "6.12, a fork",
	  "__schedule schedule percpu_rwsem_wait __percpu_down_read"
	  " cgroup_can_fork copy_process kernel_clone",
	  "percpu-rwsem:R cgroup_can_fork cgroup_threadgroup"
	  " percpu_rwsem_wait" },
	{ "6.18, the lock of one thread group",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_write_slowpath down_write cgroup_procs_write_start"
	  " __cgroup_procs_write cgroup_procs_write",
	  "rwsem:W cgroup_procs_write_start cgroup_threadgroup"
	  " rwsem_down_write_slowpath" },
	{ "6.18, its readers",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_read_slowpath down_read exit_signals do_exit",
	  "rwsem:R exit_signals cgroup_threadgroup"
	  " rwsem_down_read_slowpath" },
	{ "6.18, and a fork",
	  "__schedule schedule schedule_preempt_disabled"
	  " rwsem_down_read_slowpath down_read cgroup_can_fork copy_process",
	  "rwsem:R cgroup_can_fork cgroup_threadgroup"
	  " rwsem_down_read_slowpath" },
	{ "6.18, a spinlock of the same function is another lock",
	  "native_queued_spin_lock_slowpath _raw_spin_lock_irq cgroup_can_fork"
	  " copy_process",
	  "spinlock cgroup_can_fork css_set"
	  " native_queued_spin_lock_slowpath" },
	{ "4.4, a rwsem inside",
	  "__schedule schedule rwsem_down_write_failed"
	  " call_rwsem_down_write_failed down_write percpu_down_write"
	  " __cgroup_procs_write.constprop.5",
	  "percpu-rwsem:W __cgroup_procs_write cgroup_threadgroup"
	  " rwsem_down_write_failed" },
	/* semaphore, bits, pages, files */
	{ "5.10",
	  "__schedule schedule schedule_timeout __down down xfs_buf_lock",
	  "semaphore xfs_buf_lock - __down" },
	{ "6.1",
	  "__schedule schedule io_schedule folio_wait_bit_common"
	  " __folio_lock invalidate_inode_pages2_range",
	  "page-lock invalidate_inode_pages2_range - __folio_lock" },
	{ "6.1",
	  "__schedule schedule io_schedule folio_wait_bit_common"
	  " filemap_update_page filemap_get_pages",
	  "kind:page I/O folio_wait_bit_common" },
	{ "6.1",
	  "__schedule schedule flock_lock_inode_wait"
	  " locks_lock_inode_wait __do_sys_flock",
	  "file-lock __do_sys_flock - flock_lock_inode_wait" },
	/* contended, not asleep */
	{ "6.18",
	  "native_queued_spin_lock_slowpath _raw_spin_lock_irqsave"
	  " __wake_up_sync_key unix_stream_sendmsg",
	  "spinlock __wake_up_sync_key - native_queued_spin_lock_slowpath" },
	{ "6.18", "queued_write_lock_slowpath _raw_write_lock_irq copy_process",
	  "rwlock:W copy_process - queued_write_lock_slowpath" },
	{ "6.18, the scheduler itself wants a lock",
	  "native_queued_spin_lock_slowpath _raw_spin_lock"
	  " raw_spin_rq_lock_nested __schedule schedule do_wait",
	  "spinlock __schedule runqueue native_queued_spin_lock_slowpath" },
	{ "6.18, the spinlock inside a rwsem is no rwsem",
	  "native_queued_spin_lock_slowpath _raw_spin_lock_irq"
	  " rwsem_down_write_slowpath down_write unlink_anon_vmas",
	  "spinlock unlink_anon_vmas wait_lock"
	  " native_queued_spin_lock_slowpath" },
	{ "6.18, and on its release",
	  "native_queued_spin_lock_slowpath _raw_spin_lock_irqsave"
	  " rwsem_wake.isra.0 up_write unlink_anon_vmas",
	  "spinlock unlink_anon_vmas wait_lock"
	  " native_queued_spin_lock_slowpath" },
	{ "6.18, inside a mutex",
	  "native_queued_spin_lock_slowpath _raw_spin_lock"
	  " __mutex_lock.constprop.0 pipe_write",
	  "spinlock pipe_write wait_lock native_queued_spin_lock_slowpath" },
	/* futex, and the lock of user space behind it */
	{ "6.18",
	  "__schedule schedule futex_do_wait __futex_wait futex_wait do_futex"
	  " __x64_sys_futex do_syscall_64 entry_SYSCALL_64_after_hwframe"
	  " u:__lll_lock_wait u:pthread_mutex_lock@@GLIBC_2.2.5 u:work",
	  "pthread-mutex work - __lll_lock_wait" },
	{ "6.18",
	  "__schedule schedule futex_do_wait __futex_wait futex_wait do_futex"
	  " __x64_sys_futex do_syscall_64 entry_SYSCALL_64_after_hwframe"
	  " u:__futex_abstimed_wait_common u:pthread_rwlock_wrlock u:work",
	  "pthread-rwlock:W work - pthread_rwlock_wrlock" },
	{ "6.1",
	  "__schedule schedule futex_wait_queue futex_wait do_futex"
	  " __x64_sys_futex do_syscall_64 u:__futex_abstimed_wait_common"
	  " u:pthread_cond_wait u:worker",
	  "kind:condition variable pthread_cond_wait" },
	{ "6.1, our own rwsem on threads",
	  "__schedule schedule futex_wait_queue futex_wait do_futex"
	  " __x64_sys_futex u:syscall u:host_park u:rwsem_down_write_slowpath"
	  " u:down_write u:anon_vma_clone u:anon_vma_fork",
	  "rwsem:W anon_vma_clone anon_vma rwsem_down_write_slowpath" },
	{ "3.10",
	  "__schedule schedule futex_wait_queue_me futex_wait do_futex"
	  " sys_futex system_call_fastpath",
	  "futex [user space](cut) - futex_wait_queue_me" },
	{ "6.18, a lock of somebody's own",
	  "__schedule schedule futex_do_wait __futex_wait futex_wait do_futex"
	  " __x64_sys_futex do_syscall_64 entry_SYSCALL_64_after_hwframe"
	  " u:syscall u:my_lock u:main",
	  "futex my_lock - futex_do_wait" },
	/* other sleeps */
	{ "6.18", "__schedule schedule anon_pipe_read vfs_read ksys_read",
	  "kind:pipe anon_pipe_read" },
	{ "3.10", "__schedule schedule pipe_wait pipe_read",
	  "kind:pipe pipe_wait" },
	{ "6.18", "__schedule schedule do_wait kernel_wait4",
	  "kind:wait4 do_wait" },
	{ "6.18", "__schedule do_task_dead do_exit do_group_exit",
	  "kind:exit do_task_dead" },
	{ "3.10", "__schedule schedule do_exit do_group_exit",
	  "kind:exit do_exit" },
	{ "do_exit further up says nothing",
	  "__schedule schedule some_new_wait exit_files do_exit",
	  "unknown some_new_wait" },
	{ "3.10",
	  "__schedule schedule schedule_timeout sk_wait_data tcp_recvmsg",
	  "kind:socket sk_wait_data" },
	{ "6.18", "__schedule schedule schedule_timeout unix_stream_data_wait",
	  "kind:socket unix_stream_data_wait" },
	{ "6.18",
	  "__schedule schedule schedule_hrtimeout_range do_poll.constprop.0",
	  "kind:poll do_poll" },
	{ "6.18",
	  "__schedule schedule schedule_timeout __wait_for_common"
	  " __wait_rcu_gp synchronize_rcu cgroup_something",
	  "kind:RCU grace period __wait_rcu_gp" },
	{ "6.18",
	  "__schedule schedule schedule_timeout __wait_for_common"
	  " wait_for_completion some_driver",
	  "kind:completion __wait_for_common" },
	{ "6.18", "__schedule schedule worker_thread kthread ret_from_fork",
	  "kind:worker idle worker_thread" },
	{ "6.18", "__schedule schedule new_kthread kthread ret_from_fork",
	  "kind:kthread idle ret_from_fork" },
	/* at the edges */
	{ "a BPF program above the scheduler",
	  "bpf_get_stackid_raw_tp bpf_prog_6deef7357e7b4530_trace"
	  " bpf_trace_run4 __traceiter_sched_switch __schedule schedule "
	  "do_wait",
	  "kind:wait4 do_wait" },
	{ "no frames", "", "no_chain" },
	{ "only the scheduler", "__schedule schedule", "no_chain" },
	{ "a lock that no rule knows, by its section",
	  "__schedule schedule lock_text:brand_new_lock_slowpath some_caller",
	  "lock some_caller - brand_new_lock_slowpath" },
	{ "the chain ends in the lock",
	  "__schedule schedule rwsem_down_write_slowpath down_write ...",
	  "rwsem:W down_write(cut) - rwsem_down_write_slowpath" },
};

static uint32_t add_frame(struct profile *p, const char *name)
{
	struct frame frame = { .flags = FRAME_KERNEL };
	uint32_t number;
	bool lock_text = !strncmp(name, "lock_text:", 10);

	if (lock_text)
		name += 10;
	if (!strncmp(name, "u:", 2)) {
		name += 2;
		frame.flags = 0;
	}
	frame.symbol = profile_string(p, name, strlen(name));
	number = profile_frame(p, &frame);
	if (lock_text)
		profile_get_frame(p, number)->flags |= FRAME_LOCK_TEXT;
	return number;
}

static uint32_t add_chain(struct profile *p, const char *chain)
{
	uint32_t frames[32], nr = 0, flags = 0;
	char text[512];
	char *name, *rest = text;

	snprintf(text, sizeof(text), "%s", chain);
	while ((name = strsep(&rest, " "))) {
		if (!strcmp(name, "..."))
			flags = STACK_CUT;
		else if (*name)
			frames[nr++] = add_frame(p, name);
	}
	return profile_stack(p, frames, nr, flags);
}

static void describe(const struct profile *p, const struct sites *sites,
		     uint32_t stack, char *text, size_t size)
{
	const struct site *site =
		sites_get(sites, sites_of_stack(sites, stack));
	const char *caller = profile_text(p, site->caller);

	switch (site->type) {
	case SITE_LOCK:
		snprintf(text, size, "%s%s%s %s%s %s %s%s%s", site->lock_class,
			 site->mode[0] ? ":" : "", site->mode, caller,
			 site->cut ? "(cut)" : "",
			 site->family[0] ? site->family : "-",
			 profile_text(p, sites_slow_path(sites, stack)),
			 site->kind[0] ? ", " : "", site->kind);
		break;
	case SITE_OTHER:
		snprintf(text, size, "kind:%s %s", site->kind, caller);
		break;
	case SITE_UNKNOWN:
		snprintf(text, size, "unknown %s", caller);
		break;
	case SITE_NO_CHAIN:
		snprintf(text, size, "no_chain");
		break;
	}
}

static void check_chains(const struct site_rules *rules)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct profile *p = profile_new();
		uint32_t stack = add_chain(p, cases[i].chain);
		struct sites *sites = sites_new(p, rules);
		char got[256];

		describe(p, sites, stack, got, sizeof(got));
		tap_is_str(got, cases[i].want, "%s: %s", cases[i].kernel,
			   cases[i].chain);
		sites_free(sites);
		profile_free(p);
	}
}

static void check_suffixes(void)
{
	static const struct {
		const char *name, *stripped;
	} names[] = {
		{ "down_write", "down_write" },
		{ "f.isra.0", "f" },
		{ "f.constprop.12", "f" },
		{ "f.part.2", "f" },
		{ "f.clone.24", "f" },
		{ "f.cold", "f" },
		{ "f.cold.3", "f" },
		{ "f.llvm.1234567890123", "f" },
		{ "f.isra.0.constprop.1.part.2.cold", "f" },
		{ "f.lto_priv.0", "f" },
		{ "f.something.1", "f.something.1" },
		{ "f.1", "f.1" },
		{ ".isra.0", ".isra.0" },
		{ "f.", "f." },
		{ "pthread_mutex_lock@@GLIBC_2.2.5", "pthread_mutex_lock" },
		{ "pthread_mutex_lock@GLIBC_2.2.5", "pthread_mutex_lock" },
		{ "read@plt", "read@plt" },
		{ "@odd", "@odd" },
		{ "", "" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		tap_is_u64(site_strip(names[i].name), strlen(names[i].stripped),
			   "suffixes of '%s'", names[i].name);
}

/* One site for all spellings of a function, each class apart. */
static void check_identity(const struct site_rules *rules)
{
	struct profile *p = profile_new();
	uint32_t a = add_chain(p, "schedule down_write f.isra.0");
	uint32_t b = add_chain(p, "__schedule schedule down_write f.cold");
	uint32_t c = add_chain(p, "schedule down_read f");
	uint32_t d = add_chain(p, "schedule mutex_lock f");
	struct sites *sites = sites_new(p, rules);

	tap_ok(sites_of_stack(sites, a) == sites_of_stack(sites, b),
	       "suffixes do not make another site");
	tap_ok(sites_of_stack(sites, a) != sites_of_stack(sites, c),
	       "another mode is another site");
	tap_ok(sites_of_stack(sites, a) != sites_of_stack(sites, d),
	       "another class is another site");
	sites_free(sites);
	profile_free(p);
}

/* On request the names come as they were recorded. */
static void check_shown(const struct site_rules *rules)
{
	struct profile *p = profile_new();
	uint32_t a = add_chain(p, "rwsem_down_write_slowpath.isra.1"
				  " down_write f.isra.0 g.cold");
	uint32_t b = add_chain(p, "schedule down_write f.cold");
	uint32_t c = add_chain(p, "schedule down_write f.isra.0");
	struct sites *sites = sites_new(p, rules);
	const struct stack *stack = profile_get_stack(p, a);

	sites_show_suffixes(sites);
	tap_is_str(profile_text(p, sites_slow_path(sites, a)),
		   "rwsem_down_write_slowpath.isra.1",
		   "slow path, as recorded");
	tap_is_str(profile_text(
			   p,
			   sites_get(sites, sites_of_stack(sites, c))->caller),
		   "f.isra.0, f.cold", "all spellings of a caller");
	tap_ok(sites_of_stack(sites, a) == sites_of_stack(sites, b),
	       "suffixes that are shown do not make another site");
	tap_is_str(profile_text(p, sites_frame_name(
					   sites, stack->frame[stack->nr - 1])),
		   "g.cold", "a frame's name, as recorded");
	sites_free(sites);
	profile_free(p);
}

int main(void)
{
	struct error err = { 0 };
	struct site_rules *rules = site_rules_new(NULL, &err);

	if (!rules)
		tap_bail("%s", err.text);
	check_suffixes();
	check_chains(rules);
	check_identity(rules);
	check_shown(rules);
	site_rules_free(rules);
	return tap_done();
}
