// SPDX-License-Identifier: GPL-2.0-only
/*
 * Does the exim workload's verification see every way in which mail can go
 * wrong, and nothing else?
 */
#include "tests/tap.h"
#include "tests/unit/exim-server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void send_all(void)
{
	unsigned long client;
	uint64_t number;

	fresh_spool();
	for (client = 0; client < 2; client++) {
		memset(&server.env->shared->slot[client], 0,
		       sizeof(struct workload_slot));
		for (number = 0; number < 6; number++)
			send_one(client, number);
		server.env->shared->slot[client].count[EXIM_ACCEPTED] = 6;
	}
}

static void check_verdict(const char *what, uint64_t failures,
			  uint64_t want_deferred, const char *first)
{
	struct workload_result result = { 0 };
	struct error err = { 0 };
	uint64_t deferred = 0;

	if (exim_verify(&server, &result, &deferred, &err))
		tap_ok(false, "%s: %s", what, err.text);
	tap_is_u64(result.verification.failures, failures, "%s: failures",
		   what);
	tap_is_u64(deferred, want_deferred, "%s: deferred", what);
	if (!tap_ok(strstr(result.verification.first_failure, first),
		    "%s: '%s'", what, first))
		tap_diag("%s", result.verification.first_failure);
}

/* Verifies a mailbox of user0 with @old replaced by @new_text once. */
static void check_edited(const char *what, const char *old,
			 const char *new_text, uint64_t failures,
			 const char *first)
{
	size_t size;
	char *text = read_file("mail/user0", &size);
	char *edited = calloc(1, 2 << 20);
	char *at = memmem(text, size, old, strlen(old));

	if (!at)
		tap_bail("no '%s' in the mailbox", old);
	snprintf(edited, 2 << 20, "%.*s%s%s", (int)(at - text), text, new_text,
		 at + strlen(old));
	write_file("mail/user0", edited, strlen(edited));
	check_verdict(what, failures, 0, first);
	write_file("mail/user0", text, size);
	free(edited);
	free(text);
}

static void check_lost_and_doubled(void)
{
	size_t size, first;
	char *text = read_file("mail/user0", &size);
	char *twice = calloc(1, 2 * size);
	char *second = strstr(text, "\n\nFrom c@d ");

	first = (size_t)(second - text) + 2;
	write_file("mail/user0", text + first, size - first);
	check_verdict("one message lost", 1, 0,
		      "message 0/0 was accepted but not delivered");
	memcpy(twice, text, size);
	memcpy(twice + size, text, first);
	write_file("mail/user0", twice, size + first);
	check_verdict("one message doubled", 1, 0,
		      "mail/user0: message 0/0 is there twice");
	write_file("mail/user0", text, size - 20);
	check_verdict("the last message cut off", 1, 0,
		      "message 0/5 has a wrong checksum");
	write_file("mail/user0", "rubbish", 7);
	check_verdict("a mailbox of rubbish", 7, 0, "is no mailbox");
	unlink("mail/user0");
	check_verdict("a mailbox gone", 6, 0, "message 0/0 was accepted");
	write_file("mail/user0", text, size);
	free(text);
	free(twice);
}

static void check_moved(void)
{
	size_t size, other_size;
	char *text = read_file("mail/user0", &size);
	char *other = read_file("mail/user1", &other_size);

	write_file("mail/user0", other, other_size);
	write_file("mail/user1", text, size);
	check_verdict("mail in each other's boxes", 12, 0,
		      "mail/user0: message 1/0 is for user1");
	write_file("mail/user0", text, size);
	write_file("mail/user1", other, other_size);
	free(text);
	free(other);
}

static void check_verification(void)
{
	struct exim_message last = { 0, 5 };
	char body[300];
	char line[70];

	send_all();
	check_verdict("all is well", 0, 0, "");
	exim_body(server.options, &last, body);
	snprintf(line, sizeof(line), "%.*s\n", 20, body + 70);
	line[20] = '\0';
	check_edited("a letter changed", line, "!", 1,
		     "message 0/5 has a wrong checksum");
	check_edited("a name changed", EXIM_HEADER "0 5 ", EXIM_HEADER "0 6 ",
		     2, "message 0/6 was never accepted");
	check_edited("a client that there is not", EXIM_HEADER "0 5 ",
		     EXIM_HEADER "2 5 ", 2, "message 2/5 was never accepted");
	check_edited("a name removed", EXIM_HEADER "0 5 ", "Y: 0 5 ", 2,
		     "a message without a name");
	check_lost_and_doubled();
	check_moved();
	check_verdict("all is well again", 0, 0, "");
}

static void check_unsure(void)
{
	struct workload_slot *slot = &server.env->shared->slot[0];

	slot->count[EXIM_ACCEPTED] = 5;
	check_verdict("more than was accepted", 1, 0,
		      "message 0/5 was never accepted");
	slot->count[EXIM_UNSURE] = 1;
	check_verdict("a message whose reply was lost may be there", 0, 0, "");
	slot->count[EXIM_ACCEPTED] = 6;
	check_verdict("or may not", 0, 0, "");
	slot->count[EXIM_UNSURE] = 0;
	rmdir("input");
	rename("mail", "away");
	if (mkdir("input", 0700))
		tap_bail("mkdir: %s", strerror(errno));
	send_one(0, 0);
	rename("away", "mail");
	check_verdict("a message on the spool and in the mailbox", 1, 0,
		      "spool: message 0/0 is there twice");
}

static void check_spooled(void)
{
	fresh_spool();
	rmdir("mail");
	memset(&server.env->shared->slot[0], 0,
	       2 * sizeof(struct workload_slot));
	send_one(0, 0);
	server.env->shared->slot[0].count[EXIM_ACCEPTED] = 1;
	check_verdict("a message that waits on the spool", 0, 1, "");
	server.env->shared->slot[0].count[EXIM_ACCEPTED] = 2;
	check_verdict("and one that does not", 1, 1,
		      "message 0/1 was accepted but not delivered");
}

int main(void)
{
	open_server();
	check_verification();
	check_unsure();
	check_spooled();
	close_server();
	return tap_done();
}
