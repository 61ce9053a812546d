//go:build agent

#include "exchange.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	CONFIGURE_SECONDS = 20,
	REWRITE_SECONDS = 5,
	DRAIN_SECONDS = 10,
};

// exchange passes one question at a time: a Java thread asks it, a thread of Go accepts and answers it.
struct exchange {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum { IDLE, ASKED, ACCEPTED, ANSWERED } state;
	uint64_t number; // the question's number
};

#define EXCHANGE                                                                                                       \
	{ PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, IDLE, 0 }

static bool wait_until(struct exchange *x, const struct timespec *deadline) {
	return pthread_cond_timedwait(&x->changed, &x->lock, deadline) != ETIMEDOUT;
}

static struct timespec seconds_from_now(int seconds) {
	struct timespec deadline;
	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += seconds;
	return deadline;
}

// ask publishes the question. The caller holds the lock.
static void ask(struct exchange *x) {
	x->number++;
	x->state = ASKED;
	pthread_cond_broadcast(&x->changed);
}

// await_answer waits for the answer; it returns false if none comes in time. The caller holds the lock.
static bool await_answer(struct exchange *x, int seconds) {
	struct timespec deadline = seconds_from_now(seconds);
	while (x->state != ANSWERED) {
		if (!wait_until(x, &deadline)) {
			x->number++; // an answer from now on is ignored
			x->state = IDLE;
			return false;
		}
	}
	x->state = IDLE;
	return true;
}

// await waits for a question and returns its number. The caller holds the lock.
static uint64_t await(struct exchange *x) {
	while (x->state != ASKED) {
		pthread_cond_wait(&x->changed, &x->lock);
	}
	x->state = ACCEPTED;
	return x->number;
}

// answer ends the question with this number; it returns false if no thread waits for it any more. The caller holds the
// lock.
static bool answer(struct exchange *x, uint64_t number) {
	if (x->number != number || x->state != ACCEPTED) {
		return false;
	}
	x->state = ANSWERED;
	pthread_cond_broadcast(&x->changed);
	return true;
}

// Options.

static struct exchange options = EXCHANGE;
static const char *options_text, *options_folder;
static struct settings options_answer;

// working_folder returns a path of the process's working folder, or an empty text if the path cannot be entered, for
// example because a parent folder is closed to this user.
static char *working_folder(void) {
	char folder[PATH_MAX];
	bool found = getcwd(folder, sizeof folder) != NULL && access(folder, X_OK) == 0;
	return strdup(found ? folder : "");
}

// configure reads the working folder at once. When Go answers, the folder may have changed: HotSpot enters a folder of
// /tmp for a moment while it starts.
void configure(const char *text) {
	char *folder = working_folder();
	pthread_mutex_lock(&options.lock);
	options_text = strdup(text);
	options_folder = folder;
	ask(&options);
	pthread_mutex_unlock(&options.lock);
}

bool configured(struct settings *settings) {
	pthread_mutex_lock(&options.lock);
	bool answered = await_answer(&options, CONFIGURE_SECONDS);
	*settings = options_answer;
	pthread_mutex_unlock(&options.lock);
	if (!answered) {
		say("the agent did not start in time; the program runs without recording");
	}
	return answered && settings->refusal == NULL;
}

struct question await_options(void) {
	pthread_mutex_lock(&options.lock);
	struct question question = {
		.number = await(&options), .data = options_text, .size = strlen(options_text), .folder = options_folder};
	pthread_mutex_unlock(&options.lock);
	return question;
}

void answer_options(uint64_t number, struct settings settings) {
	pthread_mutex_lock(&options.lock);
	if (options.number == number) {
		options_answer = settings;
	}
	answer(&options, number);
	pthread_mutex_unlock(&options.lock);
}

// Class files. The class file is copied, because the asking thread may give up while Go still reads.

static pthread_mutex_t one_class = PTHREAD_MUTEX_INITIALIZER;
static struct exchange classes = EXCHANGE;
static bool unanswered; // Go did not answer in time; it is not asked again
static unsigned char *class_file, *class_result, *class_definitions;
static size_t class_size, class_result_size, class_definitions_size;
static struct rewriting class_how;

