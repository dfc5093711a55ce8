/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moving tasks between cgroups, and where they are.
 */
#ifndef WORKLOADS_CGROUP_MEMBER_H
#define WORKLOADS_CGROUP_MEMBER_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"
#include "workloads/cgroup/place.h"

/**
 * cgroup_open() - open a file of a cgroup to write to
 * @file: "cgroup.procs"
 *
 * Return: a descriptor, close-on-exec, or -1 with errno set.
 */
int cgroup_open(const char *path, const char *file);

/**
 * cgroup_write_id() - write a number to such a file
 *
 * Return: 0, or -1 with errno set.
 */
int cgroup_write_id(int fd, pid_t id);

/**
 * cgroup_enter() - move the calling process into a cgroup
 */
int cgroup_enter(const char *path, struct error *err);

/**
 * cgroup_contains() - is the task in this cgroup, by /proc?
 * @proc: its folder there: "self", "7", "7/task/8"
 * @path: of the cgroup, in a hierarchy of @own; what counts is all from the
 *        name of @own on
 */
bool cgroup_contains(const struct cgroup_own *own, const char *proc,
		     const char *path);

/**
 * cgroup_count_below() - cgroups directly beneath it, or -1 with errno set
 */
int cgroup_count_below(const char *path);

#endif
