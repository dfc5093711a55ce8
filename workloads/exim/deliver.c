// SPDX-License-Identifier: GPL-2.0-only
/*
 * Delivery: a deliverer a message, which forks once more for the delivery
 * itself and hears of it through a pipe.
 */
#include "workloads/exim/exim.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The exit status of a deliverer that failed otherwise than with an errno. */
#define FAILED 255

static pid_t wait_for(pid_t pid, int *status)
{
	pid_t waited;

	do
		waited = waitpid(pid, status, 0);
	while (waited < 0 && errno == EINTR);
	return waited;
}

static ssize_t read_status(int fd, int *result)
{
	ssize_t got;

	do
		got = read(fd, result, sizeof(*result));
	while (got < 0 && errno == EINTR);
	return got;
}

/* What became of the local delivery; FAILED after workload_trouble(). */
static int local_result(struct exim *exim, pid_t pid, int fd)
{
	int result = FAILED;
	int status = 0;
	char how[128];
	ssize_t got = read_status(fd, &result);

	if (wait_for(pid, &status) == pid && got == sizeof(result) &&
	    WIFEXITED(status) && !WEXITSTATUS(status))
		return result;
	workload_describe_status(status, how, sizeof(how));
	workload_trouble(exim->env, "a local delivery (pid %d) %s", (int)pid,
			 how);
	return FAILED;
}

/* Returns 0, an errno value, or FAILED. */
static int fork_local(struct exim *exim, const struct exim_spooled *message)
{
	int fds[2];
	int result;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return errno;
	pid = fork();
	if (!pid) {
		close(fds[0]);
		result = exim_local(exim->options, message);
		_exit(exim_write(fds[1], &result, sizeof(result)) ? 1 : 0);
	}
	result = errno;
	close(fds[1]);
	if (pid > 0)
		result = local_result(exim, pid, fds[0]);
	close(fds[0]);
	return result;
}

static int deliverer(struct exim *exim, const char *id)
{
	struct exim_spooled message;
	int result;

	if (spool_load(&message, id))
		return errno;
	result = fork_local(exim, &message);
	if (result) {
		exim_log(id, "== user%lu@localhost defer (%d): %s",
			 message.user, result, strerror(result));
		return result;
	}
	exim_log(id, "=> user%lu <user%lu@localhost> R=local T=appendfile",
		 message.user, message.user);
	exim_log(id, "Completed");
	spool_remove(&message);
	return 0;
}

int exim_deliver(struct exim *exim, int connection, const char *id)
{
	char how[128];
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		if (connection >= 0)
			close(connection);
		_exit(deliverer(exim, id) & 0xff);
	}
	if (pid < 0)
		return errno;
	if (wait_for(pid, &status) == pid && WIFEXITED(status))
		return WEXITSTATUS(status) == FAILED ? -1 : WEXITSTATUS(status);
	workload_describe_status(status, how, sizeof(how));
	workload_trouble(exim->env, "a deliverer (pid %d) %s", (int)pid, how);
	return -1;
}

/* Text to append to a mailbox. */
struct text {
	char *data;
	size_t used;
};

/* A "From " at the start of a line, quoted or not, gets one ">" more. */
static bool needs_quote(const char *line, size_t length)
{
	while (length && *line == '>') {
		line++;
		length--;
	}
	return length >= 5 && !memcmp(line, "From ", 5);
}

static void add_quoted(struct text *text, const char *body, size_t size)
{
	while (size) {
		const char *newline = memchr(body, '\n', size);
		size_t length = newline ? (size_t)(newline - body) + 1 : size;

		if (needs_quote(body, length))
			text->data[text->used++] = '>';
		memcpy(text->data + text->used, body, length);
		text->used += length;
		body += length;
		size -= length;
	}
}

static int read_body(const struct exim_spooled *message, char *body)
{
	size_t done = 0;

	while (done < message->body_size) {
		ssize_t got = pread(message->data_fd, body + done,
				    message->body_size - done,
				    (off_t)(message->body_offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? errno : EBADMSG;
		done += (size_t)got;
	}
	return 0;
}

/* The whole message in mailbox form; returns an errno value. */
static int format_message(const struct exim_spooled *message, struct text *text)
{
	size_t room = 1024 + sizeof(message->header) + 2 * message->body_size;
	char *body = malloc(message->body_size + 1);
	time_t now = time(NULL);
	char date[64];
	struct tm tm;
	int ret = ENOMEM;

	text->data = malloc(room);
	if (body && text->data)
		ret = read_body(message, body);
	if (!ret) {
		gmtime_r(&now, &tm);
		strftime(date, sizeof(date), "%a %b %e %H:%M:%S %Y", &tm);
		text->used = (size_t)snprintf(
			text->data, room,
			"From %.*s %s\nReturn-path: %s\n"
			"Envelope-to: user%lu@localhost\n%s\n",
			(int)strlen(message->sender) - 2, message->sender + 1,
			date, message->sender, message->user, message->header);
		add_quoted(text, body, message->body_size);
		text->data[text->used++] = '\n';
	}
	free(body);
	return ret;
}

/* A message that does not fit must not stay there in part. */
static int append(int fd, const struct text *text, bool sync)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat before;
	int ret;

	do
		ret = fcntl(fd, F_SETLKW, &lock);
	while (ret && errno == EINTR);
	if (ret || fstat(fd, &before))
		return errno;
	if (!exim_write(fd, text->data, text->used) && (!sync || !fsync(fd)))
		return 0;
	ret = errno;
	return ftruncate(fd, before.st_size) ? FAILED : ret;
}

int exim_local(const struct exim_options *options,
	       const struct exim_spooled *message)
{
	struct text text = { 0 };
	char path[64];
	int ret = format_message(message, &text);
	int fd;

	if (!ret) {
		snprintf(path, sizeof(path), "mail/user%lu", message->user);
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
			  0600);
		ret = fd < 0 ? errno : append(fd, &text, options->fsync);
		/* The lock goes with it. */
		if (fd >= 0 && close(fd) && !ret)
			ret = FAILED;
	}
	free(text.data);
	return ret;
}
