// Package pprof writes a contention profile in pprof's format: the number (contentions) and the length (delay) of the
// delays of threads, by call stack, with labels for thread, monitor and holder.
//
// It consumes the model's intervals, which analyze/stackprofile counts, and writes the profile at the end.
package pprof
