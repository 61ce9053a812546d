//go:build agent

#include "id.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

// A tag is an id and three bits: whether the object is defined, whether the class of a mirror is defined, and whether
// the object's allocation is published. A mirror has two consecutive ids: the object's and the class's.
enum { OBJECT_DEFINED = 1, CLASS_DEFINED = 2, ALLOCATION = 4, ID_SHIFT = 3 };

static pthread_mutex_t defining = PTHREAD_MUTEX_INITIALIZER;
static int64_t next_id = 1000; // easy to distinguish from ids of threads

static int64_t first_id = 1000; // of this recording

// tag_of returns the object's tag; 0 if it has no tag from this recording.
static jlong tag_of(jobject object) {
	jlong tag = 0;
	(*agent.jvmti)->GetTag(agent.jvmti, object, &tag);
	return likely(tag >> ID_SHIFT >= first_id) ? tag : 0;
}

static void set_tag(jobject object, jlong tag) { (*agent.jvmti)->SetTag(agent.jvmti, object, tag); }

static int64_t new_ids(int n) { return __atomic_fetch_add(&next_id, n, __ATOMIC_RELAXED); }

enum { LONGEST_TEXT = 8192 };

// put appends a text, cut to LONGEST_TEXT bytes.
static unsigned char *put(unsigned char *at, const char *text, size_t length) {
	return ring_put_text(at, text, length < LONGEST_TEXT ? length : LONGEST_TEXT);
}

// primitive_name returns the name of the primitive type of a signature of one letter.
static const char *primitive_name(char letter) {
	switch (letter) {
	case 'Z': return "boolean";
	case 'B': return "byte";
	case 'C': return "char";
	case 'D': return "double";
	case 'F': return "float";
	case 'I': return "int";
	case 'J': return "long";
	case 'S': return "short";
	default: return "void";
	}
}

// put_class_name appends the name of a class: java/lang/Object of Ljava/lang/Object;, int of I. Arrays keep their
// signature.
static unsigned char *put_class_name(unsigned char *at, const char *signature) {
	size_t length = strlen(signature);
	switch (signature[0]) {
	case 'L': return put(at, signature + 1, length - 2);
	case '[': return put(at, signature, length);
	default: return put(at, primitive_name(signature[0]), strlen(primitive_name(signature[0])));
	}
}

// publish_class publishes the definition of a class.
static bool publish_class(jclass class, int64_t id) {
	unsigned char payload[2 * (sizeof(uint32_t) + LONGEST_TEXT)];
	char *signature = NULL, *source = NULL;
	if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) {
		return false;
	}
	(*agent.jvmti)->GetSourceFileName(agent.jvmti, class, &source);
	unsigned char *end = put_class_name(payload, signature);
	end = put(end, source != NULL ? source : "", source != NULL ? strlen(source) : 0);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)source);
	return ring_define(&(struct record){
		.kind = DEFINE_CLASS, .time = ring_now(), .object = id, .payload = payload, .payload_size = end - payload});
}

// define_class returns the class's id, which it defines if need be; 0 if the definition is lost. The caller holds
// defining.
static int64_t define_class(jclass class) {
	jlong tag = tag_of(class);
	if (tag & CLASS_DEFINED) {
		return (tag >> ID_SHIFT) + 1;
	}
	int64_t id = tag != 0 ? tag >> ID_SHIFT : new_ids(2);
	if (!publish_class(class, id + 1)) {
		return 0;
	}
	set_tag(class, id << ID_SHIFT | (tag & (OBJECT_DEFINED | ALLOCATION)) | CLASS_DEFINED);
	return id + 1;
}

int64_t class_id(jclass class) {
	jlong tag = tag_of(class);
	if (likely(tag & CLASS_DEFINED)) {
		return (tag >> ID_SHIFT) + 1;
	}
	pthread_mutex_lock(&defining);
	int64_t id = define_class(class);
	pthread_mutex_unlock(&defining);
	return id;
}

