// SPDX-License-Identifier: GPL-2.0-only
/*
 * The format of pprof, which profile stores take as well: stacks of
 * locations, each with all its numbers and with labels.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/paths.h"
#include "analyze/report.h"
#include "analyze/reports/pprof-write.h"

#define MAX_LABELS 8
#define NR_VALUES  4

/* What of a row goes into a sample, in this order. */
enum value {
	VALUE_SLEEPS,
	VALUE_OFF,
	VALUE_CONTENTIONS,
	VALUE_WAIT,
};

struct pprof {
	struct pprof_writer w;
	const struct summary *s;
	struct profile *p;
	struct path path;
	bool has[NR_VALUES];
	bool *located; /* by location: written already */
	uint32_t nr_locations;
	bool *functions; /* by string: written already */
	uint32_t nr_functions;
	uint64_t *ids; /* of the sample at hand */
	uint32_t size;
};

/* Whether @bits[i] is set; sets it. */
static bool test_and_set(bool **bits, uint32_t *nr, uint32_t i, bool *failed)
{
	if (i >= *nr) {
		uint32_t size = i + 1024;
		bool *grown = realloc(*bits, size * sizeof(*grown));

		if (!grown) {
			*failed = true;
			return true;
		}
		memset(grown + *nr, 0, (size - *nr) * sizeof(*grown));
		*bits = grown;
		*nr = size;
	}
	if ((*bits)[i])
		return true;
	(*bits)[i] = true;
	return false;
}

/* ----------------------------------------------- functions and locations */

/* Functions are numbered as their names' strings are. */
static uint64_t function_id(struct pprof *x, uint32_t name)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT;
	Pprof__Function *list = &function;

	if (test_and_set(&x->functions, &x->nr_functions, name, &x->w.failed))
		return name;
	function.id = name;
	function.name = pprof_string(&x->w, name);
	function.system_name = function.name;
	piece.n_function = 1;
	piece.function = &list;
	pprof_put(&x->w, &piece);
	return name;
}

/* Steps that are no frames are numbered behind them. */
static uint64_t location_id(struct pprof *x, uint32_t frame, uint32_t name)
{
	uint32_t nr_frames = profile_nr_frames(x->p);
	uint32_t number = frame != PATH_NO_FRAME   ? frame :
			  name == x->path.no_chain ? nr_frames :
						     nr_frames + 1;
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Location location = PPROF__LOCATION__INIT;
	Pprof__Location *list = &location;
	Pprof__Line line = PPROF__LINE__INIT;
	Pprof__Line *lines = &line;

	if (test_and_set(&x->located, &x->nr_locations, number, &x->w.failed))
		return (uint64_t)number + 1;
	if (frame != PATH_NO_FRAME) {
		const struct frame *f = profile_get_frame(x->p, frame);

		location.mapping_id = f->dso;
		location.address = f->address;
	}
	line.function_id = function_id(x, name);
	location.id = (uint64_t)number + 1;
	location.n_line = 1;
	location.line = &lines;
	piece.n_location = 1;
	piece.location = &list;
	pprof_put(&x->w, &piece);
	return (uint64_t)number + 1;
}

/* ---------------------------------------------------------------- mappings */

static void put_mapping(struct pprof *x, uint32_t dso, uint64_t start,
			uint64_t last)
{
	const struct dso *d = profile_get_dso(x->p, dso);
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT;
	Pprof__Mapping *list = &mapping;
	char id[2 * sizeof(d->build_id) + 1] = "";
	unsigned int i;

	for (i = 0; i < d->build_id_size; i++)
		snprintf(id + 2 * i, 3, "%02x", d->build_id[i]);
	mapping.id = dso;
	/* Addresses of files are offsets in them. */
	mapping.memory_start =
		d->kind == DSO_USER || d->kind == DSO_VDSO ? 0 : start;
	mapping.memory_limit = last == UINT64_MAX ? last : last + 1;
	mapping.filename = pprof_string(&x->w, d->path);
	mapping.build_id = pprof_text(&x->w, id);
	mapping.has_functions = true;
	piece.n_mapping = 1;
	piece.mapping = &list;
	pprof_put(&x->w, &piece);
}

