// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/session-file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT	 "rwsemlab-session-1"
#define MAX_RUNS 9999
#define MAX_FILE (64u << 20)

static int no_memory(struct error *err)
{
	return error_set(err, EXIT_USAGE, "out of memory");
}

static bool is_empty(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	bool empty = true;

	if (!d)
		return false;
	while (empty && (e = readdir(d)))
		empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
	closedir(d);
	return empty;
}

static int make_named(const char *path, struct error *err)
{
	if (!mkdir(path, 0777))
		return 0;
	if (errno != EEXIST)
		return error_errno(err, EXIT_USAGE,
				   "cannot make the session folder %s", path);
	if (is_empty(path))
		return 0;
	return error_set(err, EXIT_USAGE,
			 "%s exists and is no empty folder; nothing is"
			 " overwritten, choose another with -o",
			 path);
}

static int make_numbered(const char *name, char **path, struct error *err)
{
	int number;

	for (number = 1; number <= MAX_RUNS; number++) {
		if (asprintf(path, "%s-%03d", name, number) < 0) {
			*path = NULL;
			return no_memory(err);
		}
		if (!mkdir(*path, 0777))
			return 0;
		if (errno != EEXIST)
			return error_errno(err, EXIT_USAGE,
					   "cannot make the session folder %s;"
					   " choose another place with -o",
					   *path);
		free(*path);
		*path = NULL;
	}
	return error_set(err, EXIT_USAGE,
			 "%s-001 to -%d exist; choose a name with -o", name,
			 MAX_RUNS);
}

/* A whole new file takes the old one's place. */
static int write_json(const char *folder, const char *name, const json_t *json,
		      struct error *err)
{
	char *path = NULL, *temporary = NULL;
	FILE *f = NULL;
	int ret = -1;

	if (asprintf(&path, "%s/%s", folder, name) < 0 ||
	    asprintf(&temporary, "%s/.%s.new", folder, name) < 0) {
		no_memory(err);
		goto out;
	}
	f = fopen(temporary, "we");
	if (!f || json_dumpf(json, f, JSON_INDENT(1)) || fputc('\n', f) < 0 ||
	    error_flush(f) || fsync(fileno(f))) {
		error_errno(err, EXIT_USAGE, "cannot write %s", temporary);
		goto out;
	}
	if (rename(temporary, path)) {
		error_errno(err, EXIT_USAGE, "cannot rename to %s", path);
		goto out;
	}
	ret = 0;
out:
	if (f)
		fclose(f);
	if (ret && temporary)
		unlink(temporary);
	free(temporary);
	free(path);
	return ret;
}

int session_create(const char *path, const char *name, json_t *head,
		   struct session *s, struct error *err)
{
	memset(s, 0, sizeof(*s));
	s->root = head;
	if (!head || json_object_set_new(head, "runs", json_array()) ||
	    json_object_set_new(head, "format", json_string(FORMAT)))
		goto no_memory;
	if (path) {
		s->path = strdup(path);
		if (!s->path)
			goto no_memory;
		if (make_named(path, err))
			goto failed;
	} else if (make_numbered(name, &s->path, err)) {
		goto failed;
	}
	if (write_json(s->path, "session.json", s->root, err))
		goto failed;
	return 0;

no_memory:
	no_memory(err);
failed:
	session_free(s);
	return -1;
}

int session_new_run(struct session *s, char **perf_data, struct error *err)
{
	int number = (int)session_nr_runs(s) + 1;
	char *folder = NULL;
	int ret = -1;

	*perf_data = NULL;
	if (asprintf(&folder, "%s/run-%03d", s->path, number) < 0) {
		folder = NULL;
		no_memory(err);
	} else if (mkdir(folder, 0777) && errno != EEXIST) {
		error_errno(err, EXIT_USAGE, "cannot make %s", folder);
	} else if (asprintf(perf_data, "%s/perf.data", folder) < 0) {
		*perf_data = NULL;
		no_memory(err);
	} else {
		ret = number;
	}
	free(folder);
	return ret;
}

