// Package drain writes the trace: it takes the records of a recorded JVM out of the rings (package agent/ring), in the
// order of time, and makes elements of them.
//
// Walk: agent/native -> agent/ring -> drain -> emit/trcxml -> agent/output. A Drainer runs in the JVM's process, on a
// thread that is no Java thread, or in the process that started the JVM and outlives it.
//
// It works in rounds. A round looks how far each ring can be read, and up to which time nothing will come any more;
// writes all definitions that are there by then; and merges the records before that time. What is found in a round is
// encoded into one buffer, and the outlet gets it before 50 ms are over.
//
// Records can be lost, and threads can have slept when the recording began. So a Drainer knows of each living thread
// whether it is blocked or waits, leaves out what cannot be, and writes the end of a wait whose record is missing: the
// trace is valid, whatever the rings hold.
package drain
