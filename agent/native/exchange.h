//go:build agent

// Go's side of the exchange with threads of Java: Go waits for questions and answers them.
#ifndef TRCX_EXCHANGE_H
#define TRCX_EXCHANGE_H

#include "agent.h"

struct question {
	uint64_t number;
	const void *data;
	size_t size;
	const char *folder; // with options: the working folder when the agent was loaded, empty if it is not known
};

// await_options blocks until an agent is loaded, and returns its options.
struct question await_options(void);
void answer_options(uint64_t number, struct settings settings);

// await_class blocks until a class file is to be rewritten. The answer is copied, and empty where the class stays as it is.
struct question await_class(void);
void answer_class(struct question question, void *result, size_t size);

// count_left_alone counts a class that could not be rewritten safely.
void count_left_alone(void);

// set_drained says whether everything that was published is written.
void set_drained(bool value);

// abandon ends the recording because Go cannot go on, or has nowhere to write to.
void abandon(void);

#endif
