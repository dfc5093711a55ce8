// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results of workloads: the vmstat numbers against ones worked out by hand,
 * JSON there and back, and JSON that nobody should believe.
 */
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/result.h"

static const char before[] =
	"cpu  100 20 300 4000 50 6 4 10 2 1\n"
	"cpu0 100 20 300 4000 50 6 4 10 2 1\n"
	"intr 5000 1 2 3\nctxt 70000\nbtime 1700000000\nprocesses 900\n"
	"procs_running 3\nprocs_blocked 1\nsoftirq 8 1 2\n";

/* 100 ticks later: us 20, sy 30 + 5 + 5, id 25, wa 5, st 10. */
static const char after[] =
	"cpu  115 25 330 4025 55 11 9 20 2 1\n"
	"cpu0 115 25 330 4025 55 11 9 20 2 1\n"
	"intr 6000 1 2 3\nctxt 75000\nbtime 1700000000\nprocesses 950\n"
	"procs_running 5\nprocs_blocked 0\nsoftirq 8 1 2\n";

static void check_vmstat(struct vmstat_sampler *sampler)
{
	struct vmstat_sample a = { .ns = 1000000000 };
	struct vmstat_sample b = { .ns = 1500000000 };
	const struct vmstat_line *t = &sampler->run.total;
	struct error err = { 0 };

	tap_ok(!vmstat_parse(before, &a) && !vmstat_parse(after, &b),
	       "/proc/stat is read");
	tap_is_u64(a.running, 2, "the reader does not count as running");
	tap_ok(!vmstat_add(sampler, &a, &err) && !vmstat_add(sampler, &b, &err),
	       "two samples are added");
	tap_is_u64(sampler->run.nr, 1, "they make one line");
	tap_is_near(t->seconds, 0.5, 1e-9, "of half a second");
	tap_is_u64(sampler->run.interrupts, 1000, "interrupts");
	tap_is_u64(sampler->run.switches, 5000, "context switches");
	tap_is_u64(sampler->run.forks, 50, "forks");
	tap_is_near(t->in_per_s, 2000, 1e-6, "interrupts a second");
	tap_is_near(t->cs_per_s, 10000, 1e-6, "switches a second");
	tap_is_near(t->forks_per_s, 100, 1e-6, "forks a second");
	tap_is_near(t->us, 20, 1e-9, "us");
	tap_is_near(t->sy, 40, 1e-9, "sy");
	tap_is_near(t->id, 25, 1e-9, "id");
	tap_is_near(t->wa, 5, 1e-9, "wa");
	tap_is_near(t->st, 10, 1e-9, "st");
	tap_is_u64(sampler->run.line[0].r, 4, "r");
	tap_is_u64(sampler->run.line[0].b, 0, "b");
	b.ns = 2500000000;
	b.running = 1;
	b.switches += 1000;
	tap_ok(!vmstat_add(sampler, &b, &err), "a third one");
	tap_is_near(sampler->run.mean_r, 2.5, 1e-9, "mean r");
	tap_is_near(sampler->run.line[1].cs_per_s, 1000, 1e-6,
		    "its line is since the last one");
	tap_is_near(t->cs_per_s, 4000, 1e-6, "the total since the first");
}

static void check_stat_texts(void)
{
	static const char old[] = "cpu  1 2 3 4 5\nctxt 1\nprocesses 1\n"
				  "procs_running 1\nprocs_blocked 0\nintr 9\n";
	static const char *const bad[] = {
		"",
		"cpu",
		"cpu  1 2 3 4\nintr 1\nctxt 1\nprocesses 1\nprocs_running 1\n"
		"procs_blocked 1\n",
		"cpu  1 2 3 4 5\nintr 1\nctxt x\nprocesses 1\n"
		"procs_running 1\nprocs_blocked 1\n",
		"cpu  1 2 3 4 5\nintr 1\nctxt 1\nprocesses 1\n"
		"procs_running 1\nxprocs_blocked 1\n",
		"cpu0 1 2 3 4 5\nintr 1\nctxt 1\nprocesses 1\n"
		"procs_running 1\nprocs_blocked 1\n",
	};
	struct vmstat_sample s = { 0 };
	size_t i;

	tap_ok(!vmstat_parse(old, &s), "an old kernel's /proc/stat is read");
	tap_is_u64(s.user, 3, "with user + nice");
	tap_is_u64(s.steal, 0, "without steal");
	tap_is_u64(s.interrupts, 9, "in any order");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		tap_ok(vmstat_parse(bad[i], &s), "bad /proc/stat %zu", i);
}

static void make_result(struct workload_result *result)
{
	struct vmstat_sampler sampler = { 0 };
	uint64_t i;

	*result = (struct workload_result){
		.workload = "exim",
		.work = 1234567,
		.elapsed_s = 2.5,
		.forks = 25,
	};
	for (i = 1; i <= 1000; i++)
		rwsemlab_histogram_add(&result->latency, i * i * 1000);
	rwsemlab_histogram_add(&result->latency, UINT64_C(1) << 62);
	rwsemlab_histogram_add(&result->latency, 0);
	workload_result_metric(result, "connections_per_s", 12.5);
	result->verification.checked = 77;
	workload_result_failure(result, "first\n\x1b[31m %s", "\xc3\xa9");
	workload_result_failure(result, "second");
	error_set(&result->problem, EXIT_USAGE, "disk full");
	check_vmstat(&sampler);
	result->vmstat = sampler.run;
}

