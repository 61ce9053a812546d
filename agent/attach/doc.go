// Package attach loads the agent into a running JVM by HotSpot's attach protocol, without a JDK, and asks JVMs for
// dumps of their threads and heaps. It needs Linux.
//
// A JVM opens the socket /tmp/.java_pidN, where N is the pid in its own namespace, when it gets a SIGQUIT and finds a
// file .attach_pidN in its working folder or its /tmp. SIGQUIT ends a process that does not catch it, and makes a JVM
// without such a file print its threads. The process is therefore inspected before a signal is sent (inspect_linux.go),
// and none is sent if the socket answers already.
//
// Marked finds the processes below a command, by a variable of their environment (marked_linux.go).
//
// Load inspects the process, makes its attach listener open the socket (listener_linux.go), and exchanges a request and
// an answer (protocol_linux.go). All files are resolved in the JVM's own file system, which a container may have
// (files_linux.go).
package attach
