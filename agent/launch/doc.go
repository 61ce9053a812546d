// Package launch starts JVMs under the agent: it finds the agent's library, checks the JDK before it is started, and
// builds the arguments or the environment by which a JVM loads the agent.
//
// Data flow: cmd/trcx -> launch -> the JVM with agent/native in it. The package uses neither ring buffers nor traces.
package launch
