// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every lock of locks.def on this computer's threads.
 *
 * usage: locks [-t MS] [-a SECONDS] [SPEC...]
 *
 *	MS	how long each torture takes; LOCKS_MS of the environment, or 60
 *	SECONDS	after which a test counts as hung
 *
 * A test that hangs ends with the name of its lock: a lost wake-up.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/locks.h"
#include "tests/tap.h"
#include "workloads/locks/oracle.h"

/* Beside locks.def: what no version had. */
static const char *const combinations[] = {
	"rwsem@2.6:spin=osq",
	"rwsem@3.9:spin=osq",
	"rwsem@3.10:spin=mcs",
	"rwsem@3.10:wake_batch=1",
	"rwsem@3.16:spin=owner",
	"rwsem@5.3:spin=none",
	"rwsem@5.3:handoff_ms=0",
	"rwsem@5.11:reader_spin=1",
	"rwsem@6.3:steal=none",
	"rwsem@6.3:steal=head,handoff_ms=1",
	"rwsem@6.3:spin=none,wake_batch=1",
	"rwsem@6.3:handoff_ms=never",
	"mutex@3.10:spin=none",
	"mutex@4.10:spin=mcs",
	"mutex@4.10:spin=none",
	"mutex@5.15:spin=none",
	"percpu-rwsem@4.4:sync=slow",
	"percpu-rwsem@4.9:sync=slow",
	"percpu-rwsem@4.9:spin=none",
	"percpu-rwsem@5.7:sync=slow",
	"group-rwsem@6.18:global=none",
	"group-rwsem@4.1:global=idle",
};

static unsigned int torture_ms = 60;
static unsigned int hang_s = 20;
static char hang_text[512];

/* Only what a signal handler may do. */
static void on_alarm(int number)
{
	(void)number;
	(void)!write(STDOUT_FILENO, hang_text, strlen(hang_text));
	_exit(1);
}

static void watch(const char *what)
{
	snprintf(hang_text, sizeof(hang_text), "Bail out! hangs: %s\n", what);
	alarm(hang_s);
}

/* The counters against what the oracle saw. */
static void check_counters(struct lock_test *test, uint64_t taken)
{
	struct rwsemlab_counts *counts;
	uint64_t *event, slept, slow;
	size_t nr;

	if (!tap_ok(!rwsemlab_class_counts(test->class_, &counts, &nr),
		    "%s: counters", test->name))
		return;
	event = counts[0].event;
	slow = event[RWSEMLAB_SLOW] - event[RWSEMLAB_CANCELLED];
	slept = event[RWSEMLAB_SLEPT_0] + event[RWSEMLAB_SLEPT_1] +
		event[RWSEMLAB_SLEPT_2] + event[RWSEMLAB_SLEPT_3];
	tap_is_u64(event[RWSEMLAB_FAST] + slow, taken,
		   "%s: every acquisition is counted", test->name);
	tap_is_u64(slept, slow, "%s: each with its number of sleeps",
		   test->name);
	tap_is_u64(counts[0].time[RWSEMLAB_WAIT_NS].count, slow,
		   "%s: and its wait", test->name);
	if (!strcmp(test->name, "rwsem@2.6") ||
	    !strcmp(test->name, "rwsem-spinlock@2.6")) {
		tap_is_u64(event[RWSEMLAB_STOLEN], 0, "%s: nothing stolen",
			   test->name);
		tap_is_u64(counts[0].time[RWSEMLAB_OVERTAKEN].max, 0,
			   "%s: nobody overtaken", test->name);
	}
	rwsemlab_counts_free(counts, nr);
}

/* Concurrencykit's locks only spin. */
static bool can_sleep(const struct lock_test *test)
{
	return test->variant->abilities &
	       (RWSEMLAB_TIMES_OUT | RWSEMLAB_COUNTS);
}

static uint64_t torture_with(struct lock_test *test, unsigned int percent)
{
	struct oracle_result result;
	struct oracle_config config = {
		.machine = test->machine,
		.class_ = test->class_,
		.abilities = test->variant->abilities,
		.read_percent = percent,
		.run_ns = torture_ms * 1000000ull / 3,
		.hang_ns = (hang_s < 5 ? hang_s : 5) * 1000000000ull,
		.seed = 1,
	};
	int ret;

	/* Pure spinners wait for whole time slices where tasks are many. */
	config.tasks = can_sleep(test) ? 6 : 2;
	alarm(hang_s + torture_ms / 1000);
	ret = oracle_run(&config, &result);
	if (ret == -EDEADLK)
		tap_bail("hangs: %s, torture with %u%% reads", test->name,
			 percent);
	tap_ok(!ret && !result.failures, "%s: torture, %u%% reads: %s",
	       test->name, percent,
	       result.failure ? result.failure : strerror(-ret));
	tap_ok(result.reads + result.writes > 0,
	       "%s: torture, %u%% reads: it was taken", test->name, percent);
	return result.reads + result.writes;
}

