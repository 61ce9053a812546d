package critical

import "github.com/trcx/trcx/trace"

// destroyer is what HotSpot calls the thread of main when main has returned. What it does then is not the program's.
const destroyer = "DestroyJavaVM"

// A JVM has threads of its own. They are told by the groups in which it starts them: a program's threads are in main or
// below, and its virtual threads in VirtualThreads. Some of the JDK Flight Recorder are in main, and are known by their
// names.
var (
	groupsOfJVM  = map[string]bool{"system": true, "InnocuousThreadGroup": true, "CarrierThreads": true}
	threadsOfJVM = map[string]bool{"JFR Periodic Tasks": true, "JFR Recorder Thread": true, "JFR Shutdown Hook": true}
)

// role says what the end of a thread says of the end of the run.
type role uint8

const (
	ofProgram role = iota
	ofJVM          // it ends the run where no thread of the program does anything
	ofNobody       // it never does
)

func roleOf(t *trace.ModelThread) role {
	switch {
	case t.Name == destroyer:
		return ofNobody
	case groupsOfJVM[t.Group] || threadsOfJVM[t.Name]:
		return ofJVM
	}
	return ofProgram
}
