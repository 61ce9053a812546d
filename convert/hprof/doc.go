// Package hprof reads what the JVM's heap profilers write: heap dumps of jcmd, jmap and
// -XX:+HeapDumpOnOutOfMemoryError, and the files of the agent hprof that JDKs had up to 8, in their binary and in their
// text form.
//
// It is a reader of convert: bytes come in, elements go out by a transcript.Transcript. The binary form is described in
// the header of HotSpot's heapDumper.cpp and, like the text form, by the manual and the output of the old agent. What
// no description says was found in dumps of JDKs 17 and 25: the order of records, and how large objects are.
//
// Almost all of a dump are objects. Whoever only counts them (transcript.Options.Count) is not given an element for
// each. Nothing is kept of an object, so that the memory depends on the names, classes and frames of the dump, which
// are bounded.
package hprof
