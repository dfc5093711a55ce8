// SPDX-License-Identifier: GPL-2.0-only
/*
 * The receiver: SMTP with one client.  Whoever is on this computer can
 * connect, so nothing of what comes in is believed.
 */
#include "workloads/exim/exim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum state {
	CONNECTED,
	GREETED,
	HAS_SENDER,
	HAS_RECIPIENT
};

struct session {
	struct exim *exim;
	struct smtp smtp;
	enum state state;
	char client[256]; /* as it calls itself */
	struct exim_spooled message;
};

static int reply(struct session *s, const char *text)
{
	return smtp_print(&s->smtp, "%s\r\n", text);
}

/* The client may try again later. */
static int reply_temporary(struct session *s, const char *what, int why)
{
	if (why == ENOSPC || why == EDQUOT)
		return smtp_print(&s->smtp, "452 4.3.1 %s: %s\r\n", what,
				  strerror(why));
	return smtp_print(&s->smtp, "451 4.3.0 %s: %s\r\n", what,
			  strerror(why));
}

/* A name or address that can go into files: no blanks, nothing unprintable. */
static bool is_clean(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++)
		if (text[i] <= ' ' || text[i] > '~' || text[i] == '<' ||
		    text[i] == '>')
			return false;
	return true;
}

/* The address of "<address>"; returns NULL when it is none. */
static const char *parse_address(const char *text, size_t *length)
{
	const char *end = strchr(text, '>');

	if (*text != '<' || !end)
		return NULL;
	*length = (size_t)(end - text) - 1;
	return *length < 250 && is_clean(text + 1, *length) ? text + 1 : NULL;
}

static int do_helo(struct session *s, const char *argument)
{
	size_t length = strlen(argument);

	if (!length || length >= sizeof(s->client) ||
	    !is_clean(argument, length))
		return reply(s, "501 5.5.4 bad name");
	memcpy(s->client, argument, length + 1);
	s->state = GREETED;
	return smtp_print(&s->smtp, "250 localhost Hello %s\r\n", s->client);
}

static int do_mail(struct session *s, const char *argument)
{
	const char *address;
	size_t length;

	if (s->state != GREETED)
		return reply(s, "503 5.5.1 HELO first, one sender a message");
	address = parse_address(argument, &length);
	if (!address)
		return reply(s, "501 5.5.4 bad address");
	snprintf(s->message.sender, sizeof(s->message.sender), "<%.*s>",
		 (int)length, address);
	s->state = HAS_SENDER;
	return reply(s, "250 OK");
}

static int do_rcpt(struct session *s, const char *argument)
{
	unsigned long user;
	int end = 0;

	if (s->state != HAS_SENDER)
		return reply(s, "503 5.5.1 MAIL first, one recipient");
	if (strncasecmp(argument, "<user", 5) || argument[5] < '0' ||
	    argument[5] > '9' ||
	    sscanf(argument + 5, "%9lu@localhost>%n", &user, &end) != 1 ||
	    !end || argument[5 + end] || user >= s->exim->options->users)
		return reply(s, "550 5.1.1 no such user");
	s->message.user = user;
	s->state = HAS_RECIPIENT;
	return reply(s, "250 Accepted");
}

/* Body text on its way into the -D file. */
struct body {
	struct exim_spooled *message;
	int error; /* the first errno value */
	size_t used;
	char buffer[16384];
};

static void flush_body(struct body *body)
{
	if (!body->error &&
	    exim_write(body->message->data_fd, body->buffer, body->used))
		body->error = errno;
	body->message->body_size += body->used;
	body->used = 0;
}

/* @line has room for the newline in place of its NUL. */
static void add_body(struct body *body, char *line, size_t length, size_t limit)
{
	if (body->message->body_size + body->used + length + 1 > limit)
		body->error = body->error ?: EMSGSIZE;
	if (body->used + length + 1 > sizeof(body->buffer))
		flush_body(body);
	memcpy(body->buffer + body->used, line, length);
	body->used += length;
	body->buffer[body->used++] = '\n';
}

static int add_header(struct exim_spooled *message, const char *line,
		      size_t length)
{
	if (message->header_size + length + 2 > sizeof(message->header))
		return EMSGSIZE;
	memcpy(message->header + message->header_size, line, length);
	message->header_size += length;
	message->header[message->header_size++] = '\n';
	message->header[message->header_size] = '\0';
	return 0;
}

