// Package listen is the receiving side of recording: it takes the traces of several recorders at once, each into a file
// of its own.
//
// The walk is package outlet in the recorded JVM -> a socket -> Server -> package outlet -> a file. A recorder
// introduces itself with a line (outlet.Greeting) and then sends a document as it would stand in a file; what it says
// is not looked at, but for its end. Recorders are not trusted: they bound neither memory nor the names of files, and
// nothing that exists is overwritten.
package listen
