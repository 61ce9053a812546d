// Package drain merges the ring buffers of a recorded JVM (package agent/ring) into one trace, in time order.
//
// A Drainer runs in the JVM's process, on a thread that is not a Java thread, or in the process that started the JVM
// and outlives it. Its output is a package agent/output.Writer. It works in rounds. A round snapshots how far each ring
// can be read, and up to which time nothing more will be published; writes the definitions published so far; and merges
// the records older than that time. The text is flushed within 50 ms.
//
// A JVM has no events for java.util.concurrent: its threads park and unpark each other. The thread that ended a park
// follows from the order of the records of both threads. It is known when the park ends, in most cases before. Only the
// signal of a condition waits for later records, for at most a millisecond.
//
// Records can be lost, and threads can have been asleep when the recording began. So a Drainer keeps the state of each
// live thread (package internal/threadstate), drops records that do not fit it, and writes the end of a wait or block
// whose record is missing: the trace is valid, whatever is in the rings.
//
//	drainer.go, merge.go          the rounds; merge the rings in time order
//	handlers.go, encoder.go       the function of each kind of record; elements with their attributes
//	thread.go, address.go         live threads, by id and by address in the JVM
//	monitor.go, inserted.go       waits and blocks, also for input and output; elements inserted before others
//	park.go, unpark.go            waits of java.util.concurrent, how they end, and by which thread
//	poller.go                     parks of virtual threads that are waits for input or output
//	lock.go, signal.go            blocks on its locks, notifications by its conditions
//	blocker.go, annotation.go     which objects are locks; the annotations of all these
//	definition.go, name.go        classes and methods, and their names as attribute values
//	allocation.go, cpu.go         allocations, frees and garbage collections; CPU times of threads
//	calls.go, samples.go          how often methods ran, and trees of their calls; trees of samples
//	stack.go                      stack traces as annotations
//	delivery.go, summary.go       buffered text for the output; counts and times
//	preamble.go                   the description of the recording
package drain
