/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of a run's own cgroups, and what killed runs left.
 */
#ifndef WORKLOADS_CGROUP_LEFTOVERS_H
#define WORKLOADS_CGROUP_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

#define CGROUP_NAME_SIZE 96

/**
 * cgroup_own_name() - that of a cgroup of this process
 * @was: "", "-favordynmods" or "-nofavordynmods"
 *
 * Return: 0; -1 with errno set without /proc.
 */
int cgroup_own_name(char name[CGROUP_NAME_SIZE], const char *was);

/**
 * cgroup_is_leftover() - is it the name of a process that is gone?
 * @restore_favor: receives what favordynmods was: 1, 0, or -1 where the name
 *                 does not say
 */
bool cgroup_is_leftover(const char *name, int *restore_favor);

/**
 * cgroup_is_inside() - is this path in a cgroup file system?
 */
bool cgroup_is_inside(const char *path);

#endif
