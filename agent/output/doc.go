// Package output writes the text of a recorded trace: to a file, plain or compressed, to the standard output, to a
// named pipe, or to a receiver at the other end of a socket (trcx listen, package agent/listen).
//
// Data flow: agent/drain -> Writer -> operating system. A Writer accepts whole lines and passes them on at once. The
// text written so far can always be read: a full disk leaves a whole document, a compressed file is a sequence of
// complete members, and a stalled connection neither loses nor cuts a line. The package does not interpret the lines.
//
//	output.go                        the Writer; compression by the name's ending
//	file.go                          regular files, and full disks
//	stream.go                        destinations that cannot be changed later; pipes
//	shared_unix.go, shared_other.go  files that other processes write, too: the JVM's standard output
//	connection.go                    sockets, and the exchange with a receiver
package output
