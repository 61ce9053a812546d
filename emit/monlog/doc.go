// Package monlog writes the JVMTI monitor log that convert/monlog reads: a line for each event of a thread, and a
// metadata file with the methods of the call stacks.
//
// It consumes events (trace.Event). A trace that was read from such a log becomes the same log again, with the help of
// the reader's annotations. For any other trace, Notes returns what the format cannot represent.
package monlog
