package threaddump

import (
	"bytes"
	"strings"

	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// What jstack -F and -m write up to JDK 8, and jhsdb jstack --mixed in later ones.
var (
	forcedHead   = []byte("Deadlock Detection:")
	forcedThread = []byte("Thread ")
	forcedState  = []byte(": (state = ")
	mixedRule    = []byte("-----------------")
)

// forcedLine reads the first line of a thread in the output of jstack -F and -m, which has no name: Thread 4711: (state
// = BLOCKED), or the number between hyphens. It returns false for any other line.
func (t *textReader) forcedLine(content []byte, read line) bool {
	if bytes.Equal(content, forcedHead) {
		t.beginForced(read.place)
		return true
	}
	number, isThread := bytes.CutPrefix(content, forcedThread)
	digits := countDigits(number)
	state, hasState := bytes.CutPrefix(number[digits:], forcedState)
	if isMixed := bytes.HasPrefix(content, mixedRule) && t.dump != nil && t.dump.form == forced; isMixed {
		number = bytes.Trim(content, "- ")
		digits = countDigits(number)
		isThread, hasState = digits == len(number), true
	}
	if !isThread || !hasState || digits == 0 {
		return false
	}
	if t.dump == nil || t.dump.form != forced {
		t.beginForced(read.place)
	}
	t.beginThread(read.place)
	t.thread.id, t.thread.nid = string(number[:digits]), string(number[:digits])
	t.thread.blockedInVM = bytes.HasPrefix(state, []byte("BLOCKED"))
	return true
}

// beginForced begins a dump of jstack -F or -m.
func (t *textReader) beginForced(place trace.Place) {
	t.endDump(false)
	t.prefix = t.prefix[:0]
	t.dump = &dump{form: forced, place: place}
	t.section, t.thread = inThreads, nil
}

// isBlocked reports whether a thread that the JVM calls blocked wants a monitor, rather than waits: its innermost call
// is one of the program.
func (t *thread) isBlocked(class string) bool {
	return t.blockedInVM && t.depth > 0 && t.innermost[0] == noWaitCall && !enrich.IsLibrary(class)
}

// mixedFrame reads a Java call in the output of jstack -m: 0x00007f0a    * app.Main.run() bci:7 line:12 (Interpreted
// frame).
func mixedFrame(content []byte) (f frame, ok bool) {
	_, call, ok := bytes.Cut(content, []byte("* "))
	if !ok || !bytes.HasPrefix(content, []byte("0x")) {
		return f, false
	}
	call = []byte(strings.NewReplacer(" bci:", " @bci=", " line:", ", line=").Replace(string(call)))
	return parseOldFrame(call)
}

// bareAddress returns an address without 0x and leading zeros.
func bareAddress(name string) string {
	return normalAddress(bytes.TrimPrefix([]byte(name), []byte("0x")))
}

// addDeadlocked adds what only the JVM's list of deadlocks says: threads that are not in the dump, and what a thread
// waits for if the dump does not say it.
func (t *textReader) addDeadlocked() {
	d := t.dump
	if len(d.edges) == 0 {
		return
	}
	names, unique := make(map[string]bool, len(d.threads)), d.uniqueNames()
	for _, of := range d.threads {
		names[of.name] = true
	}
	for i := range d.edges {
		e := &d.edges[i]
		waits := unique[e.waiter]
		if waits != nil && bareAddress(waits.wanted.name) == bareAddress(e.object) {
			e.object = waits.wanted.name // up to JDK 1.4, the list and the thread write it differently
		}
		if !names[e.waiter] {
			names[e.waiter] = true
			waits = newThread(e.place)
			waits.id, waits.name, waits.isJava, waits.javaState = e.waiter, e.waiter, true, javaBlocked
			t.add(d, waits)
		}
		if waits != nil && waits.want == nothing && waits.javaState != javaRunnable && waits.javaState != javaUnknown {
			waits.want, waits.wanted = toLock, object{e.object, d.edgeClasses[e.object]}
		}
	}
}
