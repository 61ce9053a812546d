// Package monlog reads the JVMTI monitor log: a line of comma-separated values for each event of a thread, and a
// metadata file beside it that says what the methods of the call stacks are.
//
// It is a reader of convert: lines become elements (trace.Event) through a transcript.Transcript. The format was
// published as a description of its two files by the author of the program that writes it, without a sample;
// docs/formats/monlog.md says what is read and what becomes of it.
//
// A thread is named by the identity hash code of its object, and hash codes are not unique. So the reader follows what
// each thread does (thread.go): an event of a hash code is that of the thread that can have done it, and where none
// can, the log is contradictory; what that proves is in actor.go.
package monlog