int64_t reserve_object_id(void) { return new_ids(2); }

void set_allocated(jobject object, int64_t id) { set_tag(object, id << ID_SHIFT | ALLOCATION); }

bool is_allocated(jlong tag) { return (tag & ALLOCATION) && tag >> ID_SHIFT >= first_id; }

int64_t object_of_tag(jlong tag) { return tag >> ID_SHIFT; }

static bool publish_object(int64_t id, int64_t class, unsigned flags) {
	return ring_define(&(struct record){
		.kind = DEFINE_OBJECT, .flags = flags, .time = ring_now(), .object = id, .argument = class});
}

// is_class_of_classes reports whether the class is java.lang.Class, whose class is itself.
static bool is_class_of_classes(JNIEnv *env, jclass class) {
	jclass of = (*env)->GetObjectClass(env, class);
	bool same = (*env)->IsSameObject(env, class, of);
	(*env)->DeleteLocalRef(env, of);
	return same;
}

// define_object returns the object's id, which it defines as an instance of the class, or of its own class if that is
// NULL; 0 if the definition is lost. The caller holds defining.
static int64_t define_object(JNIEnv *env, jobject object, jclass as) {
	jlong tag = tag_of(object);
	if (tag & OBJECT_DEFINED) {
		return tag >> ID_SHIFT; // defined by another thread meanwhile
	}
	jclass class = as != NULL ? as : (*env)->GetObjectClass(env, object);
	int64_t of = define_class(class);
	if (is_class_of_classes(env, class)) {
		define_class(object); // its monitor is named after the class that it represents
	}
	jlong defined = tag;
	if (of != 0) {
		defined = tag_of(object); // define_class has changed it if the object is Class.class
		int64_t id = defined != 0 ? defined >> ID_SHIFT : new_ids(2);
		if (publish_object(id, of, defined & ALLOCATION ? RECORDED : 0)) {
			defined = id << ID_SHIFT | (defined & (CLASS_DEFINED | ALLOCATION)) | OBJECT_DEFINED;
			set_tag(object, defined);
		}
	}
	if (as == NULL) {
		(*env)->DeleteLocalRef(env, class);
	}
	return defined & OBJECT_DEFINED ? defined >> ID_SHIFT : 0;
}

// or_lost returns the id, and counts a record as lost if it is 0.
static int64_t or_lost(int64_t id) {
	if (id == 0) {
		__atomic_add_fetch(&ring_header()->ringless, 1, __ATOMIC_RELAXED);
	}
	return id;
}

int64_t object_id_as(JNIEnv *env, jobject object, jclass class) {
	jlong tag = tag_of(object);
	if (likely(tag & OBJECT_DEFINED)) {
		return tag >> ID_SHIFT;
	}
	pthread_mutex_lock(&defining);
	int64_t id = define_object(env, object, class);
	pthread_mutex_unlock(&defining);
	return or_lost(id);
}

int64_t object_id(JNIEnv *env, jobject object) { return object_id_as(env, object, NULL); }

int64_t new_object_id(jclass class) {
	pthread_mutex_lock(&defining);
	int64_t of = define_class(class), id = of != 0 ? new_ids(1) : 0;
	if (id != 0 && !publish_object(id, of, 0)) {
		id = 0;
	}
	pthread_mutex_unlock(&defining);
	return or_lost(id);
}

int64_t known_object_id(jobject object) {
	jlong tag = tag_of(object);
	return tag & OBJECT_DEFINED ? tag >> ID_SHIFT : 0;
}

// Methods. The table has a fixed size, in reserved memory. Methods that do not fit are left out of stack traces.

enum { METHODS = 1 << 20, LONGEST_LINES = 1024 };

struct method {
	jmethodID key;
	int64_t id; // or HIDDEN
};

static struct method *methods;

