// Package attach loads the agent into a JVM that is running, without a JDK: it speaks HotSpot's attach protocol.
//
// A JVM listens on the socket .java_pidN in its /tmp, N being its pid as it sees it itself. It begins to when it gets a
// SIGQUIT and finds a file .attach_pidN in its working folder or its /tmp. SIGQUIT ends processes that do not catch it,
// and makes a JVM that finds no such file print its threads; so much is looked at before one is sent
// (inspect_linux.go), and none is where a socket answers already.
//
// Walk: Inspect finds out what the process is; the listener is woken (listener_linux.go); a request and its answer go
// over the socket (protocol_linux.go). All files of the JVM are looked for in its own file system, which in a container
// is another one (files_linux.go). It works on Linux only.
package attach
