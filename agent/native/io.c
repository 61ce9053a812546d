//go:build agent

#include "io.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <linux/sockios.h>

#include "classes.h"
#include "cpu.h"
#include "hotspot.h"
#include "id.h"
#include "javathread.h"
#include "openwait.h"
#include "stack.h"
#include "thread.h"

// The operations, numbered as in trace/state.go.
enum operation { NO_IO, IO_READ, IO_WRITE, IO_ACCEPT, IO_CONNECT, IO_SELECT };

static jfieldID descriptor; // java.io.FileDescriptor.fd
static jfieldID input, output; // fd of java.io.FileInputStream and FileOutputStream

// Files.

static int file_of(JNIEnv *env, jobject fd) { return (*env)->GetIntField(env, fd, descriptor); }

// is_blocking reports whether a call on the file waits until it can do something.
static bool is_blocking(int file) {
	int flags = fcntl(file, F_GETFL);
	return flags >= 0 && !(flags & O_NONBLOCK);
}

static bool is_ready(int file, short events) {
	struct pollfd polled = {.fd = file, .events = events};
	return poll(&polled, 1, 0) != 0;
}

// socket_option returns the value of a socket's option, or none.
static int socket_option(int file, int option, int none) {
	int value = none;
	socklen_t size = sizeof value;
	return getsockopt(file, SOL_SOCKET, option, &value, &size) == 0 ? value : none;
}

static bool is_connected(int file) {
	struct sockaddr_storage peer;
	socklen_t size = sizeof peer;
	return getpeername(file, (struct sockaddr *)&peer, &size) == 0;
}

// fits reports whether a socket or a pipe that is ready for output accepts the given number of bytes; a file always
// does. Linux counts the memory of a socket's unsent bytes, which is up to twice their number.
static bool fits(int file, int64_t size) {
	enum { SMALL = 4096 };
	int unsent = 0;
	if (size <= SMALL) {
		return true;
	}
	int limit = socket_option(file, SO_SNDBUF, -1), pipe = limit < 0 ? fcntl(file, F_GETPIPE_SZ) : -1;
	if (pipe >= 0) {
		return ioctl(file, FIONREAD, &unsent) != 0 || size <= pipe - unsent;
	}
	return limit < 0 || ioctl(file, SIOCOUTQ, &unsent) != 0 || size <= limit / 2 - unsent;
}

static bool write_waits(int file, int64_t size) {
	return !(is_ready(file, POLLOUT) && fits(file, size)) && is_blocking(file);
}

static bool read_waits(int file) { return !is_ready(file, POLLIN) && is_blocking(file); }

static bool connect_waits(int file) { return is_blocking(file) && socket_option(file, SO_TYPE, 0) == SOCK_STREAM; }

// polled_operation returns the operation for which a thread waits for the events.
static enum operation polled_operation(int file, int events) {
	if (events & POLLOUT) {
		return is_connected(file) ? IO_WRITE : IO_CONNECT;
	}
	return socket_option(file, SO_ACCEPTCONN, 0) ? IO_ACCEPT : IO_READ;
}

static int64_t size_of(const struct iovec *parts, int count) {
	int64_t size = 0;
	for (int i = 0; i < count; i++) {
		size += (int64_t)parts[i].iov_len;
	}
	return size;
}

// Objects: a channel has the id of its FileDescriptor, a selector the id of its file. The class is the public class by
// which programs know the channel.

static const char *class_named(const char *signature, enum operation operation) {
	static const char *const classes[][2] = {
		{"Lsun/nio/ch/NioSocketImpl;", "java/net/Socket"},
		{"Lsun/nio/ch/SocketChannelImpl;", "java/nio/channels/SocketChannel"},
		{"Lsun/nio/ch/ServerSocketChannelImpl;", "java/nio/channels/ServerSocketChannel"},
		{"Lsun/nio/ch/DatagramChannelImpl;", "java/nio/channels/DatagramChannel"},
		{"Lsun/nio/ch/SourceChannelImpl;", "java/nio/channels/Pipe$SourceChannel"},
		{"Lsun/nio/ch/SelectorImpl;", "java/nio/channels/Selector"},
		{"Lsun/nio/ch/EPollPort;", "java/nio/channels/AsynchronousChannelGroup"},
		{"Lsun/nio/ch/EPollPoller;", "sun/nio/ch/Poller"},
		{"Ljava/io/FileInputStream;", "java/io/FileInputStream"},
		{"Ljava/io/FileOutputStream;", "java/io/FileOutputStream"},
	};
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		if (strcmp(signature, classes[i][0]) == 0) {
			return i == 0 && operation == IO_ACCEPT ? "java/net/ServerSocket" : classes[i][1];
		}
	}
	return NULL;
}