static struct method *find_method(jmethodID key) {
	uint64_t hash = (uintptr_t)key * 0x9E3779B97F4A7C15u;
	for (uint64_t at = hash >> 44, tries = 0; tries < 64; at = (at + 1) % METHODS, tries++) {
		jmethodID found = __atomic_load_n(&methods[at].key, __ATOMIC_ACQUIRE);
		if (found == key || found == NULL) {
			return &methods[at];
		}
	}
	return NULL;
}

// is_call reports whether a thread waits or calls another thread by this method. Stack traces begin with its caller.
static bool is_call(const char *class, const char *name) {
	static const char *const calls[][2] = {
		{"Ljava/lang/Object;", "wait"},
		{"Ljava/lang/Object;", "wait0"},
		{"Ljava/lang/Object;", "notify"},
		{"Ljava/lang/Object;", "notifyAll"},
		{"Ljava/lang/Thread;", "start"},
		{"Ljava/lang/Thread;", "start0"},
		{"Ljava/lang/Thread;", "interrupt"},
		{"Ljava/lang/Thread;", "interrupt0"},
		{"Ljava/lang/Thread;", "sleep"},
		{"Ljava/lang/Thread;", "sleep0"},
		{"Ljava/lang/Thread;", "sleepNanos"},
		{"Ljava/lang/Thread;", "sleepNanos0"},
		{"Ljava/lang/Thread;", "setInterrupt"},
		{"Ljava/lang/Thread;", "join"},
		{"Ljava/lang/VirtualThread;", "start"},
		{"Ljava/lang/VirtualThread;", "interrupt"},
		{"Ljava/lang/VirtualThread;", "sleepNanos"},
		{"Ljava/lang/Throwable;", "fillInStackTrace"},
		{"Ljava/lang/Throwable;", "<init>"},
		{"Ljava/lang/Exception;", "<init>"},
		{"Ljava/lang/InterruptedException;", "<init>"},
		{"Ljava/lang/TrcxRecorder;", NULL},
		{"Ljava/lang/VirtualThread;", "park"},
		{"Ljava/lang/VirtualThread;", "parkNanos"},
		{"Ljava/lang/VirtualThread;", "parkOnCarrierThread"},
		{"Ljava/lang/VirtualThread;", "yieldContinuation"},
		{"Ljava/lang/VirtualThread;", "unpark"},
		{"Ljava/lang/System$1;", "parkVirtualThread"},
		{"Ljava/lang/System$2;", "parkVirtualThread"},
		{"Ljdk/internal/misc/VirtualThreads;", NULL},
		{"Ljdk/internal/misc/Unsafe;", "park"},
		{"Ljdk/internal/misc/Unsafe;", "unpark"},
		{"Ljava/util/concurrent/ForkJoinPool;", "managedBlock"},
		{"Ljava/util/concurrent/ForkJoinPool;", "unmanagedBlock"},
		{"Ljava/util/concurrent/ForkJoinPool;", "compensatedBlock"},
		{"Lsun/nio/ch/Net;", NULL},
		{"Lsun/nio/ch/IOUtil;", NULL},
		{"Lsun/nio/ch/SelChImpl;", NULL},
		{"Lsun/nio/ch/SocketDispatcher;", NULL},
		{"Lsun/nio/ch/DatagramDispatcher;", NULL},
		{"Lsun/nio/ch/FileDispatcherImpl;", NULL},
		{"Lsun/nio/ch/UnixDispatcher;", NULL},
		{"Lsun/nio/ch/UnixDomainSockets;", NULL},
		{"Lsun/nio/ch/NioSocketImpl;", NULL},
		{"Lsun/nio/ch/NioSocketImpl$1;", NULL},
		{"Lsun/nio/ch/NioSocketImpl$2;", NULL},
		{"Lsun/nio/ch/EPoll;", NULL},
	};
	static const char locks[] = "Ljava/util/concurrent/locks/";
	if (strncmp(class, locks, sizeof locks - 1) == 0) {
		return true;
	}
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		if (strcmp(class, calls[i][0]) == 0 && (calls[i][1] == NULL || strcmp(name, calls[i][1]) == 0)) {
			return true;
		}
	}
	return false;
}

