package trace

// groupsOfJVM are the thread groups of the JVM's own threads. A program's threads are in main or below, its virtual
// threads in VirtualThreads.
var groupsOfJVM = map[string]bool{"system": true, "InnocuousThreadGroup": true, "CarrierThreads": true}

// threadsOfJVM are the names of the JVM's own threads in other groups. DestroyJavaVM is the main thread after main has
// returned; the others are the Flight Recorder's.
var threadsOfJVM = map[string]bool{"DestroyJavaVM": true, "JFR Periodic Tasks": true, "JFR Recorder Thread": true,
	"JFR Shutdown Hook": true}

// OfJVM reports whether the thread is one of the JVM's own, and not the program's, by its group and name.
func (t *ModelThread) OfJVM() bool { return groupsOfJVM[t.Group] || threadsOfJVM[t.Name] }
