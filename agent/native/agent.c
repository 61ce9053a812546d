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
