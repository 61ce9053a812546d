// Package monlog writes the JVMTI monitor log that convert/monlog reads: a line for each event of a thread, and a
// metadata file that says what the methods of the call stacks are.
//
// It is an end of the walk: elements (trace.Event) come in from a reader. A trace that was made of such a log becomes
// it again, by the annotations that the reader has left; of any other trace the log has what its format can carry, and
// Notes say what it cannot.
package monlog