static void add_received(struct session *s)
{
	char line[512];
	time_t now = time(NULL);
	struct tm date;
	char text[64];
	int length;

	gmtime_r(&now, &date);
	strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S +0000", &date);
	length = snprintf(line, sizeof(line),
			  "Received: from %s by localhost with smtp id %s; %s",
			  s->client, s->message.id, text);
	add_header(&s->message, line, (size_t)length);
}

/*
 * Everything up to the dot is read, whatever happens.  Returns -1 when the
 * connection is lost; otherwise *error is 0 or why the message can't be taken.
 */
static int read_message(struct session *s, int *error)
{
	struct body body = { .message = &s->message };
	bool in_header = true;
	char line[SMTP_LINE];
	ssize_t length;

	while ((length = smtp_read_line(&s->smtp, line)) >= 0) {
		char *text = line;

		if (!strcmp(line, "."))
			break;
		if (*text == '.') {
			text++;
			length--;
		}
		if (!in_header)
			add_body(&body, text, (size_t)length,
				 s->exim->options->size);
		else if (!length)
			in_header = false;
		else if (add_header(&s->message, text, (size_t)length))
			body.error = EMSGSIZE;
	}
	if (length < 0)
		return -1;
	flush_body(&body);
	*error = body.error;
	return 0;
}

/* Returns an errno value when the message was not accepted, -1 without SMTP. */
static int receive(struct session *s)
{
	int error;

	if (spool_open(&s->message)) {
		error = errno;
		return reply_temporary(s, "cannot spool", error) ? -1 : error;
	}
	s->message.header_size = 0;
	s->message.body_size = 0;
	add_received(s);
	if (reply(s, "354 Enter message, ending with \".\" on a line") ||
	    read_message(s, &error)) {
		spool_remove(&s->message);
		return -1;
	}
	if (error)
		spool_remove(&s->message);
	else if (spool_commit(&s->message, s->exim->options->fsync))
		error = errno;
	if (error == EMSGSIZE)
		return reply(s, "552 5.3.4 message too big") ? -1 : error;
	if (error)
		return reply_temporary(s, "cannot spool", error) ? -1 : error;
	exim_log(s->message.id, "<= %s H=(%s) P=smtp S=%zu", s->message.sender,
		 s->client, s->message.header_size + s->message.body_size);
	return 0;
}

static int do_data(struct session *s)
{
	int ret;

	if (s->state != HAS_RECIPIENT)
		return reply(s, "503 5.5.1 RCPT first");
	s->state = GREETED;
	ret = receive(s);
	if (ret)
		return ret < 0 ? -1 : 0;
	ret = smtp_print(&s->smtp, "250 OK id=%s\r\n", s->message.id);
	/* The message is ours now, even when the client has gone. */
	exim_deliver(s->exim, s->smtp.fd, s->message.id);
	return ret;
}

/* The text after a command's name, NULL where it is another command. */
static const char *argument_of(const char *line, const char *command)
{
	size_t length = strlen(command);

	return strncasecmp(line, command, length) ? NULL : line + length;
}

/* Returns 1 after QUIT, -1 when the connection is lost. */
static int do_command(struct session *s, const char *line)
{
	const char *argument;

	if ((argument = argument_of(line, "HELO ")))
		return do_helo(s, argument);
	if ((argument = argument_of(line, "MAIL FROM:")))
		return do_mail(s, argument);
	if ((argument = argument_of(line, "RCPT TO:")))
		return do_rcpt(s, argument);
	if (!strcasecmp(line, "DATA"))
		return do_data(s);
	if (!strcasecmp(line, "QUIT"))
		return reply(s, "221 localhost closing connection") ? -1 : 1;
	if (!strcasecmp(line, "NOOP"))
		return reply(s, "250 OK");
	if (strcasecmp(line, "RSET"))
		return reply(s, "500 5.5.1 unknown command");
	if (s->state > GREETED)
		s->state = GREETED;
	return reply(s, "250 Reset OK");
}

int exim_receiver(struct exim *exim, int fd)
{
	struct session s = { .exim = exim, .smtp.fd = fd };
	char line[SMTP_LINE];
	int ret;

	ret = reply(&s, "220 localhost ESMTP rwsemlab");
	while (!ret && smtp_read_line(&s.smtp, line) >= 0)
		ret = do_command(&s, line);
	close(fd);
	/* A client that goes away is its own business. */
	return 0;
}
