package threaddump

import (
	"bytes"
	"encoding/binary"
	"time"

	"github.com/trcx/trcx/trace"
)

// The marks of JRockit's dumps, of releases 7.0 to 28.
var (
	jrockitHead         = []byte("===== FULL THREAD DUMP ====")
	jrockitLast         = []byte("===== END OF THREAD DUMP")
	jrockitThreadNumber = []byte("Thread-0x")
	jrockitChains       = [][]byte{[]byte("Blocked lock chains"), []byte("Open lock chains"),
		[]byte("Circular (deadlocked)")}
)

// beginJRockit begins a dump of JRockit.
func (t *textReader) beginJRockit(read line, content []byte, begin int) {
	t.endDump(false)
	t.prefix = append(t.prefix[:0], read.text[:len(read.text)-len(content)+begin]...)
	t.dump = &dump{form: jrockit, place: read.place, dumpContents: dumpContents{hasStates: true}}
	t.section, t.thread = inThreads, nil
}

// jrockitLine reads a line of a dump of JRockit.
func (t *textReader) jrockitLine(content []byte, read line) {
	switch {
	case bytes.HasPrefix(content, jrockitLast):
		t.section, t.dump.complete = inThreads, true
		t.endDump(false)
	case string(content) == "}":
		t.endThread()
	case beginsWith(content, jrockitChains):
		t.endThread()
		t.section = inDeadlockStacks // they follow from the threads
	case t.section == inDeadlockStacks:
	case content[0] == '"', bytes.HasPrefix(content, jrockitThreadNumber):
		t.jrockitThread(content, read.place)
	case t.thread != nil:
		t.jrockitPart(content, read)
	case !t.dump.hasThread && !t.dump.dated && bytes.IndexByte(content, ':') > 0:
		if t.dump.at, t.dump.dated = timeOf(time.Parse("Mon Jan 02 15:04:05 2006", string(content))); !t.dump.dated {
			t.dump.at, t.dump.dated = timeOf(time.Parse("Mon Jan 02 15:04:05 MST 2006", string(content)))
		}
	case !t.dump.hasThread && bytes.Contains(content, []byte("JRockit")):
		t.dump.vm = string(content)
	}
}

// jrockitThread reads the line of a thread: "name" id=1 idx=0x2 tid=5772 prio=5 alive, in native, sleeping, daemon.
// Older releases write "name"  id: 0x00000080  prio: 5  WAITING, DAEMON, or Thread-0x80 "name" <Waiting, priority=5,
// DAEMON> {.
func (t *textReader) jrockitThread(content []byte, place trace.Place) {
	first, last := bytes.IndexByte(content, '"'), bytes.LastIndexByte(content, '"')
	rest := trim(content[last+1:])
	number, isNumbered := bytes.CutPrefix(content[:max(first, 0)], jrockitThreadNumber[:len("Thread-")])
	if last <= first || !isNumbered && !bytes.HasPrefix(rest, []byte("id")) && !bytes.HasPrefix(rest, []byte("prio")) {
		return // a line of the program
	}
	t.beginThread(place)
	t.thread.id, t.thread.numbered = string(trim(number)), isNumbered
	t.thread.name, t.thread.javaState = string(content[first+1:last]), javaRunnable
	fields := bytes.Fields(bytes.Trim(rest, "<>{ "))
	for i := 0; i < len(fields); i++ {
		key, value, assigned := bytes.Cut(fields[i], []byte{'='})
		if named, ok := bytes.CutSuffix(key, []byte{':'}); ok && i+1 < len(fields) {
			i++
			key, value, assigned = named, fields[i], true
		}
		word := string(bytes.ToLower(bytes.TrimRight(key, ",>")))
		switch {
		case assigned && word == "id":
			t.thread.id = string(value)
		case assigned && word == "tid":
			t.thread.nid = string(value)
		case assigned && (word == "prio" || word == "priority"):
			t.thread.prio = string(bytes.TrimSuffix(value, []byte{','}))
		case assigned:
		case word == "daemon":
			t.thread.daemon = true
		case word == "blocked":
			t.thread.javaState = javaBlocked
		case word == "native": // in native code, where it can wait for something else
			t.thread.javaState = javaUnknown
		case word == "waiting", word == "native_waiting":
			t.thread.javaState, t.thread.waitCall = javaSomeWaiting, byWaiting
		case word == "parked":
			t.thread.javaState, t.thread.waitCall = javaSomeWaiting, byParking
		case word == "sleeping":
			t.thread.javaState, t.thread.waitCall = javaSomeWaiting, bySleeping
		}
	}
}

