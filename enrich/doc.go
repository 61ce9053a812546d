// Package enrich infers thread interactions: lock hand-offs, notify and interrupt bindings, thread starts, joins and
// deadlocks.
//
// An Enricher consumes events in the order of the input and puts the records of the model: the fifteen kinds of TPTP
// model events, and the intervals between a thread's states. Each inference rule is one file that names the JVM
// behavior it relies on: start.go, monitor.go, owner.go, place.go, wait.go, park.go, notify.go, interrupt.go,
// deadlock.go, and latebinding.go for what is recorded out of order. docs/HACKING.md explains them. The others are:
//
//	enricher.go, event.go, async.go      the Enricher, the events of a thread, a Sink in another goroutine
//	incarnation.go, thread.go            all threads; the state of those that live
//	object.go, waitset.go                monitors and java.lang.Thread objects; the threads that wait on one
//	cause.go                             what can make a thread run
//	allocation.go, collection.go         allocations; garbage collections, the load of the processors
//	annotation.go, sample.go             CPU times, MONITOR TIME of HPROF logs; samples
//	code.go, stack.go, opencall.go       classes and methods, call stacks, open calls
//	site.go, outer.go                    the program's own call of a stack, and those below it
//	idle.go, place.go                    stacks of threads without work; where the holders of monitors were
//	index.go, counts.go                  values by id, numbers of elements
//
// Memory is bounded by live threads, monitors in use and notifications not yet bound, not by the length of the trace.
package enrich
