// Package enrich infers thread interactions: lock hand-offs, notify and interrupt bindings, thread starts, joins and
// deadlocks.
//
// An Enricher consumes events in the order of the input and puts the records of the model: the fifteen kinds of TPTP
// model events, and the intervals between a thread's states. Each inference rule is one file that names the JVM
// behavior it relies on: start.go, monitor.go, owner.go, wait.go, notify.go, interrupt.go, join.go, deadlock.go.
// docs/HACKING.md explains them.
//
// Memory is bounded by live threads, monitors in use and notifications not yet bound, not by the length of the trace.
package enrich
