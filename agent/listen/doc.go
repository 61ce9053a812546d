// Package listen is the receiving end of streamed recordings: it accepts the traces of many recorders at once and
// writes each to its own file.
//
// Data flow: agent/output in the recorded JVM -> socket -> Server -> agent/output -> file. A recorder sends a greeting
// (output.Greeting) and then the document. Of the document, only the root's tags are searched for. Recorders are not
// trusted: memory, connections and file names are bounded, and no existing file is overwritten.
package listen
