package trace

import (
	"slices"
	"strings"
)

// groupsOfJVM are the thread groups of the JVM's own threads. A program's threads are in main or below, its virtual
// threads in VirtualThreads.
var groupsOfJVM = map[string]bool{"system": true, "InnocuousThreadGroup": true, "CarrierThreads": true}

// threadsOfJVM are the names of the JVM's own threads in other groups. DestroyJavaVM is the main thread after main has
// returned; the others are the Flight Recorder's.
var threadsOfJVM = map[string]bool{"DestroyJavaVM": true, "JFR Periodic Tasks": true, "JFR Recorder Thread": true,
	"JFR Shutdown Hook": true}

// pollers begin the names of the JDK's threads that wait for the input and output of virtual threads.
var pollers = []string{"MasterPoller", "SubPoller-", "Read-Poller", "Write-Poller"}

// OfJVM reports whether the thread is one of the JVM's own, and not the program's, by its group and name.
func (t *ModelThread) OfJVM() bool {
	isPoller := func(begin string) bool { return strings.HasPrefix(t.Name, begin) }
	return groupsOfJVM[t.Group] || threadsOfJVM[t.Name] || slices.ContainsFunc(pollers, isPoller)
}
