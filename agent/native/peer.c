//go:build agent

#include "peer.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "hotspot.h"
#include "openwait.h"
#include "owner.h"

enum { LEAST_WAIT = 1000 * 1000 * 1000, MAX_PEERS = 200 };

// polled_file returns the only file that a call of poll waits for; -1 if there are several.
static int polled_file(uint64_t address, uint64_t count) {
	struct pollfd polled;
	return count == 1 && copy_memory(&polled, address, sizeof polled) ? polled.fd : -1;
}

// awaited_file returns the file descriptor of the system call in which the thread is; -1 if it is in none with one.
static int awaited_file(int32_t thread) {
	char path[64];
	long call = -1;
	unsigned long first = 0, second = 0;
	snprintf(path, sizeof path, "/proc/self/task/%d/syscall", thread);
	FILE *file = fopen(path, "re");
	int read = file != NULL ? fscanf(file, "%ld %lx %lx", &call, &first, &second) : 0;
	if (file != NULL) {
		fclose(file);
	}
	if (read < 3) { // it runs
		return -1;
	}
	switch (call) {
	case SYS_read:
	case SYS_readv:
	case SYS_recvfrom:
	case SYS_recvmsg:
	case SYS_write:
	case SYS_writev:
	case SYS_sendto:
	case SYS_sendmsg:
		return (int)first;
#ifdef SYS_poll
	case SYS_poll:
#endif
	case SYS_ppoll:
		return polled_file(first, second);
	}
	return -1;
}

// format_peer writes the address of a connected socket's peer, and reports whether it has one.
static bool format_peer(int socket, char *text, size_t size) {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
		struct sockaddr_storage space;
	} peer;
	socklen_t length = sizeof peer;
	char address[INET6_ADDRSTRLEN];
	if (getpeername(socket, &peer.any, &length) != 0) {
		return false;
	}
	const void *bytes = &peer.v4.sin_addr;
	int family = peer.any.sa_family, port = peer.v4.sin_port; // at the same place for both families
	if (family == AF_INET6) {
		bytes = &peer.v6.sin6_addr;
		if (IN6_IS_ADDR_V4MAPPED(&peer.v6.sin6_addr)) { // as Java's sockets have them
			bytes = &peer.v6.sin6_addr.s6_addr[12];
			family = AF_INET;
		}
	}
	if ((family != AF_INET && family != AF_INET6) || inet_ntop(family, bytes, address, sizeof address) == NULL) {
		return false;
	}
	const char *format = family == AF_INET ? " peer=%s:%d" : " peer=[%s]:%d";
	return snprintf(text, size, format, address, ntohs(port)) < (int)size;
}

// publish_peer publishes the peer for which the thread waits, unless the wait ends meanwhile.
static void publish_peer(uint32_t at, const struct openwait *wait) {
	char text[128];
	struct openwait now;
	struct record record = {.kind = STATE, .object = wait->object, .payload = text, .time = ring_begin()};
	int32_t thread = native_id_of(wait->thread);
	int socket = thread != 0 ? awaited_file(thread) : -1;
	if (socket >= 0 && format_peer(socket, text, sizeof text) && openwait_at(at, &now) && now.thread == wait->thread &&
		now.since == wait->since) {
		record.payload_size = strlen(text);
		ring_publish(&record);
	}
	ring_end();
}

void peers_publish(void) {
	struct openwait wait;
	int64_t now = ring_now();
	int looked = 0;
	for (uint32_t at = 0; at < openwaits_used() && looked < MAX_PEERS; at++) {
		if (openwait_at(at, &wait) && wait.kind == WAITS_FOR_IO && now - wait.since >= LEAST_WAIT) {
			publish_peer(at, &wait);
			looked++;
		}
	}
}
