//go:build agent

#include "agent.h"

#include <stdarg.h>
#include <stdio.h>

struct agent agent;

void say(const char *format, ...) {
	char line[1024];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	fprintf(stderr, "trcx: %s\n", line);
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
