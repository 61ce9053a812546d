//go:build agent

#include "peer.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hotspot.h"
#include "openwait.h"
#include "owner.h"

enum { MAX_PEERS = 200 };

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

// An end of a connection: an IPv6 address, or an IPv4 one as IPv6 has it, and the port.
struct end {
	struct in6_addr address;
	int port;
};

// end_of gets the address of a socket, or its peer's, by the function; false if it has none, or one of another kind.
static bool end_of(int socket, int (*get)(int, struct sockaddr *, socklen_t *), struct end *end) {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
		struct sockaddr_storage space;
	} found;
	socklen_t size = sizeof found;
	if (get(socket, &found.any, &size) != 0) {
		return false;
	}
	if (found.any.sa_family == AF_INET6) {
		*end = (struct end){found.v6.sin6_addr, ntohs(found.v6.sin6_port)};
		return true;
	}
	*end = (struct end){{{{[10] = 0xff, [11] = 0xff}}}, ntohs(found.v4.sin_port)};
	memcpy(&end->address.s6_addr[12], &found.v4.sin_addr, sizeof found.v4.sin_addr);
	return found.any.sa_family == AF_INET;
}

static int get_name(int socket, struct sockaddr *address, socklen_t *size) { return getsockname(socket, address, size); }
static int get_peer(int socket, struct sockaddr *address, socklen_t *size) { return getpeername(socket, address, size); }

static bool same_address(const struct end *a, const struct end *b) {
	return memcmp(&a->address, &b->address, sizeof a->address) == 0;
}

// is_any reports whether a socket at this end listens at all addresses.
static bool is_any(const struct end *end) {
	static const uint8_t none[4];
	return IN6_IS_ADDR_UNSPECIFIED(&end->address) ||
		   (IN6_IS_ADDR_V4MAPPED(&end->address) && memcmp(&end->address.s6_addr[12], none, sizeof none) == 0);
}

// is_own reports whether the peer of the socket is a socket of this process, or one that waits to be accepted by it. The
// search takes some calls a file, so only the first few peers on this machine are looked for.
static bool is_own(int socket, const struct end *peer, int *searches) {
	enum { MAX_FILES = 4096, MAX_SEARCHES = 8 };
	struct end own, there, back;
	if (!end_of(socket, get_name, &own) || !same_address(&own, peer) || ++*searches > MAX_SEARCHES) {
		return false;
	}
	for (int file = 0; file < MAX_FILES; file++) {
		int listens = 0;
		socklen_t size = sizeof listens;
		if (file == socket || getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 ||
			!end_of(file, get_name, &there) || there.port != peer->port) {
			continue;
		}
		if (listens ? is_any(&there) || same_address(&there, peer)
					: end_of(file, get_peer, &back) && back.port == own.port && same_address(&back, &own)) {
			return true;
		}
	}
	return false;
}

// format_peer writes the address of a connected socket's peer, and whether that is this process; false if it has none.
static bool format_peer(int socket, char *text, size_t size, int *searches) {
	struct end peer;
	char address[INET6_ADDRSTRLEN];
	if (!end_of(socket, get_peer, &peer)) {
		return false;
	}
	bool mapped = IN6_IS_ADDR_V4MAPPED(&peer.address); // as Java's sockets have them
	inet_ntop(mapped ? AF_INET : AF_INET6, &peer.address.s6_addr[mapped ? 12 : 0], address, sizeof address);
	bool own = is_own(socket, &peer, searches);
	snprintf(text, size, mapped ? " peer=%s:%d%s" : " peer=[%s]:%d%s", address, peer.port, own ? " self=1" : "");
	return true;
}

// format_file writes what is known of a file: the peer of a socket, or which of the standard streams it is. A program
// that has closed those may have a socket by their number.
static bool format_file(int file, char *text, size_t size, int *searches) {
	if (file < 0 || format_peer(file, text, size, searches)) {
		return file >= 0;
	}
	snprintf(text, size, " standard=%d", file);
	return file <= STDERR_FILENO;
}

// publish_peer publishes the peer for which the thread waits, unless the wait ends meanwhile.
static void publish_peer(uint32_t at, const struct openwait *wait, int *searches) {
	char text[128];
	struct openwait now;
	struct record record = {.kind = STATE, .object = wait->object, .payload = text, .time = ring_begin()};
	int32_t thread = native_id_of(wait->thread);
	bool found = thread != 0 && format_file(awaited_file(thread), text, sizeof text, searches);
	if (found && openwait_at(at, &now) && now.thread == wait->thread && now.since == wait->since) {
		record.payload_size = strlen(text);
		ring_publish(&record);
	}
	ring_end();
}

void peers_publish(void) {
	struct openwait wait;
	int64_t now = ring_now();
	int looked = 0, searches = 0;
	for (uint32_t at = 0; at < openwaits_used() && looked < MAX_PEERS; at++) {
		if (openwait_at(at, &wait) && wait.kind == WAITS_FOR_IO && now - wait.since >= LEAST_WAIT) {
			publish_peer(at, &wait, &searches);
			looked++;
		}
	}
}