// name_of returns the name of the class of the channel that the method belongs to; NULL for another method.
static const char *name_of(JNIEnv *env, jmethodID method, enum operation operation) {
	jclass class = NULL;
	char *signature = NULL;
	const char *name = NULL;
	if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, method, &class) == JVMTI_ERROR_NONE &&
		(*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) == JVMTI_ERROR_NONE) {
		name = class_named(signature, operation);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
	(*env)->DeleteLocalRef(env, class);
	return name;
}

enum { CALLS = 8 }; // frames that are searched for a method of a channel

// class_of_channel returns the class of the channel whose method the thread runs; NULL if it runs none. A NULL thread
// is the calling thread.
static jclass class_of_channel(JNIEnv *env, jthread thread, enum operation operation) {
	jvmtiFrameInfo frames[CALLS];
	jint count = 0;
	const char *name = NULL;
	(*agent.jvmti)->GetStackTrace(agent.jvmti, thread, 0, CALLS, frames, &count);
	for (jint i = 0; i < count && name == NULL; i++) {
		name = name_of(env, frames[i].method, operation);
	}
	jclass class = name != NULL ? (*env)->FindClass(env, name) : NULL;
	(*env)->ExceptionClear(env);
	return class;
}

static int64_t channel_id(JNIEnv *env, jobject fd, enum operation operation) {
	int64_t id = known_object_id(fd);
	if (id == 0) {
		jclass class = class_of_channel(env, NULL, operation);
		id = object_id_as(env, fd, class);
		(*env)->DeleteLocalRef(env, class);
	}
	return id;
}

enum { SELECTORS = 1 << 16 }; // for a file with a higher number, each wait has an object of its own
static struct selector {
	int64_t id;
	uintptr_t recording;
} selectors[SELECTORS];

// selector_id returns the id of a selector, by the number of its file. create_wrapped forgets an earlier one.
static int64_t selector_id(JNIEnv *env, int file) {
	struct selector *s = file < SELECTORS ? &selectors[file] : NULL;
	if (s != NULL && s->id != 0 && s->recording == recording_number()) {
		return s->id;
	}
	jclass class = class_of_channel(env, NULL, IO_SELECT);
	int64_t id = class != NULL ? new_object_id(class) : 0;
	(*env)->DeleteLocalRef(env, class);
	if (s != NULL) {
		*s = (struct selector){id, recording_number()};
	}
	return id;
}

// Records.

struct wait {
	int64_t thread, object; // object: 0 if the wait is not recorded
	int64_t deadline;       // before it the wait does not time out
	uintptr_t recording;
};

// waiter returns the id of the platform thread that runs here; 0 if its waits are not recorded.
static int64_t waiter(JNIEnv *env) { return recording() && agent.settings.io ? current_platform_thread(env) : 0; }

// begin publishes the begin of a wait. The timeout is in milliseconds, 0 or less for none.
static struct wait begin(int64_t thread, int64_t object, enum operation operation, int64_t timeout) {
	struct record record = {.kind = WAIT, .flags = operation << OPERATION_SHIFT, .thread = thread, .object = object};
	record.argument = timeout > 0 ? timeout : 0;
	record.time = ring_begin();
	if (object != 0) {
		openwait_begins(&record, WAITS_FOR_IO);
		publish_with_stack(&record);
	}
	ring_end();
	return (struct wait){thread, object, record.time + record.argument * 1000000, recording_number()};
}

static struct wait begin_on(JNIEnv *env, int64_t thread, jobject fd, enum operation operation, int64_t timeout) {
	return begin(thread, channel_id(env, fd, operation), operation, timeout);
}

