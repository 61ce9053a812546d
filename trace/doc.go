// Package trace defines Eclipse TPTP traces: elements, attributes, events, times, ids, and the model computed from
// them.
//
// Elements is the table from which the reader, the writer, the DTD, the rules and docs/format.md are derived; adding an
// element is adding a row. An Event is one element as read: a Layout, which elements that differ only in digits share,
// and a text. An EventBuilder builds events for readers of any format. A Record is one item of the model.
//
// The files by what they define:
//
//	table.go, element.go, attribute.go       the table of elements, its rows and their attributes
//	event.go, layout.go, eventbuilder.go     events, and how readers build them
//	time.go, id.go, decimal.go               times, ids, numbers
//	model.go, record.go, state.go            the model: its events, records and states
//	allocation.go, cpu.go                    allocations, CPU times
//	park.go, synchronizer.go                 why attempts to get a lock ended; classes of java.util.concurrent
//	collection.go                            garbage collections, the load of the processors
//	monitortime.go                           MONITOR TIME of HPROF logs
//	annotation.go, annotationtext.go         the table of annotations, and those inside an element
//	stack.go, option.go                      stack traces, the keys of options
//	classname.go, methodname.go              names of classes and methods
//	escape.go, modified.go, placeholder.go   characters that XML cannot have, modified UTF-8, made-up values
//	jvmthread.go, pool.go, idle.go           the JVM's own threads, pools, stacks of threads without work
//	finding.go, readerrule.go, ending.go     findings, readers' rules, how reading ended
//
// The package does no I/O and imports only the standard library and internal/digits.
package trace
