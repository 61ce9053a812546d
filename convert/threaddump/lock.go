package threaddump

import (
	"bytes"
	"fmt"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// relations maps the words of a dump to a thread's relation to an object.
var relations = []struct {
	words    string
	relation relation
}{
	{"- locked <", nothing},
	{"- waiting to lock <", toLock},
	{"- waiting on <", toBeNotified},
	{"- waiting to re-lock in wait() <", toLockAgain},
	{"- waiting to re-lock in wait <", toLockAgain},
	{"- parking to wait for  <", toBeUnparked},
	{"- parking to wait for <", toBeUnparked},
}

var (
	noObject   = []byte("no object reference available>")
	eliminated = [][]byte{[]byte("- eliminated "), []byte("- lock is eliminated"), []byte("- None"), []byte("- None>")}
)

// lockLine takes a line that says what the current thread has or wants, or a call of jstack -F.
func (t *text) lockLine(content []byte, read line) {
	t.foreign = false
	if t.part == inSynchronizers {
		t.synchronizer(content, read)
		return
	}
	for _, r := range relations {
		rest, ok := bytes.CutPrefix(content, []byte(r.words))
		if !ok {
			continue
		}
		o, ok := t.parseObject(rest)
		switch {
		case bytes.HasPrefix(rest, noObject):
			t.want(r.relation, object{})
		case !ok:
			t.badLine(read, "this names no object, which is <0x…> (a class), or <class@hash>", content)
		case r.relation == nothing:
			t.own(o)
		default:
			t.want(r.relation, o)
			if _, number, ok := bytes.Cut(rest, []byte(", owner #")); ok {
				t.thread.lockedBy = string(number[:countDigits(number)])
			}
		}
		return
	}
	if rest, ok := bytes.CutPrefix(content, initOf); ok {
		t.thread.starts = string(rest)
		return
	}
	for _, other := range eliminated {
		if bytes.HasPrefix(content, other) {
			return
		}
	}
	if f, ok := parseOldFrame(trim(content[1:])); ok {
		t.thread.java = true
		t.call(t.thread, &f)
		return
	}
	if bytes.Contains(content, []byte("0x")) { // else it is a line of the program
		t.badLine(read, "this names no object, which is <0x…> (a class), or <class@hash>", content)
	}
}

// want notes what the thread waits for. The innermost frame says it; what comes again below it, such as that it has to
// lock again what it waits on, is the same.
func (t *text) want(r relation, o object) {
	if t.thread.want == nothing {
		t.thread.want, t.thread.wanted = r, o
	}
}

// maxOwned is how many objects of a thread are kept.
const maxOwned = 1024

func (t *text) own(o object) {
	if len(t.thread.owned) < maxOwned {
		t.thread.owned = append(t.thread.owned, o)
	}
}

// synchronizer takes a line of the ownable synchronizers: - <0x…> (a class).
func (t *text) synchronizer(content []byte, read line) {
	rest, ok := bytes.CutPrefix(content, []byte("- <"))
	if !ok {
		if bytes.Contains(content, []byte("0x")) { // else it is "- None", or a line of the program
			t.badLine(read, "this is no ownable synchronizer, which is: - <0x…> (a class), or - None", content)
		}
		return
	}
	o, ok := t.parseObject(rest)
	if !ok {
		t.badLine(read, "this is no ownable synchronizer, which is: - <0x…> (a class), or - None", content)
		return
	}
	owner := t.thread
	if t.carrier != nil {
		owner = t.carrier // they are listed for platform threads only
	}
	if len(owner.synced) < maxOwned {
		owner.synced = append(owner.synced, o)
	}
}

// parseObject reads the text after "<": 0x…> (a class), or class@hash>.
func (r *reader) parseObject(text []byte) (o object, ok bool) {
	end := bytes.IndexByte(text, '>')
	if end <= 0 {
		return o, false
	}
	name, rest := text[:end], text[end+1:]
	if hex, ok := bytes.CutPrefix(name, []byte("0x")); ok {
		if len(hex) > 16 || !isHex(hex) {
			return o, false
		}
		_, class, there := bytes.Cut(rest, []byte("(a "))
		class, closed := bytes.CutSuffix(trim(class), []byte{')'})
		if !there || !closed {
			return o, false
		}
		class, _, _ = bytes.Cut(class, []byte(" for ")) // a java.lang.Class for app.Main
		return object{name: r.once(name), class: r.once(class)}, true
	}
	return r.parseIdentity(name)
}

// parseIdentity reads an object as Java names it: class@hash.
func (r *reader) parseIdentity(text []byte) (o object, ok bool) {
	at := bytes.LastIndexByte(text, '@')
	if at <= 0 || !isHex(text[at+1:]) || len(text)-at > 17 {
		return o, false
	}
	return object{name: r.once(text), class: r.once(text[:at])}, true
}

func isHex(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) && c|0x20-'a' > 5 {
			return false
		}
	}
	return len(text) > 0
}

