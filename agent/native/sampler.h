//go:build agent

// Samples of methods, which the JVM's flight recorder takes.
#ifndef TRCX_SAMPLER_H
#define TRCX_SAMPLER_H

#include "agent.h"

// sampler_begin starts a flight recording of samples, if the settings ask for one.
void sampler_begin(JNIEnv *env);

// sampler_runs reports whether it has been started, and not ended.
bool sampler_runs(void);

// sampler_end ends it. If the samples are kept, the JVM writes them to the file of the settings.
void sampler_end(JNIEnv *env, bool kept);

#endif
