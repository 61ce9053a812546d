//go:build agent

// Samples of methods, which the JVM's flight recorder takes.
#ifndef TRCX_SAMPLER_H
#define TRCX_SAMPLER_H

#include "agent.h"

// sampler_prepare makes a flight recording of samples, if the settings ask for one, which takes some tenths of a second.
void sampler_prepare(JNIEnv *env);

// sampler_begin starts it.
void sampler_begin(JNIEnv *env);

// sampler_runs reports whether there is one that has not ended.
bool sampler_runs(void);

// sampler_end ends it. If the samples are kept, the JVM writes them to the file of the settings.
void sampler_end(JNIEnv *env, bool kept);

#endif
