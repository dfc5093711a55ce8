// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "workloads/channel.h"
#include "workloads/env.h"

enum keeper_state {
	SETTING_UP,
	AT_GATE,
	RUNNING,
	VERIFYING,
};

struct keeper {
	const struct workload_options *options;
	const char *name;
	enum keeper_state state;
	pid_t root;
	struct keeper_fds fd;
	struct channel events; /* from root */
	json_t *end; /* root's last event */
	char trouble[512]; /* the first line that a process wrote */
	size_t trouble_used;
	uint64_t limit_ns; /* the state must have ended; 0: none */
	uint64_t go_ns;
	uint64_t sample_ns; /* when vmstat is due; 0: not at all */
	struct vmstat_sampler vmstat;
	sigset_t sleep_mask;
	bool done;
	struct error err;
};

/* The one thing a handler must set. */
static volatile sig_atomic_t told_to_end;

static void on_signal(int sig)
{
	if (sig != SIGCHLD)
		told_to_end = sig;
}

static void fail(struct keeper *k, const char *what)
{
	error_set(&k->err, EXIT_CHECK_FAILED, "%s: %s", k->name, what);
	k->done = true;
}

static void enter(struct keeper *k, enum keeper_state state, double seconds)
{
	k->state = state;
	k->limit_ns = 0;
	if (seconds > 0)
		k->limit_ns = workload_now_ns() + (uint64_t)(seconds * 1e9);
}

static void sample(struct keeper *k)
{
	if (vmstat_take(&k->vmstat, &k->err))
		k->done = true;
}

/* The next full second, unless the end is so near that it does the same. */
static void plan_sample(struct keeper *k)
{
	double seconds = workload_options_seconds(k->options);
	uint64_t last = k->go_ns + (uint64_t)(seconds * 1e9);

	k->sample_ns += 1000000000u;
	if (k->sample_ns + 100000000u > last)
		k->sample_ns = 0;
}

static void go(struct keeper *k)
{
	if (k->state != AT_GATE)
		return;
	enter(k, RUNNING,
	      workload_options_seconds(k->options) + KEEPER_GRACE_S);
	sample(k);
	k->go_ns = workload_now_ns();
	k->sample_ns = k->go_ns;
	plan_sample(k);
	if (write(k->fd.gate, "g", 1) != 1)
		fail(k, "ended before it began");
}

/* From the tool. */
static void read_control(struct keeper *k)
{
	char byte = 0;
	ssize_t got = read(KEEPER_CONTROL_FD, &byte, 1);

	if (got < 0 && errno == EINTR)
		return;
	if (got <= 0) {
		fail(k, "the tool has gone");
	} else if (byte == 'g') {
		go(k);
	} else if (byte == 's' && k->state == RUNNING) {
		/* Root may have ended by itself: SIGPIPE is ignored. */
		if (write(k->fd.gate, "s", 1) < 0)
			return;
	}
}

static void handle_event(struct keeper *k, json_t *event)
{
	if (channel_is(event, "ready") && k->state == SETTING_UP) {
		enter(k, AT_GATE, 0);
		json_object_set_new(event, "pid", json_integer(k->root));
		if (channel_send(KEEPER_RESULT_FD, json_incref(event)))
			k->done = true;
	} else if (channel_is(event, "measured") && k->state == RUNNING) {
		enter(k, VERIFYING, KEEPER_VERIFY_S);
		k->sample_ns = 0;
		sample(k);
	} else if (channel_is(event, "end") && !k->end &&
		   (k->state == VERIFYING || json_object_get(event, "error"))) {
		enter(k, VERIFYING, KEEPER_GRACE_S);
		k->end = json_incref(event);
	} else {
		fail(k, "its root process wrote nonsense");
	}
	json_decref(event);
}

static void read_events(struct keeper *k)
{
	size_t before;
	json_t *event;

	do {
		before = k->events.used;
		if (channel_fill(&k->events)) {
			fail(k, "cannot read from its root process");
			return;
		}
	} while (k->events.used > before);
	while (!k->done) {
		if (channel_next(&k->events, &event)) {
			fail(k, "its root process wrote nonsense");
			return;
		}
		if (!event)
			return;
		handle_event(k, event);
	}
}

/* Keeps the first line, drops the rest. */
static void read_trouble(struct keeper *k)
{
	size_t room = sizeof(k->trouble) - 1 - k->trouble_used;
	char dropped[512];
	ssize_t got;

	for (;;) {
		got = room ? read(k->fd.trouble, k->trouble + k->trouble_used,
				  room) :
			     read(k->fd.trouble, dropped, sizeof(dropped));
		if (got <= 0)
			break;
		if (room) {
			k->trouble_used += (size_t)got;
			room -= (size_t)got;
		}
	}
	k->trouble[k->trouble_used] = '\0';
	/* A broken run is worth nothing: no need to wait for its end. */
	if (k->trouble_used)
		k->done = true;
}

