// Package launch starts JVMs under the agent: it finds the agent's library, looks at the JVM before it is started, and
// makes the command that starts it.
//
// It stands at the beginning of a recording: cmd/trcx -> launch -> the JVM with agent/native in it. It knows neither
// rings nor traces.
package launch