// end publishes the end of a wait, in which an exception may have been thrown. A signal ends a poll like a timeout.
static void end(const struct wait *wait, bool timed_out) {
	if (wait->object != 0 && recording() && wait->recording == recording_number()) {
		struct record record = {.kind = WAITED, .thread = wait->thread, .time = ring_begin(), .object = wait->object};
		record.flags = timed_out && record.time >= wait->deadline ? TIMED_OUT : 0;
		record.argument = current_cpu_time(record.time);
		ring_publish(&record);
		ring_end();
		openwait_ends(wait->thread);
	}
}

// The native methods, by the order of the table methods.

enum {
	ACCEPT,
	CONNECT,
	POLL,
	POLL_CONNECT,
	READ,
	READV,
	WRITE,
	WRITEV,
	FILE_WRITE,
	FILE_WRITEV,
	DATAGRAM_READ,
	DATAGRAM_READV,
	RECEIVE,
	UNIX_ACCEPT,
	UNIX_CONNECT,
	STREAM_READ,
	STREAM_READ_BYTE,
	STREAM_WRITE,
	SELECT,
	CREATE,
	METHODS,
};

static void *originals[METHODS];

// WAITING evaluates the call of an original method, between the records of its wait if waits is true.
#define WAITING(type, waits, fd, operation, timeout, call, timed_out)                                                  \
	int64_t thread = waiter(env);                                                                                      \
	struct wait wait = {0};                                                                                            \
	if (thread != 0 && (waits)) {                                                                                      \
		wait = begin_on(env, thread, fd, operation, timeout);                                                          \
	}                                                                                                                  \
	type result = (call);                                                                                              \
	end(&wait, timed_out);                                                                                             \
	return result

typedef jint (*accept_function)(JNIEnv *, jclass, jobject, jobject, jobjectArray);
typedef jint (*transfer_function)(JNIEnv *, jclass, jobject, jlong, jint);
typedef jlong (*vector_function)(JNIEnv *, jclass, jobject, jlong, jint);

#define ORIGINAL(function, index) ((function)originals[index])

#define ACCEPTING(name, index)                                                                                         \
	static jint JNICALL name(JNIEnv *env, jclass class, jobject fd, jobject accepted, jobjectArray address) {          \
		WAITING(jint, read_waits(file_of(env, fd)), fd, IO_ACCEPT, 0,                                                  \
			ORIGINAL(accept_function, index)(env, class, fd, accepted, address), false);                               \
	}

#define READING(type, name, function, index)                                                                           \
	static type JNICALL name(JNIEnv *env, jclass class, jobject fd, jlong address, jint size) {                        \
		WAITING(type, read_waits(file_of(env, fd)), fd, IO_READ, 0,                                                    \
			ORIGINAL(function, index)(env, class, fd, address, size), false);                                          \
	}

#define WRITING(type, name, function, index, bytes)                                                                    \
	static type JNICALL name(JNIEnv *env, jclass class, jobject fd, jlong address, jint size) {                        \
		WAITING(type, write_waits(file_of(env, fd), bytes), fd, IO_WRITE, 0,                                           \
			ORIGINAL(function, index)(env, class, fd, address, size), false);                                          \
	}

#define SIZE_OF_VECTOR size_of((const struct iovec *)(intptr_t)address, size)

ACCEPTING(accept_wrapped, ACCEPT)
ACCEPTING(unix_accept_wrapped, UNIX_ACCEPT)
READING(jint, read_wrapped, transfer_function, READ)
READING(jlong, readv_wrapped, vector_function, READV)
READING(jint, datagram_read_wrapped, transfer_function, DATAGRAM_READ)
READING(jlong, datagram_readv_wrapped, vector_function, DATAGRAM_READV)
WRITING(jint, write_wrapped, transfer_function, WRITE, size)
WRITING(jlong, writev_wrapped, vector_function, WRITEV, SIZE_OF_VECTOR)
WRITING(jint, file_write_wrapped, transfer_function, FILE_WRITE, size)
WRITING(jlong, file_writev_wrapped, vector_function, FILE_WRITEV, SIZE_OF_VECTOR)

static jint JNICALL receive_wrapped(
	JNIEnv *env, jclass class, jobject fd, jlong address, jint size, jlong sender, jboolean connected) {
	typedef jint (*function)(JNIEnv *, jclass, jobject, jlong, jint, jlong, jboolean);
	WAITING(jint, read_waits(file_of(env, fd)), fd, IO_READ, 0,
		ORIGINAL(function, RECEIVE)(env, class, fd, address, size, sender, connected), false);
}

