// Package critical computes the critical path of a run: the chain of dependent intervals whose length is the run's
// time.
//
// A Recorder consumes the records of enrich and keeps what the walk backward needs, 64 bytes a state change. When the
// trace is over, Path walks from its end, or a window's end, back to its beginning, and WhatIf replays the run as if
// some monitors had never been contended. Path.Answer returns the answer. Lengths are in nanoseconds.
//
//	recorder.go, record.go                   the Recorder and its records
//	threads.go, jvm.go, place.go, waits.go   threads, the JVM's own, places in the program, what was waited for
//	lines.go                                 who held the monitors on which threads were blocked
//	cpu.go                                   the pauses of garbage collections; the processor time of threads
//	spots.go                                 where threads were in a segment
//	window.go, ending.go                     the part of the trace, and where the path ends
//	walk.go, whatif.go, monitors.go          the walk backward; the replay without contention for some monitors
//	path.go, shares.go                       the Path, and its shares by thread, state, caller and wait
//	segments.go, stacks.go                   the records and call stacks, for other analyses of them
//	text.go, phrases.go, still.go            the report for people, the wait after the path
//	csv.go, json.go                          the answer's values
package critical
