// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records for tasks that exist when a recording begins: as if they had been
 * forked, named and mapped under our eyes.
 */
#include "config.h"

#include <ctype.h>
#include <dirent.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/record-private.h"
#include "analyze/table.h"

#define BUILD_ID_SIZE 20

struct file_key {
	uint64_t inode;
	uint32_t major, minor;
};

/* A file whose build-id was looked for. */
struct known_file {
	struct file_key key;
	uint8_t size; /* 0: it has none */
	unsigned char build_id[BUILD_ID_SIZE];
	UT_hash_handle hh;
};

struct synth {
	struct record_buffer *b;
	bool build_ids;
	struct known_file *files;
};

/* A line of /proc/PID/maps. */
struct mapping {
	uint64_t start, end, offset;
	struct file_key file;
	char permissions[5];
	const char *name;
};

static void add_fork(struct record_buffer *b, int pid, int tid, int parent)
{
	/* The flag keeps perf from copying the parent's mappings. */
	size_t start =
		record_begin(b, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC);

	record_buffer_u32(b, (uint32_t)pid);
	record_buffer_u32(b, (uint32_t)parent);
	record_buffer_u32(b, (uint32_t)tid);
	record_buffer_u32(b, (uint32_t)parent);
	record_buffer_u64(b, 0); /* time: before everything */
	record_end(b, start, true);
}

static void add_comm(struct record_buffer *b, int pid, int tid,
		     const char *comm)
{
	size_t start = record_begin(b, PERF_RECORD_COMM, 0);

	record_buffer_u32(b, (uint32_t)pid);
	record_buffer_u32(b, (uint32_t)tid);
	record_buffer_string(b, comm, 8);
	record_end(b, start, true);
}

static void add_task(struct record_buffer *b, int pid, int tid, int parent)
{
	char path[64], comm[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	if (record_read_text(path, comm, sizeof(comm)) < 0)
		return; /* it is gone */
	add_fork(b, pid, tid, parent);
	add_comm(b, pid, tid, comm);
}

static int parent_of(int pid)
{
	char path[64], text[4096];
	const char *line;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if (record_read_text(path, text, sizeof(text)) < 0)
		return 0;
	line = strstr(text, "\nPPid:");
	return line ? record_read_id(line + 6) : 0;
}

static void add_threads(struct record_buffer *b, int pid)
{
	struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		int tid = record_read_id(entry->d_name);

		if (tid > 0 && tid != pid)
			add_task(b, pid, tid, pid);
	}
	closedir(dir);
}

static void read_build_id(int fd, struct known_file *file)
{
	const void *build_id;
	ssize_t size;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return;
	size = dwelf_elf_gnu_build_id(elf, &build_id);
	if (size > 0 && size <= BUILD_ID_SIZE) {
		memcpy(file->build_id, build_id, (size_t)size);
		file->size = (uint8_t)size;
	}
	elf_end(elf);
}

/* Opens what is mapped, even if it is in another mount namespace or gone. */
static int open_mapped(int pid, const struct mapping *m)
{
	char path[128];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 pid, m->start, m->end);
	if (!stat(path, &st)) {
		if (!S_ISREG(st.st_mode))
			return -1;
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0)
			return fd;
	}
	/* Without the privilege for map_files: the path, if it is that file. */
	fd = open(m->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode) ||
			st.st_ino != m->file.inode)) {
		close(fd);
		return -1;
	}
	return fd;
}

static const struct known_file *known_file(struct synth *s, int pid,
					   const struct mapping *m)
{
	struct known_file *file;
	int fd;

	HASH_FIND(hh, s->files, &m->file, sizeof(m->file), file);
	if (file)
		return file;
	file = calloc(1, sizeof(*file));
	if (!file)
		return NULL;
	file->key = m->file;
	fd = open_mapped(pid, m);
	if (fd >= 0) {
		read_build_id(fd, file);
		close(fd);
	}
	HASH_ADD(hh, s->files, key, sizeof(file->key), file);
	if (!file->hh.tbl) {
		s->b->failed = true;
		free(file);
		return NULL;
	}
	return file;
}

static uint32_t protection(const struct mapping *m)
{
	return (m->permissions[0] == 'r' ? PROT_READ : 0) |
	       (m->permissions[1] == 'w' ? PROT_WRITE : 0) |
	       (m->permissions[2] == 'x' ? PROT_EXEC : 0);
}

static void add_mapping(struct synth *s, int pid, const struct mapping *m)
{
	const struct known_file *file = NULL;
	struct record_buffer *b = s->b;
	uint16_t misc = PERF_RECORD_MISC_USER;
	size_t start;

	if (s->build_ids && m->file.inode && m->name[0] == '/')
		file = known_file(s, pid, m);
	if (file && file->size)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	else
		file = NULL;
	start = record_begin(b, PERF_RECORD_MMAP2, misc);
	record_buffer_u32(b, (uint32_t)pid);
	record_buffer_u32(b, (uint32_t)pid);
	record_buffer_u64(b, m->start);
	record_buffer_u64(b, m->end - m->start);
	record_buffer_u64(b, m->offset);
	if (file) {
		record_buffer_u32(b, file->size); /* a byte, three of zero */
		record_buffer_add(b, file->build_id, BUILD_ID_SIZE);
	} else {
		record_buffer_u32(b, m->file.major);
		record_buffer_u32(b, m->file.minor);
		record_buffer_u64(b, m->file.inode);
		record_buffer_u64(b, 0); /* generation */
	}
	record_buffer_u32(b, protection(m));
	record_buffer_u32(b,
			  m->permissions[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
	record_buffer_string(b, m->name, 8);
	record_end(b, start, true);
}

static bool parse_mapping(char *line, struct mapping *m)
{
	int name = 0;

	memset(m, 0, sizeof(*m)); /* its file is a key: no stray padding */
	line[strcspn(line, "\n")] = 0;
	if (sscanf(line,
		   "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32
		   ":%" SCNx32 " %" SCNu64 "%n",
		   &m->start, &m->end, m->permissions, &m->offset,
		   &m->file.major, &m->file.minor, &m->file.inode,
		   &name) != 7 ||
	    strlen(m->permissions) != 4 || m->end < m->start)
		return false;
	m->name = line + name + strspn(line + name, " ");
	if (!*m->name)
		m->name = "//anon"; /* as the kernel's own records say */
	return true;
}

/* Only what can be executed: nothing else is in a call chain. */
static void add_mappings(struct synth *s, int pid)
{
	struct mapping m;
	char path[64];
	char *line = NULL;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	if (!f)
		return;
	while (getline(&line, &room, f) > 0)
		if (parse_mapping(line, &m) && m.permissions[2] == 'x')
			add_mapping(s, pid, &m);
	free(line);
	fclose(f);
}

static void add_process(struct synth *s, int pid)
{
	add_task(s->b, pid, pid, parent_of(pid));
	add_threads(s->b, pid);
	add_mappings(s, pid);
}

void record_synth_tasks(struct record_buffer *b, pid_t pid, bool build_ids)
{
	struct synth s = { .b = b, .build_ids = build_ids };
	struct known_file *file, *next;
	struct dirent *entry;
	DIR *proc;

	if (pid) {
		add_process(&s, pid);
	} else {
		proc = opendir("/proc");
		while (proc && (entry = readdir(proc)))
			if (isdigit((unsigned char)entry->d_name[0]))
				add_process(&s, record_read_id(entry->d_name));
		if (proc)
			closedir(proc);
	}
	HASH_ITER(hh, s.files, file, next) {
		HASH_DEL(s.files, file);
		free(file);
	}
}