// copy_of returns a copy of the bytes; NULL for no bytes.
static unsigned char *copy_of(const void *bytes, size_t size) {
	unsigned char *copy = size > 0 ? malloc(size) : NULL;
	if (copy != NULL) {
		memcpy(copy, bytes, size);
	}
	return copy;
}

static void free_answer(void) {
	free(class_result);
	free(class_definitions);
	class_result = class_definitions = NULL;
	class_definitions_size = 0;
}

unsigned char *rewrite(const unsigned char *data, jint size, jint *new_size, struct rewriting how,
	int64_t (*first)(const char *name, bool again)) {
	unsigned char *copy = unanswered ? NULL : copy_of(data, size), *result = NULL;
	if (copy == NULL) {
		return NULL;
	}
	pthread_mutex_lock(&one_class);
	if (how.instrument) {
		how.first = first(how.name, how.again);
	}
	pthread_mutex_lock(&classes.lock);
	class_file = copy;
	class_size = size;
	class_how = how;
	ask(&classes);
	unanswered = !await_answer(&classes, REWRITE_SECONDS);
	if (!unanswered && class_result != NULL &&
		(class_definitions == NULL || how.define(how.name, how.first, class_definitions, class_definitions_size)) &&
		(*agent.jvmti)->Allocate(agent.jvmti, class_result_size, &result) == JVMTI_ERROR_NONE) {
		memcpy(result, class_result, class_result_size);
		*new_size = class_result_size;
	}
	free_answer();
	pthread_mutex_unlock(&classes.lock);
	pthread_mutex_unlock(&one_class);
	return result;
}

struct question await_class(void) {
	pthread_mutex_lock(&classes.lock);
	struct question question = {
		.number = await(&classes), .data = class_file, .size = class_size, .how = class_how};
	pthread_mutex_unlock(&classes.lock);
	return question;
}

void answer_class(
	struct question question, void *result, size_t size, void *definitions, size_t definitions_size) {
	unsigned char *copy = copy_of(result, size), *defined = copy_of(definitions, definitions_size);
	pthread_mutex_lock(&classes.lock);
	if (answer(&classes, question.number)) {
		class_result = copy;
		class_result_size = size;
		class_definitions = defined;
		class_definitions_size = definitions_size;
	} else {
		free(copy);
		free(defined);
	}
	pthread_mutex_unlock(&classes.lock);
	free((void *)question.data);
}

// The end of draining.

static pthread_mutex_t drained_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t drained_changed = PTHREAD_COND_INITIALIZER;
static bool drained;
static const char *abandoned; // the reason, or NULL

void await_drained(void) {
	struct timespec deadline = seconds_from_now(DRAIN_SECONDS);
	pthread_mutex_lock(&drained_lock);
	while (!drained && pthread_cond_timedwait(&drained_changed, &drained_lock, &deadline) != ETIMEDOUT) {
	}
	if (!drained) {
		say("what was recorded last could not be written in time");
	}
	pthread_mutex_unlock(&drained_lock);
}

// set_draining wakes await_drained when the text is written. The reason says why the recording was abandoned; or NULL.
static void set_draining(bool done, const char *reason) {
	pthread_mutex_lock(&drained_lock);
	drained = done;
	abandoned = reason;
	pthread_cond_broadcast(&drained_changed);
	pthread_mutex_unlock(&drained_lock);
}

void begin_draining(void) { set_draining(false, NULL); }

void end_draining(void) { set_draining(true, NULL); }

void abandon(const char *reason) {
	__atomic_store_n(&agent.recording, false, __ATOMIC_SEQ_CST);
	agent.active = false;
	set_draining(true, reason);
}

const char *failure(void) {
	pthread_mutex_lock(&drained_lock);
	const char *reason = abandoned;
	pthread_mutex_unlock(&drained_lock);
	return reason;
}

void count_left_alone(void) { __atomic_add_fetch(&ring_header()->left_alone, 1, __ATOMIC_RELAXED); }
