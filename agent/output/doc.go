// Package output is where the text of a recorded trace goes: a file, plain or compressed, the standard output, a named
// pipe, or a receiver at the other end of a socket (trcx listen, package agent/listen).
//
// The walk is agent/drain -> Outlet -> the operating system. An Outlet takes whole lines, gives them to the system at
// once, and whatever happens, what has been written can be read: a full disk leaves a whole document, a compressed file
// is a row of complete members, and of a connection that is held up no line is lost or cut. The package knows nothing
// of what the lines say.
package output
