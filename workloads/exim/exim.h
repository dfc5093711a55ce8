/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The exim workload, inside.
 *
 *	root
 *	  |- master		accepts connections
 *	  |   `- receiver	one a connection: SMTP, spools messages
 *	  |       `- deliverer	one a message
 *	  |           `- local	appends to a mailbox, under a lock
 *	  `- client ...		smtpbm: sends messages, measures
 *
 * All work in the run's own directory: input/ is the spool, mail/ has a
 * mailbox a user, log/mainlog is the log, smtp the UNIX socket.
 */
#ifndef WORKLOADS_EXIM_EXIM_H
#define WORKLOADS_EXIM_EXIM_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "workloads/env.h"
#include "workloads/vmas.h"

enum exim_socket {
	EXIM_TCP,
	EXIM_UNIX
};

struct exim_options {
	double seconds;
	unsigned long clients; /* processes that send */
	unsigned long messages; /* in one connection */
	unsigned long size; /* of a message's body, bytes */
	unsigned long users; /* mailboxes */
	unsigned long vmas, roots; /* of the master */
	unsigned int socket; /* enum exim_socket */
	bool fsync;
	unsigned long seed; /* of the contents */
	const char *spool;
};

/* What every process of the workload knows. */
struct exim {
	const struct exim_options *options;
	struct workload_env *env;
	int listen_fd;
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_un un;
	} address;
	socklen_t address_size;
};

/* What a client's slot->count[] holds. */
enum exim_count {
	EXIM_ACCEPTED, /* messages 0 to this - 1 got their 250 */
	EXIM_UNSURE, /* 1: the next message's fate is not known */
	EXIM_CONNECTIONS, /* within the time */
	EXIM_TEMPORARY, /* 4xx replies; the note is the first one's text */
};

/*
 * Messages.
 */

/* Which message it is; both count from 0. */
struct exim_message {
	unsigned long client;
	uint64_t number;
};

/**
 * exim_body() - make a message's body: lines that end in \n
 * @body: options->size bytes
 *
 * The same for the same seed, client and number.  Some lines start with "."
 * and "From ", which SMTP and mailboxes must quote.
 */
void exim_body(const struct exim_options *options,
	       const struct exim_message *message, char *body);

/**
 * exim_user() - the user that a message goes to, below options->users
 */
unsigned long exim_user(const struct exim_options *options,
			const struct exim_message *message);

/* The header that names a message: "X-Rwsemlab: CLIENT NUMBER HASH". */
#define EXIM_HEADER "X-Rwsemlab: "

/**
 * exim_hash() - the checksum of a body (XXH64)
 */
uint64_t exim_hash(const char *body, size_t size);

/*
 * Lines over a socket.
 */
#define SMTP_LINE 1000 /* as RFC 5321: with its end */

struct smtp {
	int fd;
	size_t start, end; /* of what was read and not yet taken */
	char buffer[8192];
};

/**
 * smtp_read_line() - the next line, its end removed
 * @line: at least SMTP_LINE bytes
 *
 * Return: its length; -1 at the end of the connection, with errno 0, or on an
 * error; a line that is too long is EMSGSIZE.  A NUL in it is EBADMSG.
 */
ssize_t smtp_read_line(struct smtp *smtp, char *line);

/**
 * smtp_print() - write a line, "\r\n" included in @fmt
 *
 * Return: 0, or -1 with errno set.
 */
int smtp_print(struct smtp *smtp, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * exim_write() - write all of it
 *
 * Return: 0, or -1 with errno set.
 */
int exim_write(int fd, const void *data, size_t size);

/**
 * exim_listen() - open options->socket, and set the address
 */
int exim_listen(struct exim *exim, struct error *err);

/**
 * exim_connect() - from a client
 *
 * TCP clients have a source address each, for the ports of one would be used
 * up in a minute.
 *
 * Return: a blocking socket, or -1 with errno set.
 */
int exim_connect(const struct exim *exim, unsigned long client);

/*
 * The spool: input/ID-D has the body, input/ID-H the rest.
 */
#define EXIM_ID 32

struct exim_spooled {
	char id[EXIM_ID];
	char sender[256];
	unsigned long user; /* that it goes to */
	char header[4096]; /* all header lines */
	size_t header_size;
	int data_fd; /* of the -D file, locked; -1 when closed */
	size_t body_offset; /* in the -D file */
	size_t body_size;
};

/**
 * spool_open() - begin a message under a new id, with its -D file
 *
 * Return: 0, or -1 with errno set and nothing left behind.
 */
int spool_open(struct exim_spooled *message);

/**
 * spool_commit() - write the -H file: from now on the message exists
 *
 * Closes the -D file.
 *
 * Return: as spool_open().
 */
int spool_commit(struct exim_spooled *message, bool sync);

/**
 * spool_load() - read a message back by its id, and lock it
 *
 * Return: 0, or -1 with errno set.
 */
int spool_load(struct exim_spooled *message, const char *id);

/**
 * spool_remove() - forget the message
 */
void spool_remove(struct exim_spooled *message);

/**
 * spool_each() - call @each with the id of every message on the spool
 *
 * Return: 0; -1 with errno set, or what @each returned, when not 0.
 */
int spool_each(int (*each)(const char *id, void *arg), void *arg);

/**
 * exim_log() - append a line to log/mainlog, as "TIME ID TEXT"
 *
 * A log that can't be written, e.g. on a full disk, is no reason to stop.
 */
void exim_log(const char *id, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The processes; each returns its exit status.
 */

/**
 * exim_master() - until SIGTERM; @arg is a struct exim
 */
int exim_master(struct workload_env *env, void *arg);

/**
 * exim_receiver() - one connection
 */
int exim_receiver(struct exim *exim, int fd);

/**
 * exim_deliver() - fork a deliverer for one message, and wait for it
 * @connection: that it must close; -1: none
 *
 * Return: 0; an errno value when the message has to stay on the spool; -1
 * when the deliverer failed otherwise, after workload_trouble().
 */
int exim_deliver(struct exim *exim, int connection, const char *id);

/**
 * exim_local() - append a message to its user's mailbox
 *
 * Return: 0, or an errno value with the mailbox as it was.
 */
int exim_local(const struct exim_options *options,
	       const struct exim_spooled *message);

/**
 * exim_client() - one sender
 */
int exim_client(struct exim *exim, unsigned long client);

/**
 * exim_verify() - read all mailboxes and the spool: was each accepted message
 * delivered exactly once?
 * @deferred: receives how many are still on the spool, whole
 */
int exim_verify(const struct exim *exim, struct workload_result *result,
		uint64_t *deferred, struct error *err);

#endif
