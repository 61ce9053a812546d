// Package monlog reads the JVMTI monitor log: a line of comma-separated values for each event of a thread, and a
// metadata file that describes the methods of its stack traces.
//
// It is a reader of convert and emits elements through convert/builder. The author of the program that writes the
// format published a description of its two files, without a sample; docs/formats/monlog.md documents what is read.
//
//	reader.go, record.go            recognize logs, decode lines; report defects
//	thread.go                       the kinds of events; attribute them to threads
//	element.go                      emit elements with stack traces
//	metadata.go                     read the metadata file
//
// A thread is identified by the identity hash code of its object, and hash codes are not unique. So the reader tracks
// the state of each thread: an event belongs to a thread of its hash code that can execute it in its state. If no
// thread can, the log is contradictory; thread.go lists the contradictions and their meaning.
package monlog