// put_lines appends the method's line table, cut to LONGEST_LINES entries.
static unsigned char *put_lines(unsigned char *at, jmethodID key) {
	jint count = 0;
	jvmtiLineNumberEntry *table = NULL;
	if ((*agent.jvmti)->GetLineNumberTable(agent.jvmti, key, &count, &table) != JVMTI_ERROR_NONE) {
		return at;
	}
	for (jint i = 0; i < count && i < LONGEST_LINES; i++) {
		uint32_t entry[2] = {table[i].start_location, table[i].line_number};
		memcpy(at, entry, sizeof entry);
		at += sizeof entry;
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)table);
	return at;
}

static bool publish_method(jmethodID key, int64_t id, int64_t class, const char *name, const char *signature) {
	unsigned char payload[2 * (sizeof(uint32_t) + LONGEST_TEXT) + LONGEST_LINES * 8];
	unsigned char *end = put_lines(put(put(payload, name, strlen(name)), signature, strlen(signature)), key);
	jboolean native = JNI_FALSE;
	(*agent.jvmti)->IsMethodNative(agent.jvmti, key, &native);
	struct record record = {DEFINE_METHOD, native ? NATIVE : 0, 0, ring_now(), id, class, payload, end - payload};
	return ring_define(&record);
}

// define_method returns a new id for the method, or HIDDEN; 0 if the definition is lost. The caller holds defining.
static int64_t define_method(JNIEnv *env, jmethodID key) {
	jclass class = NULL;
	char *name = NULL, *signature = NULL, *class_signature = NULL;
	int64_t id = 0;
	if ((*agent.jvmti)->GetMethodDeclaringClass(agent.jvmti, key, &class) == JVMTI_ERROR_NONE &&
		(*agent.jvmti)->GetMethodName(agent.jvmti, key, &name, &signature, NULL) == JVMTI_ERROR_NONE &&
		(*agent.jvmti)->GetClassSignature(agent.jvmti, class, &class_signature, NULL) == JVMTI_ERROR_NONE) {
		int64_t of = is_call(class_signature, name) ? HIDDEN : define_class(class);
		if (of == HIDDEN) {
			id = HIDDEN;
		} else if (of != 0) {
			id = new_ids(1);
			id = publish_method(key, id, of, name, signature) ? id : 0;
		}
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)name);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)class_signature);
	(*env)->DeleteLocalRef(env, class);
	return id;
}

int64_t method_id(JNIEnv *env, jmethodID key) {
	struct method *method = find_method(key);
	if (method == NULL) {
		return 0;
	}
	if (likely(method->key == key)) {
		return method->id;
	}
	pthread_mutex_lock(&defining);
	int64_t id = 0;
	method = find_method(key);
	if (method != NULL && method->key == key) {
		id = method->id;
	} else if (method != NULL && (id = define_method(env, key)) != 0) {
		method->id = id;
		__atomic_store_n(&method->key, key, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&defining);
	return id;
}

int64_t define_named(enum kind kind, int64_t class, const void *payload, size_t size) {
	pthread_mutex_lock(&defining);
	int64_t id = new_ids(2) + 1; // the id before belongs to the class's mirror
	bool defined = ring_define(&(struct record){kind, 0, 0, ring_now(), id, class, payload, size});
	pthread_mutex_unlock(&defining);
	return defined ? id : 0;
}

void ids_reset(void) {
	first_id = next_id;
	if (methods == NULL) {
		methods = mmap(NULL, METHODS * sizeof *methods, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	} else {
		madvise(methods, METHODS * sizeof *methods, MADV_DONTNEED);
	}
	if (methods == MAP_FAILED) {
		methods = NULL;
		agent.settings.stack_depth = 0;
	}
}