int session_add_run(struct session *s, int number, json_t *run,
		    struct error *err)
{
	json_t *runs = json_object_get(s->root, "runs");
	char folder[32];

	snprintf(folder, sizeof(folder), "run-%03d", number);
	if (!run || json_object_set_new(run, "folder", json_string(folder)) ||
	    json_array_append_new(runs, run)) {
		json_decref(run);
		return no_memory(err);
	}
	return write_json(s->path, "session.json", s->root, err);
}

bool session_is(const char *path)
{
	struct stat st;
	char *file;
	bool is;

	if (asprintf(&file, "%s/session.json", path) < 0)
		return false;
	is = !stat(file, &st);
	free(file);
	return is;
}

/* A run's folder must be one name: a session never leads elsewhere. */
static bool is_plain_name(const char *name)
{
	return name && *name && !strchr(name, '/') && strcmp(name, ".") &&
	       strcmp(name, "..");
}

static int check_session(const char *file, const json_t *root,
			 struct error *err)
{
	const json_t *runs = json_object_get(root, "runs");
	const char *format = json_string_value(json_object_get(root, "format"));
	json_t *run;
	size_t i;

	if (!format || strcmp(format, FORMAT) != 0)
		return error_set(err, EXIT_USAGE,
				 "%s: \"format\" is not \"" FORMAT "\"", file);
	if (!json_is_array(runs))
		return error_set(err, EXIT_USAGE, "%s: no array \"runs\"",
				 file);
	if (!json_array_size(runs))
		return error_set(err, EXIT_USAGE,
				 "%s: no run was finished in this session",
				 file);
	json_array_foreach(runs, i, run)
		if (!is_plain_name(
			    json_string_value(json_object_get(run, "folder"))))
			return error_set(err, EXIT_USAGE,
					 "%s: run %zu has no \"folder\" that"
					 " is a plain name",
					 file, i + 1);
	return 0;
}

static json_t *load_json(const char *file, struct error *err)
{
	json_error_t why;
	struct stat st;
	json_t *root;

	if (stat(file, &st)) {
		error_errno(err, EXIT_USAGE, "%s", file);
		return NULL;
	}
	if (!S_ISREG(st.st_mode) || st.st_size > MAX_FILE) {
		error_set(err, EXIT_USAGE, "%s: no file of a sensible size",
			  file);
		return NULL;
	}
	root = json_load_file(file, JSON_REJECT_DUPLICATES, &why);
	if (!root)
		error_set(err, EXIT_USAGE, "%s:%d: %s", file, why.line,
			  why.text);
	return root;
}

int session_open(const char *path, struct session *s, struct error *err)
{
	char *file = NULL;
	int ret = -1;

	memset(s, 0, sizeof(*s));
	s->path = strdup(path);
	if (!s->path || asprintf(&file, "%s/session.json", path) < 0) {
		file = NULL;
		no_memory(err);
	} else {
		s->root = load_json(file, err);
		if (s->root)
			ret = check_session(file, s->root, err);
	}
	free(file);
	if (ret)
		session_free(s);
	return ret;
}

size_t session_nr_runs(const struct session *s)
{
	return json_array_size(json_object_get(s->root, "runs"));
}

json_t *session_run(const struct session *s, size_t i, char **perf_data)
{
	json_t *run = json_array_get(json_object_get(s->root, "runs"), i);
	const char *folder = json_string_value(json_object_get(run, "folder"));

	if (perf_data && asprintf(perf_data, "%s/%s/perf.data", s->path,
				  folder ? folder : "") < 0) {
		*perf_data = NULL;
		return NULL;
	}
	return run;
}

void session_free(struct session *s)
{
	json_decref(s->root);
	free(s->path);
	memset(s, 0, sizeof(*s));
}
