// SPDX-License-Identifier: GPL-2.0-only
/*
 * The exim workload's receiver and deliverer: what they say to good and bad
 * clients, and what reaches the mailbox.
 */
#include "tests/tap.h"
#include "tests/unit/exim-server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The codes of all replies, as "220 250". */
static void check_codes(const char *what, const char *input, const char *want)
{
	char *answer = talk(input, strlen(input));
	char codes[512] = "";
	char *line, *save = NULL;

	for (line = strtok_r(answer, "\r\n", &save); line;
	     line = strtok_r(NULL, "\r\n", &save)) {
		append(codes, sizeof(codes), *codes ? " " : "");
		line[strnlen(line, 3)] = '\0';
		append(codes, sizeof(codes), line);
	}
	tap_is_str(codes, want, "%s", what);
	free(answer);
}

static void check_dialogue(void)
{
	char line[1200];

	fresh_spool();
	check_codes("QUIT at once", "QUIT\r\n", "220 221");
	check_codes("a client that goes away", "HELO a\r\nMAIL", "220 250");
	check_codes("commands in any case, bare newlines",
		    "helo a\nmail from:<a@b>\nRcpt To:<USER1@localhost>\n",
		    "220 250 250 250");
	check_codes("no sender before HELO", "MAIL FROM:<a@b>\r\n", "220 503");
	check_codes("no recipient before a sender",
		    "HELO a\r\nRCPT TO:<user0@localhost>\r\n", "220 250 503");
	check_codes("no data before a recipient",
		    "HELO a\r\nMAIL FROM:<a@b>\r\nDATA\r\n", "220 250 250 503");
	check_codes("bad senders",
		    "HELO a\r\nMAIL FROM:a\r\nMAIL FROM:<a b>\r\n"
		    "MAIL FROM:<a\r\nMAIL FROM:<\x01>\r\nMAIL FROM:<>\r\n",
		    "220 250 501 501 501 501 250");
	check_codes(
		"users that do not exist",
		"HELO a\r\nMAIL FROM:<a@b>\r\n"
		"RCPT TO:<user2@localhost>\r\nRCPT TO:<user-1@localhost>\r\n"
		"RCPT TO:<user0@elsewhere>\r\nRCPT TO:<user0@localhost>x\r\n"
		"RCPT TO:<../user0@localhost>\r\n"
		"RCPT TO:<user99999999999@localhost>\r\n",
		"220 250 250 550 550 550 550 550 550");
	check_codes("RSET forgets the sender",
		    "HELO a\r\nMAIL FROM:<a@b>\r\nRSET\r\n"
		    "RCPT TO:<user0@localhost>\r\nMAIL FROM:<a@b>\r\n",
		    "220 250 250 250 503 250");
	check_codes("unknown commands", "EHLO a\r\n\r\nNOOP\r\nHELO \r\n",
		    "220 500 500 250 501");
	memset(line, 'x', sizeof(line) - 2);
	line[sizeof(line) - 2] = '\n';
	line[sizeof(line) - 1] = '\0';
	check_codes("a line too long ends the connection", line, "220");
	free(talk("HELO a\0b\r\n", 10));
	tap_ok(rmdir("input") == 0 && rmdir("mail") == 0,
	       "nothing of that left a message");
}

#define ENVELOPE                                                        \
	"HELO here\r\nMAIL FROM:<me@here>\r\nRCPT TO:<user1@localhost>" \
	"\r\nDATA\r\n"

static void check_delivery(void)
{
	char *text;
	size_t size;

	fresh_spool();
	check_codes("a message is accepted",
		    ENVELOPE "Subject: x\r\n\r\n..dot\r\nFrom me\r\n>From "
			     "you\r\n\r\n.\r\nQUIT\r\n",
		    "220 250 250 250 354 250 221");
	text = read_file("mail/user1", &size);
	tap_ok(!strncmp(text, "From me@here ", 13), "it is in the mailbox");
	tap_ok(strstr(text, "\nReturn-path: <me@here>\n"), "with its sender");
	tap_ok(strstr(text, "\nReceived: from here by localhost"),
	       "with where it came from");
	tap_ok(strstr(text, "\nSubject: x\n\n.dot\n>From me\n>>From you\n\n\n"),
	       "its dots unstuffed, its From lines quoted");
	free(text);
	text = read_file("log/mainlog", &size);
	tap_ok(strstr(text, " <= <me@here> H=(here) P=smtp S="),
	       "the log has its arrival");
	tap_ok(strstr(text, " => user1 <user1@localhost> "), "its delivery");
	tap_ok(strstr(text, " Completed\n"), "and its end");
	free(text);
	tap_ok(!rmdir("input"), "the spool is empty");
}

static void check_bad_messages(void)
{
	char *big = calloc(1, 20000);
	size_t size, i;
	char *text;

	fresh_spool();
	append(big, 20000, ENVELOPE "Subject: x\r\n\r\n");
	for (i = 0; i < 31; i++)
		append(big, 20000, "123456789\r\n");
	append(big, 20000, ".\r\nNOOP\r\n");
	check_codes("a body over the limit is read and refused", big,
		    "220 250 250 250 354 552 250");
	snprintf(big, 20000, "%s", ENVELOPE);
	for (i = 0; i < 200; i++)
		append(big, 20000, "Header: 12345678901234567890\r\n");
	append(big, 20000, "\r\n.\r\nNOOP\r\n");
	check_codes("headers over the limit too", big,
		    "220 250 250 250 354 552 250");
	check_codes("a message without its dot is not accepted",
		    ENVELOPE "Subject: x\r\n\r\nabc\r\n",
		    "220 250 250 250 354");
	text = read_file("mail/user1", &size);
	tap_is_u64(size, 0, "none of them is in the mailbox");
	tap_ok(!rmdir("input"), "or on the spool");
	free(text);
	free(big);
}

/* Where no mailbox can be written, mail stays on the spool and is tried again. */
static int deliver_again(const char *id, void *arg)
{
	tap_is_i64(exim_deliver(&server, -1, id), *(int *)arg,
		   "delivery of a waiting message gives %d", *(int *)arg);
	return 0;
}

static void check_deferral(void)
{
	int want = ENOENT;
	size_t size;
	char *text;

	fresh_spool();
	rmdir("mail");
	check_codes("accepted although it can't be delivered",
		    ENVELOPE "Subject: x\r\n\r\nabc\r\n.\r\n",
		    "220 250 250 250 354 250");
	spool_each(deliver_again, &want);
	if (mkdir("mail", 0700))
		tap_bail("mkdir: %s", strerror(errno));
	want = 0;
	spool_each(deliver_again, &want);
	text = read_file("mail/user1", &size);
	tap_ok(strstr(text, "\n\nabc\n\n"), "it is delivered in the end");
	free(text);
	text = read_file("log/mainlog", &size);
	tap_ok(strstr(text, " == user1@localhost defer (2): No such"),
	       "the log says why it waited");
	free(text);
}

int main(void)
{
	open_server();
	check_dialogue();
	check_delivery();
	check_bad_messages();
	check_deferral();
	close_server();
	return tap_done();
}