static jint JNICALL connect_wrapped(JNIEnv *env, jclass class, jboolean ipv6, jobject fd, jobject address, jint port) {
	typedef jint (*function)(JNIEnv *, jclass, jboolean, jobject, jobject, jint);
	WAITING(jint, connect_waits(file_of(env, fd)), fd, IO_CONNECT, 0,
		ORIGINAL(function, CONNECT)(env, class, ipv6, fd, address, port), false);
}

static jint JNICALL unix_connect_wrapped(JNIEnv *env, jclass class, jobject fd, jbyteArray path) {
	typedef jint (*function)(JNIEnv *, jclass, jobject, jbyteArray);
	WAITING(jint, connect_waits(file_of(env, fd)), fd, IO_CONNECT, 0,
		ORIGINAL(function, UNIX_CONNECT)(env, class, fd, path), false);
}

static jint JNICALL poll_wrapped(JNIEnv *env, jclass class, jobject fd, jint events, jlong timeout) {
	typedef jint (*function)(JNIEnv *, jclass, jobject, jint, jlong);
	WAITING(jint, timeout != 0, fd, polled_operation(file_of(env, fd), events), timeout,
		ORIGINAL(function, POLL)(env, class, fd, events, timeout), result == 0 && timeout > 0);
}

static jboolean JNICALL poll_connect_wrapped(JNIEnv *env, jclass class, jobject fd, jlong timeout) {
	typedef jboolean (*function)(JNIEnv *, jclass, jobject, jlong);
	WAITING(jboolean, timeout != 0, fd, IO_CONNECT, timeout, ORIGINAL(function, POLL_CONNECT)(env, class, fd, timeout),
		!result && timeout > 0);
}

// Pipes have the streams of files: standard input and output, and those of other processes. Files are always ready.

static jint JNICALL stream_read_wrapped(JNIEnv *env, jobject stream, jbyteArray bytes, jint offset, jint size) {
	typedef jint (*function)(JNIEnv *, jobject, jbyteArray, jint, jint);
	jobject fd = (*env)->GetObjectField(env, stream, input);
	WAITING(jint, fd != NULL && read_waits(file_of(env, fd)), fd, IO_READ, 0,
		ORIGINAL(function, STREAM_READ)(env, stream, bytes, offset, size), false);
}

static jint JNICALL stream_read_byte_wrapped(JNIEnv *env, jobject stream) {
	typedef jint (*function)(JNIEnv *, jobject);
	jobject fd = (*env)->GetObjectField(env, stream, input);
	WAITING(jint, fd != NULL && read_waits(file_of(env, fd)), fd, IO_READ, 0,
		ORIGINAL(function, STREAM_READ_BYTE)(env, stream), false);
}

static void JNICALL stream_write_wrapped(
	JNIEnv *env, jobject stream, jbyteArray bytes, jint offset, jint size, jboolean append) {
	typedef void (*function)(JNIEnv *, jobject, jbyteArray, jint, jint, jboolean);
	jobject fd = (*env)->GetObjectField(env, stream, output);
	int64_t thread = waiter(env);
	struct wait wait = {0};
	if (thread != 0 && fd != NULL && write_waits(file_of(env, fd), size)) {
		wait = begin_on(env, thread, fd, IO_WRITE, 0);
	}
	ORIGINAL(function, STREAM_WRITE)(env, stream, bytes, offset, size, append);
	end(&wait, false);
}

// select_wrapped asks without waiting first: most selectors of a busy server have something ready.
static jint JNICALL select_wrapped(JNIEnv *env, jclass class, jint file, jlong events, jint count, jint timeout) {
	jint (*original)(JNIEnv *, jclass, jint, jlong, jint, jint) = originals[SELECT];
	int64_t thread = timeout != 0 ? waiter(env) : 0;
	if (thread == 0) {
		return original(env, class, file, events, count, timeout);
	}
	jint ready = original(env, class, file, events, count, 0);
	if (ready != 0) {
		return ready;
	}
	struct wait wait = begin(thread, selector_id(env, file), IO_SELECT, timeout);
	ready = original(env, class, file, events, count, timeout);
	end(&wait, ready == 0 && timeout > 0);
	return ready;
}

