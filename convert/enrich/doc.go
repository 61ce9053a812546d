// Package enrich computes what a trace does not say: who started, notified, interrupted and joined whom, who handed a
// lock to whom, and which threads are deadlocked.
//
// It is the middle of the walk: elements (trace.Event) come in from a reader in file order, and the fifteen kinds of
// TPTP model events (trace.ModelEvent) go out to a Sink in the order in which they are appended. Most interactions are
// heuristics on what a JVM does; docs/HACKING.md explains them. What is kept depends on the threads that live, the
// monitors they use and what may still be bound, never on the length of the trace.
package enrich
