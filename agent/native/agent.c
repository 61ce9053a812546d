//go:build agent

#include "agent.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct agent agent;

static pthread_mutex_t saying = PTHREAD_MUTEX_INITIALIZER;
static char said[1024];

void last_said(char *text, size_t size) {
	pthread_mutex_lock(&saying);
	snprintf(text, size, "%s", said);
	pthread_mutex_unlock(&saying);
}

void say(const char *format, ...) {
	char line[sizeof said];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	fprintf(stderr, "trcx: %s\n", line);
	pthread_mutex_lock(&saying);
	memcpy(said, line, sizeof said);
	pthread_mutex_unlock(&saying);
}

// add_lost appends the text, and a line feed, to those in the header; it returns false if it is there, or does not fit.
static bool add_lost(struct header *header, const char *what) {
	size_t used = header->lost_size, size = strlen(what);
	if (memmem(header->lost, used, what, size) != NULL || size + 1 > sizeof header->lost - used) {
		return false;
	}
	memcpy(header->lost + used, what, size);
	header->lost[used + size] = '\n';
	__atomic_store_n(&header->lost_size, used + size + 1, __ATOMIC_RELEASE);
	return true;
}

void say_lost(const char *what) {
	pthread_mutex_lock(&saying);
	bool news = add_lost(ring_header(), what);
	pthread_mutex_unlock(&saying);
	if (news && !agent.attached) {
		say("this JVM differs from those that trcx was tested with; not recorded: %s", what);
	}
}

jclass global_class(JNIEnv *env, const char *name) {
	jclass local = (*env)->FindClass(env, name);
	if (local == NULL) {
		(*env)->ExceptionClear(env);
		return NULL;
	}
	jclass global = (*env)->NewGlobalRef(env, local);
	(*env)->DeleteLocalRef(env, local);
	return global;
}
