//go:build agent

#include "virtualowner.h"

#include <pthread.h>
#include <sys/mman.h>

#include "cpu.h"
#include "id.h"
#include "owner.h"

// The virtual threads that can own monitors, each at its id modulo MAX_THREADS. If the place is taken, it is left out.
enum { MAX_THREADS = 1 << 20 };
static struct place {
	int64_t id;
	jweak thread;
} * places;
static uint32_t used; // length of places that is in use
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

void virtual_owners_prepare(void) {
	if (!agent.virtual || agent.settings.owner_period == 0 || places != NULL) {
		return;
	}
	places = mmap(
		NULL, MAX_THREADS * sizeof *places, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (places == MAP_FAILED) {
		places = NULL;
	}
}

void virtual_owner_add(JNIEnv *env, jthread thread, int64_t id) {
	if (places == NULL || agent.settings.owner_period == 0) {
		return;
	}
	uint32_t at = id % MAX_THREADS;
	jweak weak = (*env)->NewWeakGlobalRef(env, thread);
	pthread_mutex_lock(&changing);
	if (places[at].thread == NULL) {
		places[at] = (struct place){id, weak};
		weak = NULL;
		used = at < used ? used : at + 1;
	}
	pthread_mutex_unlock(&changing);
	if (weak != NULL) {
		(*env)->DeleteWeakGlobalRef(env, weak);
	}
}

// empty empties a place and returns the reference that it had.
static jweak empty(uint32_t at) {
	jweak weak = places[at].thread;
	places[at] = (struct place){0};
	return weak;
}

void virtual_owner_remove(JNIEnv *env, int64_t id) {
	if (places == NULL) {
		return;
	}
	uint32_t at = id % MAX_THREADS;
	pthread_mutex_lock(&changing);
	jweak weak = places[at].id == id ? empty(at) : NULL;
	pthread_mutex_unlock(&changing);
	if (weak != NULL) {
		(*env)->DeleteWeakGlobalRef(env, weak);
	}
}

void virtual_owners_clear(JNIEnv *env) {
	if (places == NULL) {
		return;
	}
	pthread_mutex_lock(&changing);
	for (uint32_t at = 0; at < used; at++) {
		jweak weak = empty(at);
		if (weak != NULL) {
			(*env)->DeleteWeakGlobalRef(env, weak);
		}
	}
	used = 0;
	pthread_mutex_unlock(&changing);
}

static jthread virtual_thread(JNIEnv *env, int64_t id) {
	if (places == NULL) {
		return NULL;
	}
	uint32_t at = id % MAX_THREADS;
	pthread_mutex_lock(&changing); // the thread may end, and its reference be deleted
	jthread thread = places[at].id == id ? (*env)->NewLocalRef(env, places[at].thread) : NULL;
	pthread_mutex_unlock(&changing);
	return thread;
}

jthread live_thread(JNIEnv *env, int64_t id) {
	jthread thread = owner_thread(env, id);
	return thread != NULL ? thread : virtual_thread(env, id);
}

// ask_for_monitors asks for the monitors that a virtual thread owns, unless it runs: a running owner has been found.
static void ask_for_monitors(JNIEnv *env, jthread thread, int64_t id, found_owner *found) {
	enum { WAITS = JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER };
	jint state = 0, count = 0;
	jobject *owned = NULL;
	int64_t time = ring_begin();
	(*agent.jvmti)->GetThreadState(agent.jvmti, thread, &state);
	if ((state & WAITS) && (*env)->PushLocalFrame(env, MANY_REFERENCES) == 0) {
		(*agent.jvmti)->GetOwnedMonitorInfo(agent.jvmti, thread, &count, &owned);
		for (jint i = 0; i < count; i++) {
			found(known_object_id(owned[i]), id, time);
		}
		(*agent.jvmti)->Deallocate(agent.jvmti, (unsigned char *)owned);
		(*env)->PopLocalFrame(env, NULL);
	}
	ring_end();
}

uint32_t virtual_owners_ask(JNIEnv *env, uint32_t next, int64_t limit, found_owner *found) {
	enum { EMPTY_PLACES = 1024 };
	int64_t begin = cpu_time();
	uint32_t last = __atomic_load_n(&used, __ATOMIC_RELAXED);
	for (int empty_places = 0; next < last; next++) {
		int64_t id = __atomic_load_n(&places[next].id, __ATOMIC_RELAXED);
		if (id == 0 && ++empty_places % EMPTY_PLACES != 0) {
			continue;
		}
		jthread thread = id != 0 ? virtual_thread(env, id) : NULL;
		if (thread != NULL) {
			ask_for_monitors(env, thread, id, found);
			(*env)->DeleteLocalRef(env, thread);
		}
		if (cpu_time() - begin > limit && next + 1 < last) {
			return next + 1;
		}
	}
	return 0;
}
