/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of workloads: what only the harness needs.
 */
#ifndef WORKLOADS_OPTIONS_H
#define WORKLOADS_OPTIONS_H

#include "workloads/workload.h"

/**
 * workload_option_range() - what a key takes: "a number from 1 to 1000"
 */
void workload_option_range(const struct workload_option *option, char *buffer,
			   size_t size);

/**
 * workload_option_words() - words that parse to the same options
 *
 * Return: an array that ends in NULL, free with workload_free_words(); NULL
 * without memory.
 */
char **workload_option_words(const struct workload_options *options);

/**
 * workload_free_words() - NULL is fine
 */
void workload_free_words(char **words);

#endif
