//go:build agent

// What Go does for Java: threads of Go wait here for work, and threads of Java wait here for it to be done.
#include "exchange.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	CONFIGURE_SECONDS = 20,
	REWRITE_SECONDS = 5,
	DRAIN_SECONDS = 10,
};

void say(const char *format, ...) {
	char line[1024];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	fprintf(stderr, "trcx: %s\n", line);
}

// One question at a time: it is asked, a thread of Go takes it, and answers it.
struct exchange {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum { IDLE, ASKED, TAKEN, ANSWERED } state;
	uint64_t number; // of the question
};

#define EXCHANGE {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, IDLE, 0}

static bool wait_until(struct exchange *x, const struct timespec *deadline) {
	return pthread_cond_timedwait(&x->changed, &x->lock, deadline) != ETIMEDOUT;
}

static struct timespec seconds_from_now(int seconds) {
	struct timespec deadline;
	clock_gettime(CLOCK_REALTIME, &deadline);
	deadline.tv_sec += seconds;
	return deadline;
}

// ask puts the question, with the lock held.
static void ask(struct exchange *x) {
	x->number++;
	x->state = ASKED;
	pthread_cond_broadcast(&x->changed);
}

// listen waits for the answer, with the lock held; it returns false if none comes in time.
static bool listen(struct exchange *x, int seconds) {
	struct timespec deadline = seconds_from_now(seconds);
	while (x->state != ANSWERED) {
		if (!wait_until(x, &deadline)) {
			x->number++; // an answer that comes now is of no use
			x->state = IDLE;
			return false;
		}
	}
	x->state = IDLE;
	return true;
}

// await waits for a question, with the lock held, and returns its number.
static uint64_t await(struct exchange *x) {
	while (x->state != ASKED) {
		pthread_cond_wait(&x->changed, &x->lock);
	}
	x->state = TAKEN;
	return x->number;
}

// answer ends the question of the number, with the lock held; it returns false if nobody waits for it any more.
static bool answer(struct exchange *x, uint64_t number) {
	if (x->number != number || x->state != TAKEN) {
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

// working_folder is a name by which the process's working folder is reached, or empty. The folders above may be closed to who may enter the folder itself.
static char *working_folder(void) {
	char folder[PATH_MAX];
	bool found = getcwd(folder, sizeof folder) != NULL && access(folder, X_OK) == 0;
	return strdup(found ? folder : "");
}

// configure looks at the working folder itself. When Go answers it may be another one: HotSpot enters one in /tmp for a moment when it starts.
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
	bool answered = listen(&options, CONFIGURE_SECONDS);
	*settings = options_answer;
	pthread_mutex_unlock(&options.lock);
	if (!answered) {
		say("the agent did not start in time; the program runs without recording");
	}
	return answered && !settings->refused;
}

struct question await_options(void) {
	pthread_mutex_lock(&options.lock);
	struct question question = {.number = await(&options), .data = options_text, .size = strlen(options_text), .folder = options_folder};
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

// Class files. The class file is copied: who asked may have given up while Go still reads.

static pthread_mutex_t one_class = PTHREAD_MUTEX_INITIALIZER;
static struct exchange classes = EXCHANGE;
static bool deaf; // Go does not answer: it is not asked again
static unsigned char *class_file, *class_result;
static size_t class_size, class_result_size;

unsigned char *rewrite(const unsigned char *data, jint size, jint *new_size) {
	unsigned char *copy = deaf ? NULL : malloc(size), *result = NULL;
	if (copy == NULL) {
		return NULL;
	}
	memcpy(copy, data, size);
	pthread_mutex_lock(&one_class);
	pthread_mutex_lock(&classes.lock);
	class_file = copy;
	class_size = size;
	class_result = NULL;
	ask(&classes);
	deaf = !listen(&classes, REWRITE_SECONDS);
	if (!deaf && class_result != NULL &&
	    (*agent.jvmti)->Allocate(agent.jvmti, class_result_size, &result) == JVMTI_ERROR_NONE) {
		memcpy(result, class_result, class_result_size);
		*new_size = class_result_size;
	}
	free(class_result);
	class_result = NULL;
	pthread_mutex_unlock(&classes.lock);
	pthread_mutex_unlock(&one_class);
	return result;
}

struct question await_class(void) {
	pthread_mutex_lock(&classes.lock);
	struct question question = {.number = await(&classes), .data = class_file, .size = class_size};
	pthread_mutex_unlock(&classes.lock);
	return question;
}

void answer_class(struct question question, void *result, size_t size) {
	unsigned char *copy = size > 0 ? malloc(size) : NULL;
	if (copy != NULL) {
		memcpy(copy, result, size);
	}
	pthread_mutex_lock(&classes.lock);
	if (answer(&classes, question.number)) {
		class_result = copy;
		class_result_size = size;
	} else {
		free(copy);
	}
	pthread_mutex_unlock(&classes.lock);
	free((void *)question.data);
}

// The end of writing.

static pthread_mutex_t drained_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t drained_changed = PTHREAD_COND_INITIALIZER;
static bool drained;

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

void set_drained(bool value) {
	pthread_mutex_lock(&drained_lock);
	drained = value;
	pthread_cond_broadcast(&drained_changed);
	pthread_mutex_unlock(&drained_lock);
}

void abandon(void) {
	__atomic_store_n(&agent.recording, false, __ATOMIC_SEQ_CST);
	agent.active = false;
	set_drained(true);
}

void count_left_alone(void) { __atomic_add_fetch(&ring_header()->left_alone, 1, __ATOMIC_RELAXED); }
