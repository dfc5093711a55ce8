// SPDX-License-Identifier: GPL-2.0-only
/* One JSON document; rwsemlab-json(5) describes it. */
#include <inttypes.h>
#include <string.h>

#include "analyze/reports/document.h"

/* jansson's integers are signed: what does not fit is cut, never negative. */
static json_t *number(uint64_t n)
{
	return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

/* A string of the input may hold bytes that are no UTF-8. */
json_t *document_text(const char *s)
{
	json_t *json = json_string(s);
	char clean[512];
	size_t i;

	if (json)
		return json;
	for (i = 0; i < sizeof(clean) - 1 && s[i]; i++)
		clean[i] = (signed char)s[i] < 0 ? '?' : s[i];
	clean[i] = '\0';
	return json_string(clean);
}

static json_t *text(const char *s)
{
	return document_text(s);
}

static json_t *text_or_null(const struct profile *p, uint32_t string)
{
	return string ? text(profile_text(p, string)) : json_null();
}

static void set(json_t *object, const char *key, json_t *value, bool *failed)
{
	if (json_object_set_new(object, key, value))
		*failed = true;
}

static json_t *histogram(const struct rwsemlab_histogram *h, bool *failed)
{
	static const struct {
		const char *key;
		double q;
	} quantiles[] = {
		{ "p50_ns", 0.5 },
		{ "p90_ns", 0.9 },
		{ "p99_ns", 0.99 },
		{ "p999_ns", 0.999 },
	};
	json_t *json = json_object();
	size_t i;

	set(json, "count", number(h->count), failed);
	set(json, "sum_ns", number(h->sum), failed);
	if (!h->count)
		return json;
	set(json, "min_ns", number(h->min), failed);
	for (i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		set(json, quantiles[i].key,
		    number(rwsemlab_histogram_quantile(h, quantiles[i].q)),
		    failed);
	set(json, "max_ns", number(h->max), failed);
	return json;
}

static json_t *states(const struct summary_row *row, bool *failed)
{
	static const char *const keys[NR_TASK_STATES] = {
		[STATE_RUNNING] = "R",	       [STATE_INTERRUPTIBLE] = "S",
		[STATE_UNINTERRUPTIBLE] = "D", [STATE_STOPPED] = "T",
		[STATE_TRACED] = "t",	       [STATE_DEAD] = "X",
		[STATE_PARKED] = "P",	       [STATE_IDLE] = "I",
		[STATE_OTHER] = "other",
	};
	json_t *json = json_object();
	unsigned int i;

	for (i = 0; i < NR_TASK_STATES; i++)
		if (row->by_state[i])
			set(json, keys[i], number(row->by_state[i]), failed);
	return json;
}

static const char *type_of(const struct site *site)
{
	switch (site->type) {
	case SITE_LOCK:
		return "lock";
	case SITE_OTHER:
		return "other";
	case SITE_UNKNOWN:
		return "unknown";
	case SITE_NO_CHAIN:
		break;
	}
	return "no_chain";
}

static void set_site(const struct summary *s, const struct site *site,
		     json_t *json, bool *failed)
{
	set(json, "type", json_string(type_of(site)), failed);
	if (site->type == SITE_LOCK) {
		set(json, "class", text(site->lock_class), failed);
		set(json, "mode",
		    site->mode[0] ? text(site->mode) : json_null(), failed);
		set(json, "family",
		    site->family[0] ? text(site->family) : json_null(), failed);
		if (site->kind[0])
			set(json, "kind", text(site->kind), failed);
		set(json, "callers_cut", json_boolean(site->cut), failed);
	} else if (site->type == SITE_OTHER) {
		set(json, "kind", text(site->kind), failed);
	}
	set(json, "site", text_or_null(s->profile, site->caller), failed);
}

static void set_row_site(const struct summary *s, const struct summary_row *row,
			 uint32_t slow_path, json_t *json, bool *failed)
{
	const struct site *site = summary_site(s, row);
	char group[SUMMARY_GROUP_SIZE];

	set_site(s, site, json, failed);
	if (site->type == SITE_LOCK)
		set(json, "slow_path", text_or_null(s->profile, slow_path),
		    failed);
	if (s->profile->split != SPLIT_NONE)
		set(json, "group",
		    text(summary_group_name(s, row, group, sizeof(group))),
		    failed);
}

static json_t *sleep_row(const struct report_input *in,
			 const struct summary_row *row, bool *failed)
{
	const struct profile *p = in->summary->profile;
	uint64_t base = p->unit == UNIT_SHARE ? p->switches : p->sleeps;
	json_t *json = json_object();

	set_row_site(in->summary, row, row->slow_path, json, failed);
	if (p->unit == UNIT_EVENTS) {
		set(json, "sleeps", number(row->sleeps), failed);
		set(json, "share_of_sleeps",
		    json_real(base ? (double)row->sleeps / (double)base : 0),
		    failed);
	} else {
		set(json, "share_of_switches",
		    json_real(base ? (double)row->sleeps / (double)base : 0),
		    failed);
	}
	if (in->work > 0)
		set(json, "sleeps_per_work",
		    json_real((double)row->sleeps / in->work), failed);
	set(json, "by_state", states(row, failed), failed);
	if (p->has_all_switches)
		set(json, "off_cpu", histogram(&row->off, failed), failed);
	if (p->has_wakeups) {
		set(json, "woken", number(row->woken), failed);
		set(json, "runnable_ns", number(row->runnable_ns), failed);
	}
	return json;
}

static json_t *contended_row(const struct report_input *in,
			     const struct summary_row *row, bool *failed)
{
	json_t *json = json_object();
	char address[24];

	set_row_site(in->summary, row, row->wait_slow_path, json, failed);
	set(json, "acquisitions", number(row->acquisitions), failed);
	set(json, "no_sleep", number(row->ended[ACQUIRED_NO_SLEEP]), failed);
	set(json, "one_sleep", number(row->ended[ACQUIRED_ONE_SLEEP]), failed);
	set(json, "more_sleeps", number(row->ended[ACQUIRED_MORE_SLEEPS]),
	    failed);
	set(json, "failed", number(row->ended[ACQUISITION_FAILED]), failed);
	set(json, "sleeps", number(row->acquisition_sleeps), failed);
	set(json, "wait", histogram(&row->wait, failed), failed);
	if (in->summary->profile->split != SPLIT_NONE)
		return json;
	set(json, "locks", number(row->locks), failed);
	set(json, "locks_are_more", json_boolean(in->summary->more_locks),
	    failed);
	snprintf(address, sizeof(address), "0x%" PRIx64, row->hottest_lock);
	set(json, "hottest_lock", json_string(address), failed);
	set(json, "hottest_acquisitions", number(row->hottest_count), failed);
	return json;
}

static json_t *site_object(const struct summary *s, uint32_t number_,
			   bool *failed)
{
	const struct site *site = sites_get(s->sites, number_);
	json_t *json;

	if (site->type == SITE_NO_CHAIN)
		return json_null();
	json = json_object();
	set_site(s, site, json, failed);
	return json;
}

static json_t *releases(const struct summary *s, bool *failed)
{
	json_t *json = json_array();
	size_t i;

	for (i = 0; i < s->nr_releases; i++) {
		const struct summary_release *x = s->releases[i];
		json_t *row = json_object();

		set(row, "sleeper", site_object(s, x->site, failed), failed);
		set(row, "released_by", text_or_null(s->profile, x->releaser),
		    failed);
		set(row, "comm", text_or_null(s->profile, x->comm), failed);
		set(row, "interrupt", json_boolean(x->interrupt), failed);
		set(row, "releaser_last_sleep",
		    site_object(s, x->releaser_site, failed), failed);
		set(row, "count", number(x->count), failed);
		set(row, "wake_to_run", histogram(&x->delay, failed), failed);
		if (json_array_append_new(json, row))
			*failed = true;
	}
	return json;
}

static json_t *rows(const struct report_input *in,
		    const struct summary_row *const *list, size_t nr,
		    json_t *(*row)(const struct report_input *,
				   const struct summary_row *, bool *),
		    bool *failed)
{
	json_t *json = json_array();
	size_t i;

	for (i = 0; i < nr; i++)
		if (json_array_append_new(json, row(in, list[i], failed)))
			*failed = true;
	return json;
}

static json_t *recording(const struct profile *p, bool *failed)
{
	json_t *json = json_object();

	set(json, "source", text_or_null(p, p->source), failed);
	set(json, "format", text_or_null(p, p->format), failed);
	set(json, "kernel", text_or_null(p, p->os_release), failed);
	set(json, "architecture", text_or_null(p, p->arch), failed);
	set(json, "hostname", text_or_null(p, p->hostname), failed);
	set(json, "cpu_model", text_or_null(p, p->cpu_model), failed);
	set(json, "cpus_online",
	    p->cpus_online ? number(p->cpus_online) : json_null(), failed);
	set(json, "perf_version", text_or_null(p, p->perf_version), failed);
	set(json, "command_line", text_or_null(p, p->cmdline), failed);
	set(json, "files", number(p->files), failed);
	set(json, "window_ns", number(p->window_ns), failed);
	set(json, "sample_period", number(p->sample_period), failed);
	set(json, "all_switches_recorded", json_boolean(p->has_all_switches),
	    failed);
	set(json, "contention_recorded", json_boolean(p->has_contention),
	    failed);
	set(json, "wakeups_recorded", json_boolean(p->has_wakeups), failed);
	return json;
}

static json_t *losses(const struct profile *p, bool *failed)
{
	const struct profile_losses *l = &p->losses;
	json_t *json = json_object();

	set(json, "lost", number(l->lost), failed);
	set(json, "lost_samples", number(l->lost_samples), failed);
	set(json, "throttled", number(l->throttled), failed);
	set(json, "out_of_order", number(l->out_of_order), failed);
	set(json, "malformed", number(l->malformed), failed);
	set(json, "truncated_bytes", number(l->truncated_bytes), failed);
	return json;
}

static json_t *unpaired(const struct profile *p, bool *failed)
{
	const struct profile_unpaired *u = &p->unpaired;
	json_t *json = json_object();

	set(json, "begin_open_at_end", number(u->begin_open), failed);
	set(json, "begin_task_exited", number(u->begin_exited), failed);
	set(json, "begin_without_end", number(u->begin_dropped), failed);
	set(json, "end_without_begin", number(u->end_alone), failed);
	set(json, "sleep_open_at_end", number(u->sleep_open), failed);
	set(json, "sleep_without_switch_in", number(u->sleep_dropped), failed);
	return json;
}

static json_t *totals(const struct report_input *in, bool *failed)
{
	const struct summary *s = in->summary;
	const struct profile *p = s->profile;
	json_t *json = json_object();

	if (p->unit == UNIT_SHARE) {
		double all = p->switches ? (double)p->switches : 1;

		set(json, "lock_share_of_switches",
		    json_real((double)s->lock_sleeps / all), failed);
		set(json, "imported_share_of_switches",
		    json_real((double)p->sleeps / all), failed);
		return json;
	}
	set(json, "events", number(p->events), failed);
	set(json, "switches", number(p->switches), failed);
	set(json, "sleeps", number(p->sleeps), failed);
	set(json, "preemptions", number(p->preemptions), failed);
	set(json, "from_idle", number(p->from_idle), failed);
	set(json, "lock_sleeps", number(s->lock_sleeps), failed);
	set(json, "lock_sleeps_caller_unknown", number(s->cut_sleeps), failed);
	set(json, "other_sleeps", number(s->other_sleeps), failed);
	set(json, "unknown_sleeps", number(s->unknown_sleeps), failed);
	set(json, "no_chain_sleeps", number(s->no_chain_sleeps), failed);
	set(json, "acquisitions", number(s->acquisitions), failed);
	return json;
}

static json_t *warnings(const struct profile *p, bool *failed)
{
	json_t *json = json_array();
	size_t i;

	for (i = 0; i < profile_nr_warnings(p); i++) {
		uint64_t times;
		const char *warning = profile_warning(p, i, &times);

		if (json_array_append_new(json, text(warning)))
			*failed = true;
	}
	return json;
}

json_t *document_new(const struct report_input *in, bool *failed)
{
	const struct summary *s = in->summary;
	const struct profile *p = s->profile;
	json_t *json = json_object();

	set(json, "format", json_string("rwsemlab-report-1"), failed);
	if (in->session && json_object_set(json, "session", in->session))
		*failed = true;
	set(json, "recording", recording(p, failed), failed);
	set(json, "unit",
	    json_string(p->unit == UNIT_SHARE ? "share" : "events"), failed);
	set(json, "totals", totals(in, failed), failed);
	set(json, "losses", losses(p, failed), failed);
	if (p->timeline.slice_ns)
		set(json, "switches_over_time",
		    document_timeline(&p->timeline, failed), failed);
	if (in->work > 0) {
		set(json, "work", json_real(in->work), failed);
		set(json, "work_unit", text(in->unit), failed);
	}
	set(json, "lock_sleeps",
	    rows(in, s->locks, s->nr_locks, sleep_row, failed), failed);
	set(json, "other_sleeps",
	    rows(in, s->others, s->nr_others, sleep_row, failed), failed);
	set(json, "contended_acquisitions",
	    rows(in, s->contended, s->nr_contended, contended_row, failed),
	    failed);
	if (s->nr_releases)
		set(json, "releases", releases(s, failed), failed);
	set(json, "unpaired", unpaired(p, failed), failed);
	set(json, "warnings", warnings(p, failed), failed);
	return json;
}

int document_print(json_t *json, bool failed, FILE *out, struct error *err)
{
	/* A write error shows in the stream, which the program checks. */
	if (!failed && json_dumpf(json, out, JSON_INDENT(1)) == 0)
		fputc('\n', out);
	else if (!ferror(out))
		failed = true;
	json_decref(json);
	if (failed)
		return error_set(err, EXIT_USAGE,
				 "out of memory for the JSON document");
	return 0;
}

static int print_json(const struct report_input *in,
		      const struct report_options *options, FILE *out,
		      struct error *err)
{
	bool failed = false;
	json_t *json = document_new(in, &failed);

	(void)options;
	return document_print(json, failed, out, err);
}

const struct report report_json = {
	.format.name = "json",
	.format.summary = "one JSON document",
	.print = print_json,
};