static void check_same_latency(const struct rwsemlab_histogram *a,
			       const struct rwsemlab_histogram *b)
{
	static const double share[] = { 0, 0.1, 0.5, 0.9, 0.99, 0.999, 1 };
	size_t i;

	tap_is_u64(a->count, b->count, "latencies: count");
	tap_is_u64(a->sum, b->sum, "latencies: sum");
	for (i = 0; i < sizeof(share) / sizeof(share[0]); i++)
		tap_is_u64(rwsemlab_histogram_quantile(a, share[i]),
			   rwsemlab_histogram_quantile(b, share[i]),
			   "latencies: quantile %g", share[i]);
}

static void check_round_trip(json_t *json, const struct workload_result *r)
{
	struct workload_result back;
	struct error err = { 0 };
	json_t *again;

	if (!tap_ok(!workload_result_from_json(json, &back, &err),
		    "its own JSON is read")) {
		tap_diag("%s", err.text);
		return;
	}
	check_same_latency(&back.latency, &r->latency);
	again = workload_result_json(&back);
	tap_ok(json_equal(json, again), "and written the same");
	tap_is_str(back.verification.first_failure, "first??[31m ??",
		   "the first failure was made printable");
	tap_is_u64(back.verification.failures, 2, "both failures count");
	tap_is_i64(workload_result_code(&back), EXIT_CHECK_FAILED,
		   "failures outrank a problem");
	json_decref(again);
	workload_result_free(&back);
}

/* A key on the path "a.b" is replaced by @value, or removed. */
static void set_path(json_t *json, const char *path, const char *value)
{
	char key[64];
	const char *dot;

	while ((dot = strchr(path, '.'))) {
		snprintf(key, sizeof(key), "%.*s", (int)(dot - path), path);
		json = json_object_get(json, key);
		path = dot + 1;
	}
	if (value)
		json_object_set_new(json, path,
				    json_loads(value, JSON_DECODE_ANY, NULL));
	else
		json_object_del(json, path);
}

static void check_bad(const json_t *good)
{
	static const struct {
		const char *path, *value;
	} bad[] = {
		{ "workload", NULL },
		{ "workload", "3" },
		{ "workload", "\"a-name-that-is-longer-than-any-workload\"" },
		{ "work", "-1" },
		{ "work", "1.5" },
		{ "elapsed_s", "-1" },
		{ "elapsed_s", "\"1\"" },
		{ "stopped", "0" },
		{ "latency", NULL },
		{ "latency", "[]" },
		{ "latency.count", "5" },
		{ "latency.count", "-1" },
		{ "latency.buckets", "{}" },
		{ "latency.buckets", "[[1]]" },
		{ "latency.buckets", "[[65, 1002]]" },
		{ "latency.buckets", "[[64, -1002]]" },
		{ "latency.buckets", "[[64, 1002, 1]]" },
		{ "latency.min_ns", "5000000000000000000" },
		{ "metrics", "[]" },
		{ "metrics.connections_per_s", "\"x\"" },
		{ "verification", NULL },
		{ "verification.failures", "-1" },
		{ "verification.first_failure", "3" },
		{ "problem", "{}" },
		{ "problem", NULL },
		{ "problem.code", "0" },
		{ "problem.code", "99" },
		{ "vmstat", NULL },
		{ "vmstat.lines", "3" },
		{ "vmstat.lines", "[3]" },
		{ "vmstat.lines", "[{\"r\": 1}]" },
		{ "vmstat.interrupts", "-1" },
		{ "vmstat.cs_per_s", "null" },
	};
	struct workload_result result;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		json_t *json = json_deep_copy(good);
		struct error err = { 0 };

		set_path(json, bad[i].path, bad[i].value);
		tap_ok(workload_result_from_json(json, &result, &err) &&
			       err.code == EXIT_USAGE && *err.text,
		       "refused: %s %s", bad[i].path,
		       bad[i].value ? bad[i].value : "missing");
		json_decref(json);
	}
	tap_ok(workload_result_from_json(NULL, &result, &(struct error){ 0 }),
	       "refused: nothing");
}

static void check_print(const struct workload_result *result)
{
	static const char *const want[] = {
		"exim: 1,234,567 messages in 2.500 s = 493,827/s; 25 forks ="
		" 10/s\n",
		"p50 252 ms ",
		"metrics   connections_per_s 12.5\n",
		"verified  77 accepted messages, each there exactly once,"
		" 2 wrong\n",
		"wrong     first: first??[31m ??\n",
		"cs 4,000/s",
		"problem   disk full\n",
	};
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	workload_result_print(result, out);
	fclose(out);
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		if (!tap_ok(strstr(text, want[i]), "printed: %s", want[i]))
			tap_diag("%s", text);
	free(text);
}

int main(void)
{
	struct workload_result result;
	json_t *json;

	check_stat_texts();
	make_result(&result);
	json = workload_result_json(&result);
	if (!json)
		tap_bail("no JSON");
	tap_is_near(json_number_value(json_object_get(json, "work_per_s")),
		    493826.8, 1e-6, "work_per_s");
	check_round_trip(json, &result);
	check_bad(json);
	check_print(&result);
	json_decref(json);
	workload_result_free(&result);
	tap_is_i64(workload_result_code(&result), EXIT_OK,
		   "an empty result is fine");
	return tap_done();
}
