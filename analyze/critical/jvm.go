package critical

import "github.com/trcx/trcx/trace"

// destroyer is HotSpot's name of the thread of main after main has returned. Its activity is not the program's.
const destroyer = "DestroyJavaVM"

// A JVM has threads of its own, which are recognized by their thread groups: a program's threads are in main or below,
// and its virtual threads in VirtualThreads. Some of the JDK Flight Recorder are in main, and are recognized by their
// names.
var (
	groupsOfJVM  = map[string]bool{"system": true, "InnocuousThreadGroup": true, "CarrierThreads": true}
	threadsOfJVM = map[string]bool{"JFR Periodic Tasks": true, "JFR Recorder Thread": true, "JFR Shutdown Hook": true}
)

// role is whether the end of a thread can be the end of the run.
type role uint8

const (
	ofProgram role = iota
	ofJVM          // only if no thread of the program has any activity
	ofNobody       // never
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