static void torture(struct lock_test *test)
{
	uint64_t taken;

	taken = torture_with(test, 0);
	taken += torture_with(test, 50);
	taken += torture_with(test, 90);
	check_counters(test, taken);
	tap_is_u64(rwsemlab_class_errors(test->class_), 0,
		   "%s: torture: nothing reported", test->name);
}

static struct rwsemlab_class *new_class(struct rwsemlab_machine *machine,
					const struct rwsemlab_spec *spec)
{
	struct rwsemlab_class *class_;
	int ret = rwsemlab_class_create(machine, spec, "test", RWSEMLAB_CHECKED,
					&class_);

	if (ret)
		tap_bail("no class: %s", strerror(-ret));
	return class_;
}

/* The checked build, so that all of it runs under the checks too. */
static void test_spec(struct rwsemlab_machine *machine, const char *text)
{
	struct lock_test test = { .machine = machine };
	struct rwsemlab_spec *spec;
	char why[512];
	int ret = rwsemlab_spec_parse(text, &spec, why, sizeof(why));

	if (ret == -ENOSYS) {
		tap_skip(why, "%s", text);
		return;
	}
	if (!tap_ok(!ret, "%s: parsed", text)) {
		tap_diag("%s", why);
		return;
	}
	test.name = rwsemlab_spec_name(spec);
	test.variant = rwsemlab_spec_variant(spec);
	watch(test.name);
	test.class_ = new_class(machine, spec);
	ret = rwsemlab_lock_init(&test.lock, test.class_);
	if (ret)
		tap_bail("no lock: %s", strerror(-ret));
	test_modes(&test);
	alarm(hang_s);
	test_sharing(&test);
	alarm(hang_s);
	test_downgrade(&test);
	alarm(hang_s);
	test_cancelling(&test);
	alarm(hang_s);
	test_order(&test);
	alarm(hang_s);
	test_starvation(&test);
	alarm(hang_s + 2 * torture_ms / 1000 + 1);
	test_percpu(&test, torture_ms);
	alarm(hang_s);
	tap_is_u64(rwsemlab_class_errors(test.class_), 0,
		   "%s: nothing reported", test.name);
	rwsemlab_lock_destroy(&test.lock);
	rwsemlab_class_free(test.class_);
	/* With counters of its own. */
	test.class_ = new_class(machine, spec);
	torture(&test);
	rwsemlab_class_free(test.class_);
	rwsemlab_spec_free(spec);
}

static void test_all(struct rwsemlab_machine *machine)
{
	const struct rwsemlab_variant *variant;
	char text[128];
	size_t i;

	for (i = 0; (variant = rwsemlab_variant_at(i)); i++) {
		snprintf(text, sizeof(text), "%s%s%s", variant->family,
			 *variant->version ? "@" : "", variant->version);
		test_spec(machine, text);
	}
	for (i = 0; i < sizeof(combinations) / sizeof(combinations[0]); i++)
		test_spec(machine, combinations[i]);
}

int main(int argc, char *argv[])
{
	struct rwsemlab_machine *machine;
	const char *ms = getenv("LOCKS_MS");
	int option, ret;

	if (ms)
		torture_ms = (unsigned int)strtoul(ms, NULL, 10);
	while ((option = getopt(argc, argv, "t:a:")) != -1) {
		if (option == 't')
			torture_ms = (unsigned int)strtoul(optarg, NULL, 10);
		else if (option == 'a')
			hang_s = (unsigned int)strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	signal(SIGALRM, on_alarm);
	ret = rwsemlab_machine_create(64, &machine);
	if (ret)
		tap_skip_all("no host machine: %s", strerror(-ret));
	/* Short ones: rcu_sync goes through its states as often as can be. */
	rwsemlab_machine_expedite(machine);
	if (optind == argc)
		test_all(machine);
	for (; optind < argc; optind++)
		test_spec(machine, argv[optind]);
	alarm(0);
	rwsemlab_machine_free(machine);
	return tap_done();
}
