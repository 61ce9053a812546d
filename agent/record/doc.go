// Package record makes a trace of what a JVM publishes, as the agent's options say: it opens the outlet and lets a
// Drainer work.
//
// It stands behind the rings in both places where these can be read: agent/native runs a Recording in the JVM itself,
// and trcx record one outside of it, with the same options.
package record
