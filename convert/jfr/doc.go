// Package jfr reads recordings of the JDK Flight Recorder: chunks of binary events, each with a description of their
// types and with tables of the threads, classes, methods and call stacks that they name.
//
// It stands beside convert/trcxml and gives the same elements, through convert/builder. What an event holds is taken
// from the recording's own metadata; only the names of types and fields are known here (the tables of kind.go). The
// format is described by the JDK: the module jdk.jfr writes and parses it, and the tool jfr prints it.
//
// The walk of a recording:
//
//	header.go, spool.go, scan.go     bytes become a chunk: where its events lie, and which parts of it are none
//	metadata.go, program.go          the chunk's types become programs that take the fields that matter from an event and pass over the others
//	jvm.go                           which JVM a chunk is of, where an input has several
//	constant.go                      what events name by keys: threads, classes, call stacks
//	kind.go, deed.go                 events become deeds, which are sorted by the time at which they began, on disk where they are many
//	survey.go                        a first pass over the sorted deeds: when a thread can have done what only another thread's event tells
//	telling.go, thread.go, object.go the second pass: deeds become elements in the order of time
//	crowd.go, rest.go                what both passes know: of threads, within a bound, and of what goes on, one thing for each thread
//
// A recording has events when they end, those of each thread together, and constants behind the events that name them.
// So nothing can be told before the last chunk is read. A chunk is kept in memory up to a bound, and in a temporary
// file beyond it.
package jfr
