/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of a comparison ask of each other; nobody else includes it. */
#ifndef RWSEMLAB_ANALYZE_DIFF_PRIVATE_H
#define RWSEMLAB_ANALYZE_DIFF_PRIVATE_H

#include "analyze/diff.h"

/* Functions return 0, or -1 when memory ran out. */

/* diff-align.c: make the lines */
int diff_align(const struct diff *d, struct diff_comparison *c);

/* diff-lines.c */
struct diff_line *diff_line_new(enum diff_kind kind, enum site_type type,
				uint32_t family);
int diff_line_add(struct diff_line *line, int side, const struct diff_row *row);
/* Count its rows and its children's, and give it its status. */
int diff_line_sum(struct diff_line *line, const struct diff_comparison *c);
void diff_lines_free(struct diff_line *line, const struct diff_comparison *c);
/* Most first, by a measure and then by name; children too. */
int diff_lines_sort(const struct diff *d, struct diff_line **list,
		    unsigned int measure);

/* diff-values.c: values of lines, verdicts over all of them */
int diff_values(struct diff_comparison *c);
int diff_measure(const struct diff_comparison *c, const struct diff_line *line,
		 unsigned int measure, struct diff_value *v);

/* diff-samples.c: what one value is made from. */
struct diff_samples {
	double *side[2]; /* of each run */
	size_t nr[2];
	enum diff_test test; /* of the comparison */
	bool paired; /* then only pairs that are known on both sides */
	double median[2]; /* of all that is known */
	double resolution; /* as in struct diff_value */
	double events; /* on both sides; NAN: no such count */
};
/* All of it not known. */
void diff_value_clear(struct diff_value *v);
/* v->ratio from v->side. */
void diff_value_ratio(struct diff_value *v);
/* The p-value of a difference between the sides; NAN without memory. */
double diff_samples_p(const struct diff_samples *s);
int diff_value_of_samples(struct diff_value *v, struct diff_samples *s,
			  enum diff_test test);

/* Calls @of for each run that counts; with pairs, neighbours have the same
   place, and a pair with a NAN is dropped. */
int diff_samples_take(struct diff_samples *s, const struct diff_comparison *c,
		      double (*of)(const struct diff_side *side, size_t run,
				   void *context),
		      void *context);
void diff_samples_free(struct diff_samples *s);
/* Verdicts from p-values, with control over all of @values. */
int diff_judge(struct diff_value **values, size_t nr);

/* diff-totals.c */
int diff_totals(const struct diff *d, struct diff_comparison *c);
void diff_totals_free(struct diff_comparison *c);

/* diff-notes.c: what should be known before a number is believed */
void diff_notes_sides(struct diff *d);
void diff_notes_comparison(struct diff *d, const struct diff_comparison *c);

#endif
