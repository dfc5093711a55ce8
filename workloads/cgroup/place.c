// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/cgroup/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "workloads/cgroup/leftovers.h"
#include "workloads/cgroup/member.h"

const char *const cgroup_versions[] = {
	[CGROUP_AUTO] = "auto",
	[CGROUP_V1] = "1",
	[CGROUP_V2] = "2",
	[CGROUP_BOTH] = "both",
	NULL,
};

static int no_memory(struct error *err)
{
	return error_set(err, EXIT_USAGE, "out of memory");
}

bool cgroup_supported(const char **reason)
{
	struct cgroup_mounts mounts;
	struct error unused = { 0 };
	size_t nr;

	if (cgroup_mounts_read(&mounts, &unused)) {
		*reason = "cannot read /proc/self/mountinfo; mount /proc";
		return false;
	}
	nr = mounts.nr;
	cgroup_mounts_free(&mounts);
	*reason = "no cgroup file system is mounted; as root:"
		  " mount -t cgroup2 none /sys/fs/cgroup";
	return nr > 0;
}

/* What to do about it goes with what is wrong. */
static int cannot_make(const char *parent, struct error *err)
{
	if (errno == EROFS)
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "cannot make a cgroup in %s, which is"
				   " mounted read-only; as root: mount -o"
				   " remount,rw, or run outside the container",
				   parent);
	if (errno == EACCES || errno == EPERM)
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "cannot make a cgroup in %s; run as root, or"
				   " name a cgroup that is yours with parent=",
				   parent);
	if (errno == EAGAIN)
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "cannot make a cgroup in %s; raise its"
				   " cgroup.max.descendants and"
				   " cgroup.max.depth",
				   parent);
	return error_errno(err, EXIT_IMPOSSIBLE, "cannot make a cgroup in %s",
			   parent);
}

