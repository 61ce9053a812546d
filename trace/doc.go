// Package trace defines Eclipse TPTP traces: elements, attributes, events, times, ids, and the model computed from
// them.
//
// Elements is the table from which the reader, the writer, the DTD, the rules and docs/format.md are derived; adding an
// element is adding a row. An Event is one element as read: a Layout, which elements that differ only in digits share,
// and a text. An EventBuilder builds events for readers of any format. A Record is one item of the model.
//
// Files and what they define:
//
//	table.go, element.go, attribute.go       the table of elements, its rows and their attributes
//	event.go, layout.go, eventbuilder.go     events, and how readers build them
//	time.go, id.go, escape.go                times, ids, strings with characters that XML cannot have
//	model.go, record.go, state.go            the model: its events, records and states
//	stack.go, park.go                        stack traces, why attempts to get a lock ended
//	allocation.go, cpu.go, sample.go         allocations, CPU times, samples of samplers and thread dumps
//	objectstate.go                           states of objects for which threads wait
//	collection.go                            garbage collections, the load of the processors
//	monitortime.go                           MONITOR TIME of HPROF logs
//	annotation.go, annotationtext.go         the table of annotations, and those inside an element
//	option.go, placeholder.go, jvmthread.go  the keys of options, made-up values, the JVM's own threads
//	finding.go, readerrule.go, ending.go     findings, readers' rules, how reading ended
//
// The package does no I/O.
package trace