static void check_root(struct keeper *k)
{
	siginfo_t info = { 0 };
	char how[128];

	if (waitid(P_PID, (id_t)k->root, &info, WEXITED | WNOHANG | WNOWAIT) ||
	    !info.si_pid)
		return;
	read_events(k);
	k->done = true;
	if (k->end || k->err.code != EXIT_OK)
		return;
	if (info.si_code == CLD_EXITED)
		snprintf(how, sizeof(how), "exited with status %d",
			 info.si_status);
	else
		workload_describe_status(info.si_status & 0x7f, how,
					 sizeof(how));
	error_set(&k->err, EXIT_CHECK_FAILED,
		  "%s: its root process (pid %d) %s without a result", k->name,
		  (int)k->root, how);
}

static void check_clock(struct keeper *k)
{
	static const char *const what[] = {
		[SETTING_UP] = "its set-up hung; ended by force",
		[RUNNING] = "still ran long after its time; ended by force",
		[VERIFYING] = "its verification hung; ended by force",
	};
	uint64_t now = workload_now_ns();

	if (k->sample_ns && now >= k->sample_ns) {
		sample(k);
		plan_sample(k);
	}
	if (k->limit_ns && now >= k->limit_ns)
		fail(k, what[k->state]);
	if (told_to_end)
		fail(k, "a signal told its keeper to end");
}

static void sleep_until_something(struct keeper *k)
{
	struct pollfd fds[] = {
		{ .fd = KEEPER_CONTROL_FD, .events = POLLIN },
		{ .fd = k->events.ended ? -1 : k->fd.event, .events = POLLIN },
		{ .fd = k->fd.trouble, .events = POLLIN },
	};
	uint64_t until = workload_now_ns() + 1000000000u;
	struct timespec timeout;
	uint64_t now;

	if (k->limit_ns && k->limit_ns < until)
		until = k->limit_ns;
	if (k->sample_ns && k->sample_ns < until)
		until = k->sample_ns;
	now = workload_now_ns();
	until = until > now ? until - now : 0;
	timeout.tv_sec = (time_t)(until / 1000000000u);
	timeout.tv_nsec = (long)(until % 1000000000u);
	if (ppoll(fds, 3, &timeout, &k->sleep_mask) <= 0)
		return;
	if (fds[0].revents)
		read_control(k);
	if (fds[1].revents)
		read_events(k);
	if (fds[2].revents)
		read_trouble(k);
}

static void set_signals(struct keeper *k)
{
	static const int caught[] = { SIGCHLD, SIGTERM, SIGINT, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t mask;
	size_t i;

	sigemptyset(&k->sleep_mask);
	sigemptyset(&mask);
	sigemptyset(&action.sa_mask);
	for (i = 0; i < sizeof(caught) / sizeof(caught[0]); i++) {
		sigaddset(&mask, caught[i]);
		sigaction(caught[i], &action, NULL);
	}
	/* They come in only while we sleep. */
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

static void run_root(struct keeper *k, const char *directory, void *place)
{
	k->root = keeper_start_root(k->options, directory, place, &k->fd,
				    &k->err);
	if (k->root < 0)
		return;
	k->events.fd = k->fd.event;
	enter(k, SETTING_UP, KEEPER_SETUP_S);
	while (!k->done) {
		sleep_until_something(k);
		check_root(k);
		check_clock(k);
	}
	if (keeper_end_all(k->root))
		fail(k, "some of its processes can't be killed");
	/* What a dying process said explains more than that it died. */
	read_trouble(k);
}

/* The last event that the tool gets. */
static json_t *end_event(struct keeper *k)
{
	json_t *result = json_object_get(k->end, "result");
	struct error trouble = { 0 };

	if (k->trouble_used) {
		error_set(&trouble, EXIT_CHECK_FAILED, "%s: %.*s", k->name,
			  (int)strcspn(k->trouble, "\n"), k->trouble);
		return channel_error(&trouble);
	}
	if (k->err.code != EXIT_OK)
		return channel_error(&k->err);
	if (!result)
		return json_incref(k->end);
	json_object_set_new(result, "vmstat", vmstat_json(&k->vmstat.run));
	return json_incref(k->end);
}

/* With what the workload needs around it. */
static void run_in_place(struct keeper *k, const char *directory)
{
	const struct workload *workload = k->options->workload;
	void *place = NULL;

	if (workload->prepare &&
	    workload->prepare(k->options->values, &place, &k->err))
		return;
	run_root(k, directory, place);
	if (workload->cleanup)
		workload->cleanup(place, &k->err);
}

int keeper_run(const struct workload_options *options, const char *directory)
{
	bool made = false;
	struct keeper k = {
		.options = options,
		.name = options->workload->name,
		.events.fd = -1,
	};

	prctl(PR_SET_NAME, "rwsemlab-keeper");
	set_signals(&k);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		error_errno(&k.err, EXIT_IMPOSSIBLE,
			    "%s: cannot become a subreaper", k.name);
	else if (directory && mkdir(directory, 0700))
		error_errno(&k.err, EXIT_USAGE, "%s: cannot make %s", k.name,
			    directory);
	else
		made = directory != NULL;
	if (k.err.code == EXIT_OK)
		run_in_place(&k, directory);
	if (made && keeper_remove_directory(directory))
		error_errno(&k.err, EXIT_USAGE, "%s: cannot remove %s", k.name,
			    directory);
	channel_send(KEEPER_RESULT_FD, end_event(&k));
	channel_close(&k.events);
	json_decref(k.end);
	vmstat_free(&k.vmstat.run);
	return 0;
}
