package critical

import (
	"strings"

	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// destroyer is HotSpot's name for the main thread after main has returned. The thread waits for the program's threads
// except daemons, and ends the JVM.
const destroyer = "DestroyJavaVM"

// recorderHook is the Flight Recorder's thread that writes the recording when the JVM shuts down. The rest of a
// recording does not show the shutdown.
const recorderHook = "JFR Shutdown Hook"

// handlesSignal reports whether HotSpot starts the thread for a signal, such as "SIGTERM handler", or is the thread
// that starts these.
func handlesSignal(name string) bool {
	return name == "Signal Dispatcher" || strings.HasPrefix(name, "SIG") && strings.HasSuffix(name, " handler")
}

// endsJVM has the handlers by which HotSpot ends the JVM. A handler that a program sets instead returns and ends.
var endsJVM = map[string]bool{"SIGTERM handler": true, "SIGINT handler": true, "SIGHUP handler": true}

// role is whose work a thread does.
type role uint8

const (
	ofProgram role = iota
	ofJVM
	ofDestroyer
)

// roleOf returns the role of a thread by its name and group. Threads started by a thread of the JVM are the JVM's as
// well: the handler of a signal, and the hooks that it runs.
func roleOf(t *threads.Thread) role {
	switch {
	case t.Name == destroyer:
		return ofDestroyer
	case t.OfJVM():
		return ofJVM
	}
	return ofProgram
}

// JVMThreads reports which threads are the JVM's own, by their keys minus one.
func (r *Recorder) JVMThreads() []bool {
	ofThem := make([]bool, r.threads.Last())
	for i, role := range r.roles() {
		ofThem[i] = role != ofProgram
	}
	return ofThem
}

// roles returns the roles of all threads, by their keys minus one. A thread started by a thread of the JVM is the
// JVM's.
func (r *Recorder) roles() []role {
	if r.known != nil {
		return r.known
	}
	roles, done := make([]role, r.threads.Last()), make([]bool, r.threads.Last())
	var chain []int
	for i := range roles {
		found := ofProgram
		for at := i; ; {
			if done[at] {
				found = roles[at]
				break
			}
			chain, done[at] = append(chain, at), true // so a cycle of starters ends, as the program's
			key := trace.ThreadKey(at + 1)
			t, described := r.threads.At(key), r.names.Get(key)
			if roles[at] = roleOf(&described); roles[at] != ofProgram || t.starter == 0 {
				found = roles[at]
				break
			}
			at = int(t.starter - 1)
		}
		if found == ofJVM {
			for _, at := range chain {
				roles[at] = ofJVM
			}
		}
		chain = chain[:0]
	}
	r.known = roles
	return roles
}