static void put_mappings(struct pprof *x)
{
	uint32_t nr = profile_nr_dsos(x->p), i;
	uint64_t *range = calloc(2 * (size_t)nr + 1, sizeof(*range));

	if (!range) {
		x->w.failed = true;
		return;
	}
	for (i = 0; i < nr; i++)
		range[2 * i] = UINT64_MAX;
	for (i = 0; i < profile_nr_frames(x->p); i++) {
		const struct frame *f = profile_get_frame(x->p, i);

		if (f->address < range[2 * f->dso])
			range[2 * f->dso] = f->address;
		if (f->address > range[2 * f->dso + 1])
			range[2 * f->dso + 1] = f->address;
	}
	/* 0 stands for none there, too. */
	for (i = 1; i < nr; i++)
		if (range[2 * i] != UINT64_MAX)
			put_mapping(x, i, range[2 * i], range[2 * i + 1]);
	free(range);
}

/* ----------------------------------------------------------------- samples */

struct labels {
	Pprof__Label label[MAX_LABELS];
	Pprof__Label *list[MAX_LABELS];
	size_t nr;
};

static void add_label(struct pprof *x, struct labels *l, const char *key,
		      const char *text, uint64_t number)
{
	Pprof__Label *label = &l->label[l->nr];

	if (!number && !(text && *text))
		return;
	pprof__label__init(label);
	label->key = pprof_text(&x->w, key);
	if (text)
		label->str = pprof_text(&x->w, text);
	else
		label->num = (int64_t)number;
	l->list[l->nr++] = label;
}

static void add_group(struct pprof *x, struct labels *l, uint32_t stack,
		      uint64_t group)
{
	const struct summary_row row = {
		.group = summary_group(x->s, stack, group),
	};
	static const char *const keys[] = {
		[SPLIT_CPU] = "cpu",
		[SPLIT_LOCK] = "lock_address",
		[SPLIT_CGROUP] = "cgroup",
	};
	char name[SUMMARY_GROUP_SIZE];

	switch (x->p->split) {
	case SPLIT_NONE:
	case SPLIT_STACK:
	case SPLIT_WAKER:
		break;
	case SPLIT_TASK:
		add_label(x, l, "tid", NULL, group >> 32);
		/* fallthrough */
	case SPLIT_COMM:
		add_label(x, l, "comm", profile_text(x->p, (uint32_t)group), 0);
		break;
	case SPLIT_CPU:
	case SPLIT_LOCK:
	case SPLIT_CGROUP:
		summary_group_name(x->s, &row, name, sizeof(name));
		add_label(x, l, keys[x->p->split], name, 0);
		break;
	}
}

static void add_site(struct pprof *x, struct labels *l, uint32_t stack)
{
	const struct site *site =
		sites_get(x->s->sites, sites_of_stack(x->s->sites, stack));
	char name[64];

	if (site->type == SITE_LOCK) {
		add_label(x, l, "lock",
			  summary_lock_name(site, name, sizeof(name)), 0);
		add_label(x, l, "family", site->family, 0);
	} else {
		add_label(x, l, "kind", site->kind, 0);
	}
	add_label(x, l, "site", profile_text(x->p, site->caller), 0);
}

static int fill_ids(struct pprof *x, uint32_t stack)
{
	uint32_t i;

	if (path_take(&x->path, stack, 0, 0))
		return -1;
	if (x->path.nr > x->size) {
		uint32_t size = 2 * x->path.nr;
		uint64_t *grown = realloc(x->ids, size * sizeof(*grown));

		if (!grown)
			return -1;
		x->ids = grown;
		x->size = size;
	}
	for (i = 0; i < x->path.nr; i++)
		x->ids[x->path.nr - 1 - i] =
			location_id(x, x->path.frame[i], x->path.name[i]);
	return 0;
}

static void put_sample(struct pprof *x, uint32_t stack, uint64_t group,
		       const uint64_t all[NR_VALUES])
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Sample sample = PPROF__SAMPLE__INIT;
	Pprof__Sample *list = &sample;
	struct labels labels = { .nr = 0 };
	int64_t value[NR_VALUES];
	unsigned int i;

	for (i = 0; i < NR_VALUES; i++)
		if (x->has[i])
			value[sample.n_value++] = (int64_t)all[i];
	if (fill_ids(x, stack)) {
		x->w.failed = true;
		return;
	}
	add_group(x, &labels, stack, group);
	add_site(x, &labels, stack);
	sample.value = value;
	sample.n_location_id = x->path.nr;
	sample.location_id = x->ids;
	sample.n_label = labels.nr;
	sample.label = labels.list;
	piece.n_sample = 1;
	piece.sample = &list;
	pprof_put(&x->w, &piece);
}

