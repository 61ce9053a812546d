//go:build agent

// What Go does for Java threads. A Java thread asks and waits for the answer; Go's threads wait for questions.
#ifndef TRCX_EXCHANGE_H
#define TRCX_EXCHANGE_H

#include "agent.h"

// For Java threads.

// configure passes the options to Go, which parses them and creates the segment; configured waits until that is done,
// and returns false, with a message, if nothing is to be recorded.
void configure(const char *options);
bool configured(struct settings *settings);

// rewriting is how a class is rewritten: with hooks, or with instrumented methods, which are numbered from first. Then
// define gets the definition of the class, followed by the definition of each method. Each is preceded by its size, in
// 32 bits. The class stays as it is if define returns false.
struct rewriting {
	bool hooks, instrument, again; // again: the class is loaded already
	int64_t first;
	const char *name;
	bool (*define)(const char *name, int64_t first, const unsigned char *definitions, size_t size);
};

// rewrite has Go rewrite a class file. The result is allocated by JVMTI; NULL if the class stays as it is. first and
// define are called by one thread at a time.
unsigned char *rewrite(const unsigned char *class_file, jint size, jint *new_size, struct rewriting how,
	int64_t (*first)(const char *name, bool again));

// await_drained waits, for a bounded time, until everything published is written.
void await_drained(void);

// failure returns the reason why the current or last recording was abandoned, or NULL.
const char *failure(void);

// For Go's threads.

struct question {
	uint64_t number;
	const void *data;
	size_t size;
	struct rewriting how;
	const char *folder; // with options: the working folder when the agent was loaded, empty if unknown
};

// await_options blocks until the agent is loaded, and returns its options.
struct question await_options(void);
void answer_options(uint64_t number, struct settings settings);

// await_class blocks until a class file is to be rewritten. The answer is copied; it is empty if the class stays as it
// is.
struct question await_class(void);
void answer_class(
	struct question question, void *result, size_t size, void *definitions, size_t definitions_size);

// count_left_alone counts a class that could not be rewritten safely.
void count_left_alone(void);

// begin_draining and end_draining are called when the trace begins to be written and when it is complete.
void begin_draining(void);
void end_draining(void);

// abandon ends the recording because Go cannot continue, or cannot write. The reason is kept until the next recording.
void abandon(const char *reason);

#endif