static jint JNICALL create_wrapped(JNIEnv *env, jclass class) {
	jint file = ((jint(*)(JNIEnv *, jclass))originals[CREATE])(env, class);
	if (file >= 0 && file < SELECTORS) {
		selectors[file].id = 0;
	}
	return file;
}

#define NET "sun/nio/ch/Net"
#define SOCKET "sun/nio/ch/SocketDispatcher"
#define FILES "sun/nio/ch/FileDispatcherImpl"
#define DATAGRAM "sun/nio/ch/DatagramDispatcher"
#define UNIX "sun/nio/ch/UnixDomainSockets"
#define EPOLL "sun/nio/ch/EPoll"
#define INPUT "java/io/FileInputStream"
#define OUTPUT "java/io/FileOutputStream"
#define FD "Ljava/io/FileDescriptor;"

// Before JDK 22, or in some of its releases, sockets are written by methods of files.
static const struct method {
	const char *class, *name, *descriptor;
	void *wrapper;
	enum operation operation;
} methods[METHODS] = {
	[ACCEPT] = {NET, "accept", "(" FD FD "[Ljava/net/InetSocketAddress;)I", accept_wrapped, IO_ACCEPT},
	[CONNECT] = {NET, "connect0", "(Z" FD "Ljava/net/InetAddress;I)I", connect_wrapped, IO_CONNECT},
	[POLL] = {NET, "poll", "(" FD "IJ)I", poll_wrapped, NO_IO},
	[POLL_CONNECT] = {NET, "pollConnect", "(" FD "J)Z", poll_connect_wrapped, IO_CONNECT},
	[READ] = {SOCKET, "read0", "(" FD "JI)I", read_wrapped, IO_READ},
	[READV] = {SOCKET, "readv0", "(" FD "JI)J", readv_wrapped, IO_READ},
	[WRITE] = {SOCKET, "write0", "(" FD "JI)I", write_wrapped, IO_WRITE},
	[WRITEV] = {SOCKET, "writev0", "(" FD "JI)J", writev_wrapped, IO_WRITE},
	[FILE_WRITE] = {FILES, "write0", "(" FD "JI)I", file_write_wrapped, IO_WRITE},
	[FILE_WRITEV] = {FILES, "writev0", "(" FD "JI)J", file_writev_wrapped, IO_WRITE},
	[DATAGRAM_READ] = {DATAGRAM, "read0", "(" FD "JI)I", datagram_read_wrapped, IO_READ},
	[DATAGRAM_READV] = {DATAGRAM, "readv0", "(" FD "JI)J", datagram_readv_wrapped, IO_READ},
	[RECEIVE] = {"sun/nio/ch/DatagramChannelImpl", "receive0", "(" FD "JIJZ)I", receive_wrapped, IO_READ},
	[UNIX_ACCEPT] = {UNIX, "accept0", "(" FD FD "[Ljava/lang/Object;)I", unix_accept_wrapped, IO_ACCEPT},
	[UNIX_CONNECT] = {UNIX, "connect0", "(" FD "[B)I", unix_connect_wrapped, IO_CONNECT},
	[STREAM_READ] = {INPUT, "readBytes", "([BII)I", stream_read_wrapped, IO_READ},
	[STREAM_READ_BYTE] = {INPUT, "read0", "()I", stream_read_byte_wrapped, IO_READ},
	[STREAM_WRITE] = {OUTPUT, "writeBytes", "([BIIZ)V", stream_write_wrapped, IO_WRITE},
	[SELECT] = {EPOLL, "wait", "(IJII)I", select_wrapped, IO_SELECT},
	[CREATE] = {EPOLL, "create", "()I", create_wrapped, NO_IO},
};

// Waits from before the recording.