// deadlockLine takes a line of the deadlocks that the JVM has found: who waits for what that whom has.
func (t *text) deadlockLine(content []byte, read line) {
	switch {
	case t.holder != nil:
		t.longHolder(content)
	case beginsDeadlock(content, read):
		t.part = inDeadlock
		t.dump.loops++
	case bytes.HasPrefix(content, foundAll) && (bytes.HasSuffix(content, []byte("deadlock.")) ||
		bytes.HasSuffix(content, []byte("deadlocks."))):
		t.part, t.thread = inThreads, nil
	case bytes.HasPrefix(content, stackPart):
		t.part = inDeadlockStacks
	case t.part == inDeadlockStacks:
	case content[0] == '"' && content[len(content)-1] == ':' && len(content) > 2:
		t.waiter, t.wanted = string(bytes.TrimSuffix(content[1:len(content)-1], []byte{'"'})), ""
	case bytes.HasPrefix(content, heldBy):
		t.held(trim(content[len(heldBy):]), read.place)
	default:
		if name, ok := wantedName(content); ok {
			t.wanted = name
		}
	}
}

// wantedName reads what a thread of a deadlock waits for: waiting to lock monitor 0x… (object 0x…, a class), or waiting
// for ownable synchronizer 0x…, (a class).
func wantedName(content []byte) (string, bool) {
	for _, words := range []string{"(object ", "ownable synchronizer "} {
		if _, rest, ok := bytes.Cut(content, []byte(words)); ok {
			name, _, ok := bytes.Cut(rest, []byte{','})
			return string(name), ok && bytes.HasPrefix(name, []byte("0x"))
		}
	}
	return "", false
}

// maxEdges is how many lines of deadlocks are kept.
const maxEdges = 1 << 16

func (t *text) held(owner []byte, place trace.Place) {
	if len(owner) > 1 && owner[0] == '"' && owner[len(owner)-1] != '"' { // a line end in the name
		t.holder, t.named, t.lead = append([]byte(nil), owner...), place, 1
		return
	}
	if len(owner) < 2 || owner[0] != '"' || t.waiter == "" || t.wanted == "" || len(t.dump.edges) >= maxEdges {
		return
	}
	t.dump.edges = append(t.dump.edges, edge{waiter: t.waiter, owner: string(bytes.TrimSuffix(owner[1:], []byte{'"'})),
		object: t.wanted, loop: t.dump.loops, place: place})
	t.dump.size += 64 + len(t.waiter) + len(owner) + len(t.wanted)
	t.waiter = ""
}

// longHolder takes a line of the name of an owner that has line ends in it.
func (t *text) longHolder(content []byte) {
	t.holder = append(append(t.holder, '\n'), content...)
	t.lead++
	if complete := len(content) > 0 && content[len(content)-1] == '"'; complete || t.lead > maxNameLines ||
		len(t.holder) > maxLine {
		holder := t.holder
		if t.holder = nil; complete {
			t.held(holder, t.named)
		}
	}
}

func (e edge) String() string {
	return fmt.Sprintf("%q waits for %s, which %q has", sanitize.Clip(e.waiter, maxQuoted), e.object,
		sanitize.Clip(e.owner, maxQuoted))
}
