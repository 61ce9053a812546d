//go:build agent

#include "hotspot.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hotspot hotspot;

static uint64_t number(void *jvm, const char *symbol) {
	uint64_t *value = dlsym(jvm, symbol);
	return value != NULL ? *value : 0;
}

struct field {
	const char *type, *name;
	long *offset;
};

static void find_field(
	const struct field *fields, size_t count, const char *type, const char *name, long offset, const char *declared) {
	for (size_t i = 0; i < count; i++) {
		if (strcmp(name, fields[i].name) == 0 && strcmp(type, fields[i].type) == 0) {
			*fields[i].offset = offset;
			hotspot.owners_by_id |=
				fields[i].offset == &hotspot.owner && declared != NULL && strcmp(declared, "int64_t") == 0;
		}
	}
}

// find_fields reads gHotSpotVMStructs, the table of fields that HotSpot exports.
static void find_fields(void *jvm, const struct field *fields, size_t count) {
	const char **table = dlsym(jvm, "gHotSpotVMStructs");
	uint64_t stride = number(jvm, "gHotSpotVMStructEntryArrayStride");
	uint64_t type = number(jvm, "gHotSpotVMStructEntryTypeNameOffset"),
			 name = number(jvm, "gHotSpotVMStructEntryFieldNameOffset");
	uint64_t declared = number(jvm, "gHotSpotVMStructEntryTypeStringOffset"),
			 offset = number(jvm, "gHotSpotVMStructEntryOffsetOffset");
	if (table == NULL || stride == 0) {
		return;
	}
	for (const char *entry = *table;; entry += stride) {
		const char *type_name = *(const char *const *)(entry + type),
				   *field_name = *(const char *const *)(entry + name);
		if (type_name == NULL || field_name == NULL) {
			return;
		}
		find_field(fields, count, type_name, field_name, *(const uint64_t *)(entry + offset),
			*(const char *const *)(entry + declared));
	}
}

void *jvm_library(void) {
	Dl_info info;
	const void *inside = (*agent.vm)->GetEnv;
	return dladdr(inside, &info) != 0 ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

// find_env computes the offset of the JNIEnv in a JavaThread.
static void find_env(JNIEnv *env) {
	jthread thread = NULL;
	if (hotspot.eetop == NULL || (*agent.jvmti)->GetCurrentThread(agent.jvmti, &thread) != JVMTI_ERROR_NONE) {
		return;
	}
	ptrdiff_t offset = (const char *)env - java_thread_of(env, thread);
	(*env)->DeleteLocalRef(env, thread);
	if (offset > 0 && offset < 1 << 16) {
		hotspot.env = offset;
	}
}

// checks_handles reports whether the JVM runs with -Xcheck:jni. It then aborts at a handle that is not one of JNI's
// own.
static bool checks_handles(void) {
	char arguments[1 << 16];
	FILE *file = fopen("/proc/self/cmdline", "r");
	size_t size = file != NULL ? fread(arguments, 1, sizeof arguments, file) : 0;
	if (file != NULL) {
		fclose(file);
	}
	// The last two name files with more options.
	static const char *const signs[] = {"-Xcheck:jni", "-XX:VMOptionsFile", "@"};
	static const char *const variables[] = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"};
	bool found = false;
	for (size_t s = 0; s < sizeof signs / sizeof *signs; s++) {
		found = found || memmem(arguments, size, signs[s], strlen(signs[s])) != NULL;
		for (size_t v = 0; v < sizeof variables / sizeof *variables; v++) {
			const char *options = getenv(variables[v]);
			found = found || (options != NULL && strstr(options, signs[s]) != NULL);
		}
	}
	return found;
}

void hotspot_find(void) {
	const struct field fields[] = {
		{"JavaThread", "_current_pending_monitor", &hotspot.pending_monitor},
		{"JavaThread", "_current_waiting_monitor", &hotspot.waiting_monitor},
		{"ObjectMonitor", "_owner", &hotspot.owner},
		{"ObjectMonitor", "_object", &hotspot.object},
		{"JavaThread", "_stack_base", &hotspot.stack_base},
		{"JavaThread", "_stack_size", &hotspot.stack_size},
		{"Thread", "_stack_base", &hotspot.stack_base},
		{"Thread", "_stack_size", &hotspot.stack_size},
		{"JavaThread", "_monitor_owner_id", &hotspot.owner_id},
		{"JavaThread", "_lock_stack", &hotspot.lock_stack},
		{"LockStack", "_top", &hotspot.lock_stack_top},
		{"LockStack", "_base[0]", &hotspot.lock_stack_base},
	};
	if (hotspot.found) {
		return;
	}
	hotspot.found = true;
	hotspot.env = UNKNOWN;
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		*fields[i].offset = UNKNOWN;
	}
	void *jvm = jvm_library();
	if (jvm != NULL) {
		find_fields(jvm, fields, sizeof fields / sizeof *fields);
	}
	if (checks_handles()) {
		hotspot.object = UNKNOWN;
	}
}

void hotspot_prepare(JNIEnv *env) {
	if (hotspot.prepared) {
		return;
	}
	hotspot.prepared = true;
	jclass thread = (*env)->FindClass(env, "java/lang/Thread");
	hotspot.eetop = thread != NULL ? (*env)->GetFieldID(env, thread, "eetop", "J") : NULL;
	(*env)->ExceptionClear(env);
	(*env)->DeleteLocalRef(env, thread);
	find_env(env);
}
