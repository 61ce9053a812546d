// Package hprof reads HPROF logs in their binary and text forms: heap dumps of jcmd, jmap and
// -XX:+HeapDumpOnOutOfMemoryError, and the logs of the agent hprof of JDKs up to 8.
//
// It is a reader of convert and emits elements through convert/builder. HotSpot's heapDumper.cpp describes the binary
// form, the manual of the agent the text form. The order of records and the sizes of objects are undocumented; they
// were found in dumps of JDKs 8 to 25.
//
//	reader.go                              shared by both forms: input, elements, findings, limits of memory
//	findings.go                            what is wrong or missing, each with its rule
//	binary.go, thread.go                   records of the binary form; threads
//	heapdump.go                            HEAP DUMP and HEAP DUMP SEGMENT: sub-records, roots, damage
//	classdump.go, class.go, object.go      classes, instances, arrays and their references
//	ahead.go                               read the classes that follow their instances, from the log opened again
//	detect.go                              detect HotSpot's object layout, compute the sizes of objects
//	layout.go                              HotSpot's rules of layout
//	contents.go                            containers, and calls whose frames are roots, for package heap
//	text.go, textheap.go, monitor.go       the text form: records, heap dumps, monitor dumps
//
// Almost all of a dump are objects. If they are only counted (builder.Options.Count), no elements are made for them.
// Objects are not kept, so memory depends on names, classes and frames, which are limited.
package hprof
