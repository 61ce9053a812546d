// Package jfr reads JDK Flight Recorder files, format versions 0.9 to 2.x: a sequence of chunks with header, metadata,
// constant pools and events.
//
// It emits the elements that convert/trcxml reads from XML, built by convert/builder. The layout of an event comes from
// the metadata of its chunk; only names of types and fields are compiled in (eventtypes.go). The JDK's module jdk.jfr
// and its tool jfr define the format.
//
// An event is written when it ends and refers to constants that may follow it. So nothing is emitted before the last
// chunk has been read, and decoding has two passes over events sorted by start time:
//
//	chunk.go, scanner.go         split the input into chunks, hold one (on disk above 64 MiB); find gaps
//	recover.go                   find the first event after damage
//	metadata.go, typedecoder.go  compile, per event type, which fields to decode
//	old.go                       metadata, constants and threads of format 0.9
//	jvm.go                       assign chunks to JVMs, if the input has recordings of several
//	cursor.go                    decode values, identify threads
//	constantpool.go, symbols.go  resolve threads, classes, methods and stack traces
//	reader.go, eventtypes.go     decode the events of a chunk
//	event.go                     sort the events (on disk above 32 MiB)
//	interval.go                  replay sorted events, with the ends of those that have a duration
//	infer.go                     first pass: infer times that only another thread's event shows
//	emitter.go                   second pass: emit trace events in time order, for a limited number of threads
//	emitwait.go                  the events of threads, waits and blocks
//	object.go                    monitors by address; sockets and files
//	dump.go                      thread dumps: the waits in them, in both passes
//	sample.go                    samples of profilers
//	trouble.go                   what the JVM reports beside what threads do
//	rules.go                     what is wrong with a recording, and what it does not have
package jfr
