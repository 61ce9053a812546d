package attach

import (
	"fmt"
	"time"
)

// LibraryName is the file name of the agent's library, or its end.
const LibraryName = "libtrcxagent.so"

// JVM is a running JVM that the agent can be loaded into: HotSpot on glibc.
type JVM struct {
	PID int
	// Inside is its pid in its own pid namespace, which in a container differs from PID.
	Inside int
	// UID is its effective user id, as this process sees it.
	UID int
	// Name is the command's name, at most 15 bytes.
	Name string
	// Library is the path of its libjvm.so, in its own file system.
	Library string
	// Agent is the path of the agent's library that it has loaded, likewise; "" if it has none, or if that file is deleted.
	Agent string
	// Elsewhere reports whether its file system differs from this process's, as in a container. A path may then name
	// another file there, or no file.
	Elsewhere bool
}

// String returns the process's pid and name.
func (j JVM) String() string { return fmt.Sprintf("process %d (%s)", j.PID, j.Name) }

// Usage is what a process has used since it started.
type Usage struct {
	PID int
	// Started is the time of its start in ticks of the system's clock. PID and Started together identify a process.
	Started uint64
	// CPU is the time on processors.
	CPU time.Duration
	// Written counts the bytes that it has written, to files, pipes and terminals.
	Written uint64
	// JVM reports whether Inspect accepts it.
	JVM bool
}

// AgentError is the error of an agent whose library was loaded and which refused to start.
type AgentError struct {
	JVM JVM
	// Code is the return value of Agent_OnAttach; it is not 0.
	Code int
	// Reason is the agent's value of refusalProperty; "" if unknown.
	Reason string
}

// refusalProperty is the JVM's system property that an agent sets, percent-encoded, before it refuses to start.
const refusalProperty = "trcx.refusal"

func (e *AgentError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("%v: %s", e.JVM, e.Reason)
	}
	return fmt.Sprintf(
		"the agent in %v refused to start (return code %d); the reason is on that process's standard error", e.JVM,
		e.Code)
}