static int make_own(struct cgroup_place *place, const char *parent,
		    const struct cgroup_mount *mount, struct error *err)
{
	struct cgroup_own *own = &place->own[place->nr];
	const char *was = !place->remounts ? "" :
			  place->favors	   ? "-favordynmods" :
					     "-nofavordynmods";
	char name[CGROUP_NAME_SIZE];

	if (cgroup_own_name(name, was))
		return error_errno(err, EXIT_IMPOSSIBLE,
				   "cannot read /proc/self/stat; mount /proc");
	own->v2 = mount->v2;
	own->fd = -1;
	cgroup_mount_name(mount, own->name, sizeof(own->name));
	own->options = strdup(mount->options);
	if (!own->options || asprintf(&own->path, "%s/%s", parent, name) < 0) {
		free(own->options);
		return no_memory(err);
	}
	if (mkdir(own->path, 0755)) {
		cannot_make(parent, err);
		free(own->path);
		free(own->options);
		return -1;
	}
	place->nr++;
	own->fd = open(own->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (own->fd < 0 || flock(own->fd, LOCK_EX | LOCK_NB))
		return error_errno(err, EXIT_USAGE, "cannot lock %s",
				   own->path);
	return 0;
}

/* The cgroup that the user named. */
static int make_in_parent(struct cgroup_place *place,
			  const struct cgroup_options *o,
			  const struct cgroup_mounts *mounts, struct error *err)
{
	char *parent = realpath(o->parent, NULL);
	const struct cgroup_mount *mount;
	int ret;

	if (!parent)
		return error_errno(err, EXIT_USAGE, "parent=%s", o->parent);
	mount = cgroup_mounts_of(mounts, parent);
	if (!mount || !cgroup_is_inside(parent))
		ret = error_set(err, EXIT_USAGE,
				"parent=%s is in no cgroup file system",
				o->parent);
	else if (o->version == CGROUP_BOTH)
		ret = error_set(err, EXIT_USAGE,
				"parent= is of one hierarchy, so version=both"
				" can't be had with it");
	else if (o->version != CGROUP_AUTO &&
		 (o->version == CGROUP_V2) != mount->v2)
		ret = error_set(err, EXIT_USAGE,
				"parent=%s is of cgroup version %d, not %s",
				o->parent, mount->v2 ? 2 : 1,
				cgroup_versions[o->version]);
	else
		ret = make_own(place, parent, mount, err);
	free(parent);
	return ret;
}

static int make_at_mount(struct cgroup_place *place, bool v2,
			 const struct cgroup_mounts *mounts, struct error *err)
{
	const struct cgroup_mount *mount = cgroup_mounts_pick(mounts, v2);

	if (mount)
		return make_own(place, mount->point, mount, err);
	return error_set(err, EXIT_IMPOSSIBLE,
			 v2 ? "cgroup2 is not mounted; as root: mount -t"
			      " cgroup2 none DIRECTORY" :
			      "no cgroup of version 1 is mounted; as root:"
			      " mount -t cgroup -o none,name=NAME none"
			      " DIRECTORY");
}

static int make_all(struct cgroup_place *place, const struct cgroup_options *o,
		    const struct cgroup_mounts *mounts, struct error *err)
{
	bool v2 = o->version == CGROUP_V2 || o->version == CGROUP_BOTH ||
		  (o->version == CGROUP_AUTO && place->v2_point);

	if (o->parent)
		return make_in_parent(place, o, mounts, err);
	if (v2 && make_at_mount(place, true, mounts, err))
		return -1;
	if (v2 && o->version != CGROUP_BOTH)
		return 0;
	return make_at_mount(place, false, mounts, err);
}

/* May this run change the option?  Nothing is changed yet. */
static int check_remount(struct cgroup_place *place, struct error *err)
{
	if (!place->v2_point)
		return error_set(err, EXIT_IMPOSSIBLE,
				 "allow_remount: cgroup2 is not mounted; as"
				 " root: mount -t cgroup2 none DIRECTORY");
	if (geteuid())
		return error_set(err, EXIT_IMPOSSIBLE,
				 "allow_remount: only root may remount cgroup2;"
				 " run as root");
	if (cgroup_can_remount(err))
		return -1;
	place->remounts = true;
	return 0;
}

static int find_v2(struct cgroup_place *place,
		   const struct cgroup_mounts *mounts, struct error *err)
{
	const struct cgroup_mount *v2 = cgroup_mounts_pick(mounts, true);

	if (!v2)
		return 0;
	place->v2_point = strdup(v2->point);
	place->favors = cgroup_option_is_set(v2->options, "favordynmods");
	return place->v2_point ? 0 : no_memory(err);
}

static void free_place(struct cgroup_place *place)
{
	size_t i;

	for (i = 0; i < place->nr; i++) {
		if (place->own[i].fd >= 0)
			close(place->own[i].fd);
		free(place->own[i].path);
		free(place->own[i].options);
	}
	free(place->v2_point);
	free(place);
}

int cgroup_prepare(const void *options, void **result, struct error *err)
{
	const struct cgroup_options *o = options;
	struct cgroup_place *place = calloc(1, sizeof(*place));
	struct cgroup_mounts mounts;
	int ret = -1;

	if (!place)
		return no_memory(err);
	/* First: it may restore the option that we look at next. */
	place->leftovers = cgroup_sweep(options);
	if (!cgroup_mounts_read(&mounts, err) &&
	    !find_v2(place, &mounts, err) &&
	    (!o->allow_remount || !check_remount(place, err)))
		ret = make_all(place, o, &mounts, err);
	cgroup_mounts_free(&mounts);
	if (!ret) {
		*result = place;
		return 0;
	}
	/* What was made so far goes again. */
	place->remounts = false;
	cgroup_cleanup(place, err);
	return -1;
}

int cgroup_move_in(struct cgroup_place *place, struct error *err)
{
	size_t i;

	for (i = 0; i < place->nr; i++) {
		/* The lock is of whoever has the file open, forks included. */
		close(place->own[i].fd);
		place->own[i].fd = -1;
		if (cgroup_enter(place->own[i].path, err))
			return -1;
	}
	return 0;
}

static int restore(const struct cgroup_place *place, struct error *err)
{
	if (!place->remounts || cgroup_favors(place->v2_point) == place->favors)
		return 0;
	return cgroup_remount(place->v2_point, place->favors, err);
}

int cgroup_cleanup(void *arg, struct error *err)
{
	struct cgroup_place *place = arg;
	int ret;
	size_t i;

	/* Its name says what to restore: it stays until that is done. */
	ret = restore(place, err);
	for (i = 0; i < place->nr && !ret; i++)
		if (cgroup_remove(place->own[i].path, 10000))
			ret = error_errno(err, EXIT_USAGE,
					  "cannot remove the cgroup %s",
					  place->own[i].path);
	free_place(place);
	return ret;
}
