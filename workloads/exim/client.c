// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client: what smtpbm is in MOSBENCH.
 */
#include "workloads/exim/exim.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define WIRE_HEADER 1024

struct client {
	struct exim *exim;
	struct workload_slot *slot;
	struct exim_message message;
	struct smtp smtp;
	struct rwsemlab_histogram latency;
	char *body;
	char *wire; /* the message as it is sent */
	size_t wire_size;
	char reply[SMTP_LINE];
};

/* What a reply, or its absence, means. */
enum answer {
	YES,
	LATER,
	BROKEN
};

/* The last line of a reply is what counts. */
static enum answer read_answer(struct client *c)
{
	char *line = c->reply;

	do {
		if (smtp_read_line(&c->smtp, line) < 4) {
			snprintf(line, SMTP_LINE, "no reply");
			return BROKEN;
		}
	} while (line[3] == '-');
	if (*line == '2' || *line == '3')
		return YES;
	return *line == '4' ? LATER : BROKEN;
}

static enum answer command(struct client *c, const char *line)
{
	if (smtp_print(&c->smtp, "%s\r\n", line)) {
		snprintf(c->reply, sizeof(c->reply), "%s", strerror(errno));
		return BROKEN;
	}
	return read_answer(c);
}

/* A line that starts with a dot gets one more. */
static void add_wire(struct client *c, const char *line, size_t length)
{
	if (*line == '.')
		c->wire[c->wire_size++] = '.';
	memcpy(c->wire + c->wire_size, line, length);
	c->wire_size += length;
	memcpy(c->wire + c->wire_size, "\r\n", 2);
	c->wire_size += 2;
}

static void make_wire(struct client *c)
{
	const struct exim_options *o = c->exim->options;
	const char *line = c->body;
	const char *end = c->body + o->size;

	exim_body(o, &c->message, c->body);
	c->wire_size = (size_t)snprintf(
		c->wire, WIRE_HEADER,
		"From: client%lu@localhost\r\nTo: user%lu@localhost\r\n"
		"Subject: %llu\r\n" EXIM_HEADER "%lu %llu %016llx\r\n\r\n",
		c->message.client, exim_user(o, &c->message),
		(unsigned long long)c->message.number, c->message.client,
		(unsigned long long)c->message.number,
		(unsigned long long)exim_hash(c->body, o->size));
	while (line < end) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));

		add_wire(c, line, (size_t)(newline - line));
		line = newline + 1;
	}
	memcpy(c->wire + c->wire_size, ".\r\n", 3);
	c->wire_size += 3;
}

static void note_temporary(struct client *c)
{
	if (!c->slot->count[EXIM_TEMPORARY]++)
		snprintf(c->slot->note, sizeof(c->slot->note), "%.255s",
			 c->reply);
}

/* Sleep, so that a full disk does not become a storm. */
static void back_off(void)
{
	poll(NULL, 0, 20);
}

static enum answer broken(struct client *c, const char *step)
{
	/* Should the server have crashed, its own processes tell first. */
	poll(NULL, 0, 200);
	workload_trouble(c->exim->env, "client %lu got '%s' to %s",
			 c->message.client, c->reply, step);
	return BROKEN;
}

/* The text, after which a message's fate is the server's to decide. */
static enum answer send_text(struct client *c)
{
	enum answer answer;

	c->slot->count[EXIM_UNSURE] = 1;
	if (exim_write(c->smtp.fd, c->wire, c->wire_size)) {
		snprintf(c->reply, sizeof(c->reply), "%s", strerror(errno));
		return broken(c, "a message");
	}
	answer = read_answer(c);
	if (answer == BROKEN)
		return broken(c, "a message");
	c->slot->count[EXIM_UNSURE] = 0;
	return answer;
}

static enum answer send_message(struct client *c)
{
	char mail[64], rcpt[64];
	const char *const step[] = { mail, rcpt, "DATA" };
	enum answer answer;
	size_t i;

	snprintf(mail, sizeof(mail), "MAIL FROM:<client%lu@localhost>",
		 c->message.client);
	snprintf(rcpt, sizeof(rcpt), "RCPT TO:<user%lu@localhost>",
		 exim_user(c->exim->options, &c->message));
	for (i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		answer = command(c, step[i]);
		if (answer == BROKEN)
			return broken(c, step[i]);
		if (answer == LATER)
			return LATER;
	}
	return send_text(c);
}

/* One message, with its time. */
static enum answer measure_message(struct client *c)
{
	uint64_t start, end;
	enum answer answer;

	make_wire(c);
	start = workload_now_ns();
	answer = send_message(c);
	end = workload_now_ns();
	if (answer != YES)
		return answer;
	c->message.number++;
	c->slot->count[EXIM_ACCEPTED]++;
	if (workload_over(c->exim->env, end))
		return YES;
	c->slot->work++;
	c->slot->forks += 2;
	if (!rwsemlab_histogram_add(&c->latency, end - start))
		return YES;
	snprintf(c->reply, sizeof(c->reply), "out of memory");
	return broken(c, "latency");
}

static bool over(const struct client *c)
{
	return workload_over(c->exim->env, workload_now_ns());
}

static enum answer greet(struct client *c)
{
	char helo[64];
	enum answer answer = read_answer(c);

	if (answer == BROKEN)
		return broken(c, "connecting");
	if (answer == LATER)
		return LATER;
	if (!over(c)) {
		c->slot->count[EXIM_CONNECTIONS]++;
		c->slot->forks++;
	}
	snprintf(helo, sizeof(helo), "HELO client%lu", c->message.client);
	answer = command(c, helo);
	return answer == BROKEN ? broken(c, helo) : answer;
}

/* What is sent over one connection. */
static enum answer converse(struct client *c)
{
	enum answer answer = greet(c);
	unsigned long i;

	if (answer == LATER) {
		note_temporary(c);
		back_off();
	}
	if (answer != YES)
		return answer;
	for (i = 0; i < c->exim->options->messages && !over(c); i++) {
		answer = measure_message(c);
		if (answer == BROKEN)
			return BROKEN;
		if (answer == YES)
			continue;
		note_temporary(c);
		back_off();
		if (command(c, "RSET") == BROKEN)
			return broken(c, "RSET");
	}
	return command(c, "QUIT") == BROKEN ? broken(c, "QUIT") : YES;
}

static int connect_and_converse(struct client *c)
{
	enum answer answer;

	c->smtp = (struct smtp){
		.fd = exim_connect(c->exim, c->message.client),
	};
	if (c->smtp.fd < 0) {
		snprintf(c->reply, sizeof(c->reply), "%s", strerror(errno));
		broken(c, "connecting");
		return -1;
	}
	answer = converse(c);
	close(c->smtp.fd);
	return answer == BROKEN ? -1 : 0;
}

int exim_client(struct exim *exim, unsigned long number)
{
	struct client c = {
		.exim = exim,
		.slot = &exim->env->shared->slot[number],
		.message.client = number,
		.body = malloc(exim->options->size),
		.wire = malloc(WIRE_HEADER + 3 * exim->options->size),
	};
	int ret = 0;

	prctl(PR_SET_NAME, "smtpbm");
	close(exim->listen_fd);
	if (!c.body || !c.wire) {
		workload_trouble(exim->env, "a client is out of memory");
		return 1;
	}
	if (workload_worker_gate(exim->env))
		return 1;
	while (!ret && !over(&c))
		ret = connect_and_converse(&c);
	workload_slot_latency(c.slot, &c.latency);
	rwsemlab_histogram_free(&c.latency);
	free(c.body);
	free(c.wire);
	return ret ? 1 : 0;
}
