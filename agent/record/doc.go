// Package record writes the trace of a JVM as the agent's options say: it opens the output and runs a drain.Drainer.
//
// It is used on both sides of the ring buffers: agent/native runs a Recording inside the JVM, and trcx record runs one
// in a process of its own, with the same options.
package record