static void put_samples(struct pprof *x)
{
	size_t i;

	for (i = 0; i < profile_nr_sleep_rows(x->p); i++) {
		const struct sleep_row *row = profile_get_sleep_row(x->p, i);
		const uint64_t all[NR_VALUES] = {
			[VALUE_SLEEPS] = row->sleeps,
			[VALUE_OFF] = row->off_ns,
		};

		if (row->sleeps)
			put_sample(x, row->stack, row->group, all);
	}
	for (i = 0; i < profile_nr_acquisition_rows(x->p); i++) {
		const struct acquisition_row *row =
			profile_get_acquisition_row(x->p, i);
		const uint64_t all[NR_VALUES] = {
			[VALUE_CONTENTIONS] = row->count,
			[VALUE_WAIT] = row->wait_ns,
		};

		if (row->count)
			put_sample(x, row->stack, row->group, all);
	}
}

/* -------------------------------------------------------------------- head */

static void put_type(struct pprof *x, const char *type, const char *unit)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__ValueType value = PPROF__VALUE_TYPE__INIT;
	Pprof__ValueType *list = &value;

	value.type = pprof_text(&x->w, type);
	value.unit = pprof_text(&x->w, unit);
	piece.n_sample_type = 1;
	piece.sample_type = &list;
	pprof_put(&x->w, &piece);
}

static void put_types(struct pprof *x)
{
	static const char *const types[NR_VALUES][2] = {
		[VALUE_SLEEPS] = { "sleeps", "count" },
		[VALUE_OFF] = { "off_cpu", "nanoseconds" },
		[VALUE_CONTENTIONS] = { "contentions", "count" },
		[VALUE_WAIT] = { "wait", "nanoseconds" },
	};
	unsigned int i;

	x->has[VALUE_SLEEPS] = true;
	x->has[VALUE_OFF] = !weight_missing(x->p, WEIGHT_OFF);
	x->has[VALUE_CONTENTIONS] = x->has[VALUE_WAIT] =
		!weight_missing(x->p, WEIGHT_WAIT);
	if (x->p->unit == UNIT_SHARE) {
		put_type(x, "share_of_switches", "billionths");
		return;
	}
	for (i = 0; i < NR_VALUES; i++)
		if (x->has[i])
			put_type(x, types[i][0], types[i][1]);
}

static void put_head(struct pprof *x, enum weight weight)
{
	static const char *const names[NR_WEIGHTS] = {
		[WEIGHT_SLEEPS] = "sleeps",
		[WEIGHT_OFF] = "off_cpu",
		[WEIGHT_WAIT] = "wait",
	};
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;
	char kernel[256];
	int64_t comment;

	put_types(x);
	snprintf(kernel, sizeof(kernel), "rwsemlab: kernel %s %s of %s",
		 profile_text(x->p, x->p->os_release),
		 profile_text(x->p, x->p->arch),
		 profile_text(x->p, x->p->hostname));
	comment = pprof_text(&x->w, kernel);
	type.type = pprof_text(&x->w, "switches");
	type.unit = pprof_text(&x->w, "count");
	piece.period_type = &type;
	piece.period = x->p->sample_period;
	piece.duration_nanos = (int64_t)x->p->window_ns;
	if (x->p->os_release) {
		piece.n_comment = 1;
		piece.comment = &comment;
	}
	if (x->p->unit == UNIT_EVENTS)
		piece.default_sample_type = pprof_text(&x->w, names[weight]);
	pprof_put(&x->w, &piece);
}

static int print_pprof(const struct report_input *in,
		       const struct report_options *options, FILE *out,
		       struct error *err)
{
	struct pprof x = { .s = in->summary, .p = in->summary->profile };
	int ret = path_init(&x.path, in->summary);

	if (!ret)
		ret = pprof_begin(&x.w, x.p, out);
	if (!ret) {
		put_head(&x, options->weight);
		put_mappings(&x);
		put_samples(&x);
		ret = pprof_end(&x.w);
	}
	path_free(&x.path);
	free(x.located);
	free(x.functions);
	free(x.ids);
	if (ret)
		return error_set(err, EXIT_USAGE, "out of memory");
	return 0;
}

const struct report report_pprof = {
	.format.name = "pprof",
	.format.summary = "a profile for pprof and profile stores (gzip)",
	.binary = true,
	.print = print_pprof,
};
