package attach

import "fmt"

// JVM is a running JVM that the agent can be loaded into: HotSpot, on glibc.
type JVM struct {
	PID int
	// Inside is its pid as it sees it itself: in a container it differs from PID.
	Inside int
	// UID is its effective user, by the number that it has for this process.
	UID int
	// Name is the command's, at most 15 bytes.
	Name string
	// Library is the path of its libjvm.so, in its own file system.
	Library string
	// Elsewhere says that its file system is not that of this process, as in a container: a path may be another file
	// there, or none.
	Elsewhere bool
}

// String names the process.
func (j JVM) String() string { return fmt.Sprintf("process %d (%s)", j.PID, j.Name) }

// AgentError says that the library was loaded, and that the agent in it refused to start.
type AgentError struct {
	JVM JVM
	// Code is what Agent_OnAttach returned; it is not 0.
	Code int
}

func (e *AgentError) Error() string {
	return fmt.Sprintf(
		"the agent in %v refused to start (return code %d); why, it has said on that process's standard error", e.JVM,
		e.Code)
}

// IsJVM says whether the agent can be loaded into the process; Inspect says why not.
func IsJVM(pid int) bool {
	_, err := Inspect(pid)
	return err == nil
}
