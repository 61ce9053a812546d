// Package enrich infers thread interactions: lock hand-offs, notify and interrupt bindings, thread starts, joins and
// deadlocks.
//
// An Enricher consumes events in the order of the input and puts the records of the model: the fifteen kinds of TPTP
// model events, and the intervals between a thread's states. Each inference rule is one file that names the JVM
// behavior it relies on: start.go, monitor.go, owner.go, wait.go, park.go, notify.go, interrupt.go, join.go,
// deadlock.go. docs/HACKING.md explains them. The others are:
//
//	enricher.go, event.go, async.go      the Enricher, the events of a thread, a Sink in another goroutine
//	thread.go, object.go, cause.go       incarnations of threads; monitors; what can make a thread run
//	deadthread.go                        what is kept of threads that have ended
//	quiet.go, packing.go                 what is kept of threads that have not acted for long
//	allocation.go, cpu.go                allocations, CPU times
//	collection.go                        garbage collections, the load of the processors
//	monitortime.go                       MONITOR TIME of HPROF logs
//	waitset.go                           the threads that wait on an object
//	code.go, stack.go, opencall.go       classes and methods, call stacks, open calls
//	index.go, pool.go, counts.go         values by id, values used again, numbers of elements
//
// Memory is bounded by live threads, monitors in use and notifications not yet bound, not by the length of the trace.
package enrich
