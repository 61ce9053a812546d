// Package pprof writes how threads were held up as a profile for pprof and all that reads its format: how often
// (contentions) and how long (delay), by call stack, with labels for thread, monitor and holder.
//
// It is the end of the walk: segments come in, internal/stackprofile adds them up, and the profile is written when the trace
// is over.
package pprof
