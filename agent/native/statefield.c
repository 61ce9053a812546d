//go:build agent

#include "statefield.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cpu.h"
#include "javathread.h"

static int64_t latest; // nanoseconds of the clock

int64_t states_begin(void) {
	enum { LONGEST = 50 * 1000 * 1000 };
	latest = ring_now() + LONGEST;
	return cpu_time();
}

bool is_past(int64_t deadline) { return cpu_time() > deadline || ring_now() > latest; }

static jfieldID find(struct state *s, jclass class, struct field *f) {
	if (f->id == NULL && !f->missing) {
		f->id = (*s->env)->GetFieldID(s->env, class, f->name, f->descriptor);
		(*s->env)->ExceptionClear(s->env);
		f->missing = f->id == NULL;
	}
	s->lacks = s->lacks || f->missing;
	return f->id;
}

jint get_int(struct state *s, jclass class, jobject object, struct field *f) {
	jfieldID id = object != NULL ? find(s, class, f) : NULL;
	return id != NULL ? (*s->env)->GetIntField(s->env, object, id) : 0;
}

jlong get_long(struct state *s, jclass class, jobject object, struct field *f) {
	jfieldID id = object != NULL ? find(s, class, f) : NULL;
	return id != NULL ? (*s->env)->GetLongField(s->env, object, id) : 0;
}

jobject get_object(struct state *s, jclass class, jobject object, struct field *f) {
	jfieldID id = object != NULL ? find(s, class, f) : NULL;
	return id != NULL ? (*s->env)->GetObjectField(s->env, object, id) : NULL;
}

// class_for_field returns the object's class if a field is still to be looked up in it.
static jclass class_for_field(struct state *s, jobject object, const struct field *f) {
	return object != NULL && f->id == NULL ? (*s->env)->GetObjectClass(s->env, object) : NULL;
}

jobject get_inner(struct state *s, jobject object, struct field *f) {
	jclass class = class_for_field(s, object, f);
	jobject found = get_object(s, class, object, f);
	(*s->env)->DeleteLocalRef(s->env, class);
	return found;
}

jint get_inner_int(struct state *s, jobject object, struct field *f) {
	jclass class = class_for_field(s, object, f);
	jint found = get_int(s, class, object, f);
	(*s->env)->DeleteLocalRef(s->env, class);
	return found;
}

void get_next(struct state *s, jobject *object, struct field *f) {
	jobject after = get_inner(s, *object, f);
	(*s->env)->DeleteLocalRef(s->env, *object);
	*object = after;
}

static int index_of(jclass class, const char *const *signatures, int count) {
	char *signature = NULL;
	int found = -1;
	if ((*agent.jvmti)->GetClassSignature(agent.jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE) {
		return found;
	}
	for (int i = 0; i < count && found < 0; i++) {
		found = strcmp(signature, signatures[i]) == 0 ? i : -1;
	}
	(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)signature);
	return found;
}

jclass class_among(JNIEnv *env, jobject object, const char *const *signatures, int count, int *index) {
	jclass class = (*env)->GetObjectClass(env, object);
	while (class != NULL && (*index = index_of(class, signatures, count)) < 0) {
		jclass super = (*env)->GetSuperclass(env, class);
		(*env)->DeleteLocalRef(env, class);
		class = super;
	}
	return class;
}

void put_number(struct state *s, const char *name, int64_t value) {
	size_t left = sizeof s->text - s->length;
	int size = snprintf(s->text + s->length, left, " %s=%" PRId64, name, value);
	if (size > 0 && (size_t)size < left) {
		s->length += size;
	}
}

void put_thread(struct state *s, const char *name, jobject thread) {
	put_number(s, name, thread != NULL ? thread_id(s->env, thread) : 0);
}

void state_publish(const struct state *s, int64_t object, int64_t time) {
	if (s->length > 0 && !s->lacks && object != 0) {
		ring_publish(&(struct record){.kind = STATE, .time = time, .object = object, .payload = s->text,
			.payload_size = s->length});
	}
}
