//go:build agent

// Private fields of the JDK's objects, and the text of a state that is read from them.
#ifndef TRCX_STATEFIELD_H
#define TRCX_STATEFIELD_H

#include "agent.h"

#define CONCURRENT "java/util/concurrent/"
#define LOCKS CONCURRENT "locks/"
#define THREAD "Ljava/lang/Thread;"

// state is the state of an object that is being read.
struct state {
	JNIEnv *env;
	jobject object;
	jclass class;     // the JDK's class of the object, whose fields are read
	bool lacks;       // the class lacks a field
	int64_t deadline; // for is_past
	int64_t time;     // of the records
	size_t length;
	char text[1024];
};

// field is a field that is looked up once, in a class of the JDK, which is never unloaded. The class must be the one that
// declares it, or one of the JDK's that extends that: a program's class can have another field of the name.
struct field {
	const char *name, *descriptor;
	jfieldID id;
	bool missing;
};

// FIELD is a field that has not been looked up.
#define FIELD(name, descriptor) \
	{ name, descriptor, NULL, false }

// These return a field of an object, 0 or NULL if the object is NULL or the class lacks it.
jint get_int(struct state *s, jclass class, jobject object, struct field *f);
jlong get_long(struct state *s, jclass class, jobject object, struct field *f);
jobject get_object(struct state *s, jclass class, jobject object, struct field *f);

// get_inner is get_object for an object that no class of the program extends, such as a node; get_inner_int likewise.
jobject get_inner(struct state *s, jobject object, struct field *f);
jint get_inner_int(struct state *s, jobject object, struct field *f);

// get_next replaces the object by the one that its field has.
void get_next(struct state *s, jobject *object, struct field *f);

// class_among returns an object's class, or its first superclass, with one of the signatures, and the index of the
// signature; NULL if no class matches. Only the JDK's own classes have such names.
jclass class_among(JNIEnv *env, jobject object, const char *const *signatures, int count, int *index);

// put_number puts a number into the text, put_thread the id of a thread, 0 for NULL.
void put_number(struct state *s, const char *name, int64_t value);
void put_thread(struct state *s, const char *name, jobject thread);

// state_publish publishes the state, if it is known, of the object with this id.
void state_publish(const struct state *s, int64_t object, int64_t time);

// states_begin returns the CPU time of the calling thread. Deadlines are in CPU time, because on a busy machine the
// thread can wait for a processor. is_past reports whether the deadline is past, or far too much real time has passed.
int64_t states_begin(void);
bool is_past(int64_t deadline);

static inline bool is_late(const struct state *s) { return is_past(s->deadline); }

#endif
