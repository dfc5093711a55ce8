/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A mail server of the exim workload, without its processes, for tests.
 */
#ifndef TESTS_UNIT_EXIM_SERVER_H
#define TESTS_UNIT_EXIM_SERVER_H

#include "workloads/exim/exim.h"

/* Two clients, two users, bodies of 300 bytes. */
extern struct exim server;

/* Enter a directory of the test's own; remove it. */
void open_server(void);
void close_server(void);

/* Empty input/, mail/ and log/. */
void fresh_spool(void);

/* Says @input to a receiver; returns all that it answers, to be freed. */
char *talk(const char *input, size_t size);

/* Sends message @number of @client as a client would. */
void send_one(unsigned long client, uint64_t number);

/* @text has @room bytes. */
void append(char *text, size_t room, const char *more);

/* The first MiB of a file, to be freed; "" without one. */
char *read_file(const char *path, size_t *size);

void write_file(const char *path, const char *text, size_t size);

#endif
