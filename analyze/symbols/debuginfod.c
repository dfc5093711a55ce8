// SPDX-License-Identifier: GPL-2.0-only
#include "analyze/symbols/debuginfod.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECONDS_FOR_ALL 300

struct debuginfod_client;
typedef struct debuginfod_client *(*begin_function)(void);
typedef void (*end_function)(struct debuginfod_client *client);
typedef int (*find_function)(struct debuginfod_client *client,
			     const unsigned char *id, int size, char **path);
typedef int (*progress_function)(struct debuginfod_client *client, long done,
				 long all);
typedef void (*set_progress_function)(struct debuginfod_client *client,
				      progress_function progress);
typedef void (*set_user_data_function)(struct debuginfod_client *client,
				       void *data);
typedef void *(*get_user_data_function)(struct debuginfod_client *client);

struct debuginfod {
	void *library;
	struct debuginfod_client *client;
	begin_function begin;
	end_function end;
	find_function find_debuginfo, find_executable;
	set_progress_function set_progress;
	set_user_data_function set_user_data;
	time_t deadline; /* seconds, CLOCK_MONOTONIC; 0: not started */
};

static bool is_late(const struct debuginfod *d)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec >= d->deadline;
}

/* The library calls this now and then; not 0 ends the download. */
static int stop_when_late(struct debuginfod_client *client, long done, long all)
{
	get_user_data_function get_user_data;

	(void)done;
	(void)all;
	get_user_data = (get_user_data_function)dlsym(
		RTLD_DEFAULT, "debuginfod_get_user_data");
	return !get_user_data || is_late(get_user_data(client));
}

static bool load(struct debuginfod *d)
{
	/* Global, for stop_when_late(). */
	d->library = dlopen("libdebuginfod.so.1", RTLD_NOW | RTLD_GLOBAL);
	if (!d->library)
		return false;
	d->begin = (begin_function)dlsym(d->library, "debuginfod_begin");
	d->end = (end_function)dlsym(d->library, "debuginfod_end");
	d->find_debuginfo =
		(find_function)dlsym(d->library, "debuginfod_find_debuginfo");
	d->find_executable =
		(find_function)dlsym(d->library, "debuginfod_find_executable");
	d->set_progress = (set_progress_function)dlsym(
		d->library, "debuginfod_set_progressfn");
	d->set_user_data = (set_user_data_function)dlsym(
		d->library, "debuginfod_set_user_data");
	return d->begin && d->end && d->find_debuginfo && d->find_executable &&
	       d->set_progress && d->set_user_data;
}

struct debuginfod *debuginfod_open(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls && *urls ? calloc(1, sizeof(struct debuginfod)) : NULL;
}

/* Once, at the first question. */
static void start(struct debuginfod *d)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	d->deadline = now.tv_sec;
	if (load(d))
		d->client = d->begin();
	if (!d->client)
		return;
	d->deadline += SECONDS_FOR_ALL;
	d->set_user_data(d->client, d);
	d->set_progress(d->client, stop_when_late);
}

int debuginfod_find(struct debuginfod *d, const struct build_id *id,
		    bool executable)
{
	find_function find;

	if (!d || !id->size)
		return -1;
	if (!d->deadline)
		start(d);
	if (is_late(d))
		return -1;
	find = executable ? d->find_executable : d->find_debuginfo;
	return find(d->client, id->byte, id->size, NULL);
}

void debuginfod_close(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->client)
		d->end(d->client);
	/* The library stays loaded: libcurl can't be unloaded safely. */
	free(d);
}
