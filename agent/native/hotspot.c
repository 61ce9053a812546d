//go:build agent

#include "hotspot.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

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

bool copy_memory(void *to, uint64_t from, size_t size) {
	struct iovec local = {to, size}, remote = {(void *)(uintptr_t)from, size};
	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

struct library {
	const char *name;
	char path[PATH_MAX]; // empty if it is not loaded
};

static int find_library(struct dl_phdr_info *loaded, size_t size, void *data) {
	(void)size;
	struct library *library = data;
	const char *slash = strrchr(loaded->dlpi_name, '/');
	if (slash == NULL || strcmp(slash + 1, library->name) != 0) {
		return 0;
	}
	snprintf(library->path, sizeof library->path, "%s", loaded->dlpi_name);
	return 1;
}

// loaded_library passes a path to dlopen, which would search folders for a mere name that is not loaded.
void *loaded_library(const char *name) {
	struct library library = {.name = name};
	dl_iterate_phdr(find_library, &library);
	return library.path[0] != '\0' ? dlopen(library.path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

// other is what other_library searches.
struct other {
	const char *ending, *own; // the path of this library
	char *path;
	size_t size;
};

static int find_other(struct dl_phdr_info *loaded, size_t size, void *data) {
	(void)size;
	struct other *other = data;
	size_t length = strlen(loaded->dlpi_name), ending = strlen(other->ending);
	if (length < ending || strcmp(loaded->dlpi_name + length - ending, other->ending) != 0 ||
		strcmp(loaded->dlpi_name, other->own) == 0) {
		return 0;
	}
	snprintf(other->path, other->size, "%s", loaded->dlpi_name);
	return 1;
}

bool other_library(const char *ending, char *path, size_t size) {
	Dl_info own;
	struct other other = {.ending = ending, .path = path, .size = size};
	if (dladdr(&hotspot, &own) == 0) {
		return false;
	}
	other.own = own.dli_fname;
	return dl_iterate_phdr(find_other, &other) != 0;
}

void *jvm_library(void) { return loaded_library("libjvm.so"); }

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

// Native methods. HotSpot's table of a class's native methods has three words for each: the addresses of its name, of its
// descriptor and of its function. The functions are not exported.

struct native {
	const char *name, *descriptor;
	void **function;
	unsigned found; // number of such methods
};

struct natives {
	const void *inside; // an address in the JVM's library
	struct native *methods;
	size_t count;
};

// range is the addresses of one of the library's segments.
struct range {
	uintptr_t begin, end;
};

static struct range segment_range(const struct dl_phdr_info *library, const ElfW(Phdr) *segment) {
	uintptr_t begin = library->dlpi_addr + segment->p_vaddr;
	return (struct range){begin, begin + segment->p_filesz};
}

static bool contains(const struct range *range, uintptr_t address) {
	return address - range->begin < range->end - range->begin;
}

static bool is_text(const struct range *constants, uintptr_t address, const char *text) {
	size_t size = strlen(text) + 1;
	return contains(constants, address) && constants->end - address >= size &&
		   memcmp((const char *)address, text, size) == 0;
}

// find_native_methods searches a writable segment, which is where words with addresses are. It looks for the function
// first: to read the texts of other words would load much of the library into memory.
static void find_native_methods(struct range words, const struct range *code, const struct range *constants,
	const struct natives *natives) {
	for (const uintptr_t *w = (const uintptr_t *)words.begin; w + 3 <= (const uintptr_t *)words.end; w++) {
		if (!contains(code, w[2]) || !contains(constants, w[1]) || !contains(constants, w[0])) {
			continue;
		}
		for (struct native *n = natives->methods; n < natives->methods + natives->count; n++) {
			if (is_text(constants, w[1], n->descriptor) && is_text(constants, w[0], n->name)) {
				n->found++;
				*n->function = (void *)w[2];
			}
		}
	}
}

// search_library searches the JVM's library. Its constants are in the last read-only segment, or with the code.
static int search_library(struct dl_phdr_info *library, size_t size, void *data) {
	(void)size;
	const struct natives *natives = data;
	struct range code = {0, 0}, constants = {0, 0}, words = {0, 0};
	for (int i = 0; i < library->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD) {
			continue;
		}
		*(segment->p_flags & PF_X ? &code : segment->p_flags & PF_W ? &words : &constants) = segment_range(library, segment);
	}
	if (!contains(&code, (uintptr_t)natives->inside)) {
		return 0;
	}
	find_native_methods(words, &code, constants.end != 0 ? &constants : &code, natives);
	return 1;
}

// hotspot_find_park finds both or none. One that is not found exactly once is not used.
void hotspot_find_park(void) {
	if (hotspot.park != NULL) {
		return;
	}
	struct native methods[] = {
		{"park", "(ZJ)V", &hotspot.park, 0},
		{"unpark", "(Ljava/lang/Object;)V", &hotspot.unpark, 0},
	};
	struct natives natives = {(*agent.vm)->GetEnv, methods, sizeof methods / sizeof *methods};
	dl_iterate_phdr(search_library, &natives);
	if (methods[0].found != 1 || methods[1].found != 1) {
		hotspot.park = hotspot.unpark = NULL;
	}
}

void hotspot_find(void) {
	const struct field fields[] = {
		{"JavaThread", "_current_pending_monitor", &hotspot.pending_monitor},
		{"JavaThread", "_current_waiting_monitor", &hotspot.waiting_monitor},
		{"ObjectMonitor", "_owner", &hotspot.owner},
		{"ObjectMonitor", "_object", &hotspot.object},
		{"ObjectMonitor", "_waiters", &hotspot.waiters},
		{"JavaThread", "_stack_base", &hotspot.stack_base},
		{"JavaThread", "_stack_size", &hotspot.stack_size},
		{"Thread", "_stack_base", &hotspot.stack_base},
		{"Thread", "_stack_size", &hotspot.stack_size},
		{"Method", "_constMethod", &hotspot.method},
		{"ConstMethod", "_constants", &hotspot.constants},
		{"ConstantPool", "_pool_holder", &hotspot.holder},
		{"InstanceKlass", "_init_thread", &hotspot.init_thread},
		{"JavaThread", "_monitor_owner_id", &hotspot.owner_id},
		{"JavaThread", "_lock_stack", &hotspot.lock_stack},
		{"LockStack", "_top", &hotspot.lock_stack_top},
		{"LockStack", "_base[0]", &hotspot.lock_stack_base},
		{"JavaThread", "_osthread", &hotspot.os_thread},
		{"Thread", "_osthread", &hotspot.os_thread},
		{"OSThread", "_thread_id", &hotspot.native_id},
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
	if (checks_jni()) { // the JVM aborts at a handle that is not one of JNI's own
		hotspot.object = UNKNOWN;
	}
}

// Flags. HotSpot's table names an array of them, with the name and the address of the value of each.

const void *hotspot_static(const char *type, const char *name) {
	void *jvm = jvm_library();
	const char **table = jvm != NULL ? dlsym(jvm, "gHotSpotVMStructs") : NULL;
	uint64_t stride = number(jvm, "gHotSpotVMStructEntryArrayStride");
	uint64_t type_at = number(jvm, "gHotSpotVMStructEntryTypeNameOffset"),
			 name_at = number(jvm, "gHotSpotVMStructEntryFieldNameOffset"),
			 address_at = number(jvm, "gHotSpotVMStructEntryAddressOffset");
	if (table == NULL || stride == 0 || address_at == 0) {
		return NULL;
	}
	for (const char *entry = *table; *(const char *const *)(entry + type_at) != NULL; entry += stride) {
		if (strcmp(*(const char *const *)(entry + type_at), type) == 0 &&
			strcmp(*(const char *const *)(entry + name_at), name) == 0) {
			return *(const void *const *)(entry + address_at);
		}
	}
	return NULL;
}

long hotspot_offset(const char *type, const char *name) {
	long offset = UNKNOWN;
	void *jvm = jvm_library();
	if (jvm != NULL) {
		find_fields(jvm, &(const struct field){type, name, &offset}, 1);
	}
	return offset;
}

// size_of_type returns the size of a type in bytes; 0 if the JVM does not export it.
static uint64_t size_of_type(void *jvm, const char *type) {
	const char **table = dlsym(jvm, "gHotSpotVMTypes");
	uint64_t stride = number(jvm, "gHotSpotVMTypeEntryArrayStride");
	uint64_t name_at = number(jvm, "gHotSpotVMTypeEntryTypeNameOffset"),
			 size_at = number(jvm, "gHotSpotVMTypeEntrySizeOffset");
	if (table == NULL || stride == 0) {
		return 0;
	}
	for (const char *entry = *table; *(const char *const *)(entry + name_at) != NULL; entry += stride) {
		if (strcmp(*(const char *const *)(entry + name_at), type) == 0) {
			return *(const uint64_t *)(entry + size_at);
		}
	}
	return 0;
}

// flag_value returns the address of the value of a flag; NULL if the JVM does not have it.
static const void *flag_value(const char *flag_name) {
	long name = hotspot_offset("JVMFlag", "_name"), value = hotspot_offset("JVMFlag", "_addr");
	const char *const *first = hotspot_static("JVMFlag", "flags");
	const size_t *count = hotspot_static("JVMFlag", "numFlags");
	void *jvm = jvm_library();
	uint64_t size = jvm != NULL ? size_of_type(jvm, "JVMFlag") : 0;
	if (first == NULL || count == NULL || size == 0 || name == UNKNOWN || value == UNKNOWN) {
		return NULL;
	}
	for (const char *flag = *first; flag < *first + *count * size; flag += size) {
		const char *is = *(const char *const *)(flag + name);
		if (is != NULL && strcmp(is, flag_name) == 0) {
			return *(const void *const *)(flag + value);
		}
	}
	return NULL;
}

bool checks_jni(void) {
	const bool *checks = flag_value("CheckJNICalls");
	return checks != NULL && *checks;
}

enum collector hotspot_collector(void) {
	static const struct {
		const char *flag;
		enum collector collector;
	} flags[] = {{"UseSerialGC", SERIAL}, {"UseParallelGC", PARALLEL}, {"UseG1GC", G1}, {"UseShenandoahGC", SHENANDOAH},
		{"UseZGC", Z}, {"UseEpsilonGC", EPSILON}};
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		const bool *used = flag_value(flags[i].flag);
		if (used != NULL && *used) {
			return flags[i].collector;
		}
	}
	return NO_COLLECTOR;
}

uint32_t hotspot_alignment(void) {
	const uint32_t *alignment = flag_value("ObjectAlignmentInBytes"); // 64 bits, the lower ones first
	return alignment != NULL ? *alignment : 0;
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
