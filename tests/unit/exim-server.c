// SPDX-License-Identifier: GPL-2.0-only
#include "tests/unit/exim-server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"
#include "workloads/keeper.h"

static char directory[] = "/tmp/rwsemlab-test-exim-XXXXXX";

static struct exim_options options = {
	.clients = 2,
	.messages = 10,
	.size = 300,
	.users = 2,
	.vmas = 1,
	.roots = 1,
	.seed = 7,
	.spool = ".",
};

static struct workload_env env = { .workload = "exim", .trouble_fd = -1 };

struct exim server = { .options = &options, .env = &env };

/* @text has @room bytes. */
void append(char *text, size_t room, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, room - used, "%s", more);
}

void fresh_spool(void)
{
	keeper_remove_directory("input");
	keeper_remove_directory("mail");
	keeper_remove_directory("log");
	if (mkdir("input", 0700) || mkdir("mail", 0700) || mkdir("log", 0700))
		tap_bail("cannot make the spool: %s", strerror(errno));
}

char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	*size = file ? fread(text, 1, (1 << 20) - 1, file) : 0;
	if (file)
		fclose(file);
	return text;
}

void write_file(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "w");

	if (!file || fwrite(text, 1, size, file) != size || fclose(file))
		tap_bail("cannot write %s", path);
}

/* Says @input to a receiver; returns all that it answers. */
char *talk(const char *input, size_t size)
{
	char *answer = calloc(1, 1 << 16);
	size_t used = 0;
	int fds[2];
	ssize_t got;
	int status;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		tap_bail("no socket: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		close(fds[0]);
		_exit(exim_receiver(&server, fds[1]));
	}
	close(fds[1]);
	if (exim_write(fds[0], input, size))
		tap_diag("the receiver does not listen: %s", strerror(errno));
	shutdown(fds[0], SHUT_WR);
	while ((got = read(fds[0], answer + used, (1 << 16) - 1 - used)) > 0)
		used += (size_t)got;
	close(fds[0]);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status))
		tap_ok(false, "the receiver ends well");
	return answer;
}

/* Sends message @number of @client as a client would. */
void send_one(unsigned long client, uint64_t number)
{
	struct exim_message message = { client, number };
	char *text = calloc(1, 8192);
	char body[301] = "";
	char *line, *save = NULL;

	exim_body(&options, &message, body);
	snprintf(text, 8192,
		 "HELO c\r\nMAIL FROM:<c@d>\r\nRCPT TO:<user%lu@localhost>\r\n"
		 "DATA\r\n" EXIM_HEADER "%lu %llu %016llx\r\n\r\n",
		 exim_user(&options, &message), client,
		 (unsigned long long)number,
		 (unsigned long long)exim_hash(body, options.size));
	for (line = strtok_r(body, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		append(text, 8192, *line == '.' ? "." : "");
		append(text, 8192, line);
		append(text, 8192, "\r\n");
	}
	append(text, 8192, ".\r\n");
	free(talk(text, strlen(text)));
	free(text);
}

void open_server(void)
{
	struct error err = { 0 };

	if (!mkdtemp(directory) || chdir(directory))
		tap_bail("no directory: %s", strerror(errno));
	env.trouble_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (workload_slots(&env, options.clients, &err))
		tap_bail("%s", err.text);
}

void close_server(void)
{
	if (chdir("/") || keeper_remove_directory(directory))
		tap_diag("%s stays: %s", directory, strerror(errno));
}