// has_frame reports whether one of the methods has the text in its name.
static bool has_frame(const jvmtiFrameInfo *frames, jint count, const char *text) {
	bool found = false;
	for (jint i = 0; i < count && !found; i++) {
		char *name = NULL;
		found = (*agent.jvmti)->GetMethodName(agent.jvmti, frames[i].method, &name, NULL, NULL) == JVMTI_ERROR_NONE &&
				strstr(name, text) != NULL;
		(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
	}
	return found;
}

// is_method reports whether a method is the native one of the table.
static bool is_method(JNIEnv *env, jmethodID method, const struct method *m) {
	jclass class = NULL;
	char *name = NULL, *signature = NULL;
	size_t length = strlen(m->class);
	bool is = (*agent.jvmti)->GetMethodName(agent.jvmti, method, &name, NULL, NULL) == JVMTI_ERROR_NONE &&
			  strcmp(name, m->name) == 0 &&
			  (*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, method, &class) == JVMTI_ERROR_NONE &&
			  (*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) == JVMTI_ERROR_NONE &&
			  strncmp(signature + 1, m->class, length) == 0 && signature[length + 1] == ';';
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
	(*env)->DeleteLocalRef(env, class);
	return is;
}

// operation_of returns the operation of the thread with this first frame; NO_IO if its method is not in the table.
static enum operation operation_of(JNIEnv *env, const jvmtiFrameInfo *frames, jint count) {
	int i = 0;
	while (i < CREATE && !(count > 0 && is_method(env, frames[0].method, &methods[i]))) {
		i++;
	}
	if (i != POLL) {
		return methods[i].operation;
	}
	return has_frame(frames, count, "ccept")    ? IO_ACCEPT
		   : has_frame(frames, count, "onnect") ? IO_CONNECT
		   : has_frame(frames, count, "rite")   ? IO_WRITE
												: IO_READ;
}

// publish_existing_io cannot find the Java object of the channel, so the wait has an object of its own.
int64_t publish_existing_io(JNIEnv *env, const jvmtiStackInfo *info) {
	jint count = 0;
	jthread thread = info->thread;
	jvmtiFrameInfo frames[CALLS];
	if (!recording() || !agent.settings.io || is_carrier(env, thread) ||
		operation_of(env, info->frame_buffer, info->frame_count < CALLS ? info->frame_count : CALLS) == NO_IO) {
		return 0;
	}
	int64_t time = ring_now();
	int64_t ran = cpu_time_of(thread);
	(*agent.jvmti)->GetStackTrace(agent.jvmti, thread, 0, CALLS, frames, &count);
	enum operation operation = operation_of(env, frames, count);
	jclass class = operation != NO_IO ? class_of_channel(env, thread, operation) : NULL;
	int64_t object = class != NULL ? new_object_id(class) : 0;
	(*env)->DeleteLocalRef(env, class);
	if (object == 0 || cpu_time_of(thread) != ran) { // the thread has continued
		return 0;
	}
	uint64_t stack[MAX_STACK];
	struct record record = {.kind = WAIT, .flags = EXISTED | operation << OPERATION_SHIFT, .time = time};
	record.payload = stack;
	record.payload_size = copy_frames(env, info, stack);
	record.thread = thread_id(env, thread);
	record.object = object;
	record.argument = UNKNOWN_TIMEOUT;
	ring_begin();
	openwait_begins(&record, WAITS_FOR_IO);
	ring_publish(&record);
	ring_end();
	return object;
}

// Wrapping.

static bool stopped;           // nothing is wrapped any more
static bool wrapped[METHODS];  // or to be wrapped, when replace_natives is called
static bool replaced[METHODS]; // what replace_natives is to replace

// The libraries that have the methods of the table, with the begins of their classes' names.
static struct library {
	const char *name, *classes;
	bool found;
} libraries[] = {{"libjava.so", "java/io/", false}, {"libnio.so", "sun/nio/ch/", false}};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static bool has_class(const struct library *l, const char *class) {
	return strncmp(class, l->classes, strlen(l->classes)) == 0;
}

// find_symbol looks up the function of a native method by its JNI name.
static void *find_symbol(void *library, const struct method *m) {
	char symbol[128] = "Java_";
	char *end = symbol + strlen(symbol);
	for (const char *c = m->class; *c != '\0'; c++) {
		*end++ = *c == '/' ? '_' : *c;
	}
	*end++ = '_';
	strcpy(end, m->name);
	return dlsym(library, symbol);
}

// find_originals looks up the functions of each library, once the JVM has loaded it.
static void find_originals(void) {
	for (struct library *l = libraries; l < libraries + LIBRARIES; l++) {
		void *library = likely(l->found) ? NULL : loaded_library(l->name);
		for (int i = 0; i < METHODS && library != NULL; i++) {
			if (has_class(l, methods[i].class)) {
				originals[i] = find_symbol(library, &methods[i]);
			}
		}
		l->found |= library != NULL;
	}
}

void JNICALL native_method_bind(
	jvmtiEnv *jvmti, JNIEnv *env, jthread thread, jmethodID method, void *address, void **new_address) {
	(void)jvmti, (void)env, (void)thread, (void)method;
	if (stopped || address == NULL) {
		return;
	}
	find_originals();
	for (int i = 0; i < METHODS; i++) {
		if (originals[i] == address) {
			wrapped[i] = true;
			*new_address = methods[i].wrapper;
		}
	}
}

// replace_natives registers the wrappers or the originals. The classes are loaded.
static void replace_natives(JNIEnv *env) {
	for (int i = 0; i < METHODS; i++) {
		if (!replaced[i]) {
			continue;
		}
		const struct method *m = &methods[i];
		JNINativeMethod native = {
			(char *)(uintptr_t)m->name, (char *)(uintptr_t)m->descriptor, wrapped[i] ? m->wrapper : originals[i]};
		jclass class = (*env)->FindClass(env, m->class);
		if (class == NULL || (*env)->RegisterNatives(env, class, &native, 1) != JNI_OK) {
			(*env)->ExceptionClear(env); // a JDK without this method
			wrapped[i] = false;
		}
		(*env)->DeleteLocalRef(env, class);
	}
}

// mark_loaded marks the methods of a loaded class to be wrapped.
static void mark_loaded(jclass class) {
	char *signature = NULL;
	if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) {
		return;
	}
	bool may = has_class(&libraries[0], signature + 1) || has_class(&libraries[1], signature + 1);
	for (int i = 0; i < METHODS && may; i++) {
		size_t length = strlen(methods[i].class);
		replaced[i] |= strncmp(signature + 1, methods[i].class, length) == 0 && signature[length + 1] == ';' &&
					   originals[i] != NULL;
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
}

// replace_loaded replaces the native methods of classes that the JVM has loaded.
static void replace_loaded(JNIEnv *env) {
	jint count = 0;
	jclass *classes = NULL;
	if ((*env)->PushLocalFrame(env, MANY_REFERENCES) != 0) {
		return;
	}
	(*agent.jvmti)->GetLoadedClasses(agent.jvmti, &count, &classes);
	memset(replaced, 0, sizeof replaced);
	for (jint i = 0; i < count; i++) {
		mark_loaded(classes[i]);
		(*env)->DeleteLocalRef(env, classes[i]);
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)classes);
	(*env)->PopLocalFrame(env, NULL);
	for (int i = 0; i < METHODS; i++) {
		wrapped[i] |= replaced[i];
	}
	classes_replace(env, replace_natives);
}