// jrockitLocks are the words for a thread's relation to an object.
var jrockitLocks = []struct {
	words    string
	relation relation
}{
	{"^-- Holding lock: ", nothing},
	{"-- Blocked trying to get lock: ", toLock},
	{"-- Waiting for notification on: ", toBeNotified},
	{"-- Parking to wait for: ", toBeUnparked},
}

// jrockitPart reads a line of the current thread.
func (t *textReader) jrockitPart(content []byte, read line) {
	if content[0] != '-' && content[0] != '^' && content[len(content)-1] != ':' &&
		(bytes.HasPrefix(content, frameBegin) || bytes.IndexByte(content, '(') > 0) {
		f, ok := parseOtherFrame(bytes.TrimPrefix(content, frameBegin))
		if !ok {
			if bytes.HasPrefix(content, frameBegin) {
				t.badLine(read, "invalid call: want at class.method(file:line)", content)
			}
			return
		}
		// older releases call a thread active that wants a monitor or waits in native code
		switch state := &t.thread.javaState; {
		case string(f.method) == "monitorEnter" && (*state == javaRunnable || *state == javaUnknown):
			*state = javaBlocked
		case t.thread.depth == 0 && *state == javaRunnable && bytes.Contains(content, nativeMethod):
			*state = javaUnknown
		}
		switch {
		case bytes.HasSuffix(content, unknownLine):
			t.thread.misplaced = t.thread.numbered
		case f.line != trace.NoLine:
			t.thread.misplaced = false
		}
		t.thread.isJava = true
		t.call(t.thread, &f)
		if waitCallOf(&f) == bySleeping { // by waiting for an object of its own
			t.thread.waitCall, t.thread.want, t.thread.wanted = bySleeping, nothing, object{}
		}
		return
	}
	for _, r := range jrockitLocks {
		rest, ok := bytes.CutPrefix(content, []byte(r.words))
		if !ok {
			continue
		}
		t.dump.hasLocks = true
		o, ok := t.parseAddress(rest)
		switch {
		case !ok:
			t.badLine(read, "invalid object: want class@0x…", content)
		case r.relation == nothing:
			t.thread.owned = appendOwned(t.thread.owned, o)
		case t.thread.waitCall == bySleeping: // it sleeps by waiting for an object of its own
		case r.relation == toBeNotified: // this replaces what it was blocked on before
			t.thread.want, t.thread.wanted = r.relation, o
		default:
			t.want(r.relation, o)
		}
		return
	}
}

// unknownLine ends a call whose line JRockit does not know.
var unknownLine = []byte(":???)")

// placedLines returns a stack of JRockit with its lines where they belong: an early release 8.1 prints each call with
// the line of its caller, and so the outermost one with ???.
func placedLines(stack []byte) (placed []byte) {
	for line := uint64(0); len(stack) > 0; {
		number, n := binary.Uvarint(stack)
		of, m := binary.Uvarint(stack[n:])
		stack = stack[n+m:]
		placed = binary.AppendUvarint(binary.AppendUvarint(placed, number), line)
		line = of
	}
	return placed
}

// parseAddress reads an object as JRockit and IBM write it: java/lang/Object@0x0095B708[fat lock], or with two
// addresses java.lang.Object@9B3D78/9B3D80: the second one is ignored.
func (r *reader) parseAddress(text []byte) (o object, ok bool) {
	at := bytes.IndexByte(text, '@')
	if at <= 0 {
		return o, false
	}
	name := text[at+1:]
	digits := 0
	if bytes.HasPrefix(name, []byte("0x")) {
		digits = 2
	}
	for digits < len(name) && isHex(name[digits:digits+1]) {
		digits++
	}
	class := bytes.ReplaceAll(trim(text[:at]), []byte{'/'}, []byte{'.'})
	return object{name: r.intern(name[:digits]), class: r.intern(class)}, digits > 0
}

// parseOtherFrame reads a frame as JRockit and IBM write it: java/lang/Object.wait(J)V(Object.java:12)[optimized],
// maybe with an address (@40C493FC), with (Compiled Code) at the end, or without the parameters' types.
func parseOtherFrame(text []byte) (f frame, ok bool) {
	open := bytes.IndexByte(text, '(')
	if open <= 0 {
		return f, false
	}
	where := text[open:]
	for _, end := range []string{"(Compiled Code)", "(Bytecode PC:"} {
		if at := bytes.Index(where, []byte(end)); at > 0 {
			where = append(where[:at:at], ')')
		}
	}
	where = where[:bytes.LastIndexByte(where, ')')+1]
	if at := bytes.LastIndexByte(where, '('); at >= 0 {
		where = where[at:]
	}
	return parseHotSpotFrame(append(bytes.ReplaceAll(text[:open], []byte{'/'}, []byte{'.'}), where...))
}
