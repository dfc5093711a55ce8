/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session: a folder with session.json and one folder a run, run-001 on,
 * each with its perf.data.  rwsemlab-session(5) describes it.
 */
#ifndef RWSEMLAB_ANALYZE_SESSION_FILE_H
#define RWSEMLAB_ANALYZE_SESSION_FILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct session {
	char *path; /* the folder */
	json_t *root; /* session.json; "runs" is an array of objects */
};

/**
 * session_create() - make the folder of a new session
 * @path: folder to make, or an empty one; NULL: @name-001, or the first
 *        number in the working directory that is free
 * @head: the object that session.json begins as; taken over
 *
 * Return: 0, or -1 with @err set (the folder holds something: nothing of it
 * is touched).  Free with session_free().
 */
int session_create(const char *path, const char *name, json_t *head,
		   struct session *s, struct error *err);

/**
 * session_new_run() - make the folder of the next run
 * @path: where the path of its perf.data goes, to be freed
 *
 * Return: the run's number from 1, or -1 with @err set.
 */
int session_new_run(struct session *s, char **perf_data, struct error *err);

/**
 * session_add_run() - write a finished run down
 * @run: an object with "result" and "recording"; taken over
 *
 * session.json is replaced in one step, so it is whole at any time.
 */
int session_add_run(struct session *s, int number, json_t *run,
		    struct error *err);

/**
 * session_is() - whether a path is a folder with a session.json
 */
bool session_is(const char *path);

/**
 * session_open() - read session.json
 *
 * Return: 0, or -1 with @err set, which names the line of a syntax error or
 * the key that is missing.  Free with session_free().
 */
int session_open(const char *path, struct session *s, struct error *err);

size_t session_nr_runs(const struct session *s);

/**
 * session_run() - a run's object
 * @perf_data: where the path of its perf.data goes, to be freed; NULL: not
 *             wanted.  It never leaves the session's folder.
 *
 * Return: borrowed; NULL when memory ran out.
 */
json_t *session_run(const struct session *s, size_t i, char **perf_data);

void session_free(struct session *s);

#endif