static void set_bind(jvmtiEventMode mode) {
	(*agent.jvmti)->SetEventNotificationMode(agent.jvmti, mode, JVMTI_EVENT_NATIVE_METHOD_BIND, NULL);
}

// field_of returns the field fd of a class; NULL if the JDK has none.
static jfieldID field_of(JNIEnv *env, const char *name, const char *type) {
	jclass class = (*env)->FindClass(env, name);
	jfieldID field = class != NULL ? (*env)->GetFieldID(env, class, "fd", type) : NULL;
	(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, class);
	return field;
}

void io_prepare(JNIEnv *env) {
	if (!agent.settings.io) {
		return;
	}
	descriptor = field_of(env, "java/io/FileDescriptor", "I");
	input = field_of(env, INPUT, FD);
	output = field_of(env, OUTPUT, FD);
	if (descriptor == NULL || input == NULL || output == NULL) {
		agent.settings.io = false;
		return;
	}
	stopped = false;
	set_bind(JVMTI_ENABLE); // first: a class may be loaded meanwhile
	find_originals();
	replace_loaded(env);
}

void io_stop(void) {
	JNIEnv *env = NULL;
	stopped = true;
	if (!agent.settings.io || (*agent.vm)->GetEnv(agent.vm, (void **)&env, JNI_VERSION_10) != JNI_OK) {
		return;
	}
	set_bind(JVMTI_DISABLE);
	memcpy(replaced, wrapped, sizeof replaced);
	memset(wrapped, 0, sizeof wrapped);
	classes_replace(env, replace_natives);
}
