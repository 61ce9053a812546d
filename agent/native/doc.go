// Command native is the agent: a shared library that a JVM loads and that records what its threads do.
//
// Data flow: JVM -> agent/native -> agent/ring -> agent/drain -> trace. JVMTI callbacks in C publish records in ring
// buffers and never enter Go; agent.h lists the C modules. main.go runs on threads of Go's own: it parses the options,
// rewrites class files (agent/bci) and drains the rings (agent/record), unless another process does. build.sh builds
// the library; no other part of the project needs a C compiler and the headers of a JDK.
//
// The build tag agent selects all code but main, so that a machine without these can build and document every package.
package main

func main() {} // never runs in a shared library
