// SPDX-License-Identifier: GPL-2.0-only
#include "workloads/exim/exim.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int exim_write(int fd, const void *data, size_t size)
{
	const char *from = data;

	while (size) {
		ssize_t wrote = write(fd, from, size);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return -1;
		from += wrote;
		size -= (size_t)wrote;
	}
	return 0;
}

int smtp_print(struct smtp *smtp, const char *fmt, ...)
{
	char line[SMTP_LINE];
	va_list ap;
	int length;

	va_start(ap, fmt);
	length = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (length < 0 || (size_t)length >= sizeof(line)) {
		errno = EMSGSIZE;
		return -1;
	}
	return exim_write(smtp->fd, line, (size_t)length);
}

static int fill(struct smtp *smtp)
{
	ssize_t got;

	memmove(smtp->buffer, smtp->buffer + smtp->start,
		smtp->end - smtp->start);
	smtp->end -= smtp->start;
	smtp->start = 0;
	do
		got = read(smtp->fd, smtp->buffer + smtp->end,
			   sizeof(smtp->buffer) - smtp->end);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		smtp->end += (size_t)got;
	if (!got)
		errno = 0;
	return got > 0 ? 0 : -1;
}

ssize_t smtp_read_line(struct smtp *smtp, char *line)
{
	char *from, *newline;
	size_t length;

	for (;;) {
		from = smtp->buffer + smtp->start;
		length = smtp->end - smtp->start;
		newline = memchr(from, '\n', length);
		if (newline)
			break;
		if (length >= SMTP_LINE) {
			errno = EMSGSIZE;
			return -1;
		}
		if (fill(smtp))
			return -1;
	}
	length = (size_t)(newline - from);
	smtp->start += length + 1;
	if (length && from[length - 1] == '\r')
		length--;
	if (length >= SMTP_LINE || memchr(from, '\0', length)) {
		errno = length >= SMTP_LINE ? EMSGSIZE : EBADMSG;
		return -1;
	}
	memcpy(line, from, length);
	line[length] = '\0';
	return (ssize_t)length;
}

/* A dialogue of short lines must not wait for more of them. */
static void no_delay(const struct exim *exim, int fd)
{
	int on = 1;

	if (exim->options->socket == EXIM_TCP)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static int new_socket(const struct exim *exim)
{
	int family = exim->options->socket == EXIM_TCP ? AF_INET : AF_UNIX;
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	/* Accepted sockets inherit it. */
	if (fd >= 0)
		no_delay(exim, fd);
	return fd;
}

int exim_listen(struct exim *exim, struct error *err)
{
	int fd = new_socket(exim);

	if (exim->options->socket == EXIM_TCP) {
		exim->address.in = (struct sockaddr_in){
			.sin_family = AF_INET,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		};
		exim->address_size = sizeof(exim->address.in);
	} else {
		exim->address.un = (struct sockaddr_un){
			.sun_family = AF_UNIX,
			.sun_path = "smtp",
		};
		exim->address_size = sizeof(exim->address.un);
	}
	exim->listen_fd = fd;
	/* For TCP the kernel chooses the port. */
	if (fd >= 0 && !bind(fd, &exim->address.any, exim->address_size) &&
	    !listen(fd, 4096) &&
	    (exim->options->socket == EXIM_UNIX ||
	     !getsockname(fd, &exim->address.any, &exim->address_size)))
		return 0;
	return error_errno(err, EXIT_IMPOSSIBLE,
			   "exim: cannot listen; try socket=%s",
			   exim->options->socket == EXIM_TCP ? "unix" : "tcp");
}

int exim_connect(const struct exim *exim, unsigned long client)
{
	struct sockaddr_in source = {
		.sin_family = AF_INET,
		/* 127.1.0.0 on: all of 127/8 is this computer. */
		.sin_addr.s_addr =
			htonl(0x7f010000 + (uint32_t)(client % 0xfffe) + 1),
	};
	int fd = new_socket(exim);
	int on = 1;
	int ret = 0;

	if (fd < 0)
		return -1;
	if (exim->options->socket == EXIM_TCP) {
		setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on,
			   sizeof(on));
		ret = bind(fd, (struct sockaddr *)&source, sizeof(source));
	}
	if (!ret)
		ret = connect(fd, &exim->address.any, exim->address_size);
	if (!ret)
		return fd;
	ret = errno;
	close(fd);
	errno = ret;
	return -1;
}
