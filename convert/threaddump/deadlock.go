package threaddump

import (
	"bytes"
	"fmt"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// deadlockLine reads a line of the deadlocks that the JVM has found: a waiting thread, the object, or its owner.
func (t *textReader) deadlockLine(content []byte, read line) {
	switch {
	case t.openOwner != nil:
		t.longOwner(content)
	case beginsDeadlock(content, read):
		t.section = inDeadlock
		t.dump.deadlocks++
	case bytes.HasPrefix(content, foundAll) && (bytes.HasSuffix(content, []byte("deadlock.")) ||
		bytes.HasSuffix(content, []byte("deadlocks."))):
		t.section, t.thread = inThreads, nil
	case bytes.HasPrefix(content, stackPart):
		t.section = inDeadlockStacks
	case t.section == inDeadlockStacks:
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

func (t *textReader) held(owner []byte, place trace.Place) {
	if len(owner) > 1 && owner[0] == '"' && owner[len(owner)-1] != '"' { // a line end in the name
		t.openOwner, t.named, t.lead = append([]byte(nil), owner...), place, 1
		return
	}
	if len(owner) < 2 || owner[0] != '"' || t.waiter == "" || t.wanted == "" || len(t.dump.edges) >= maxEdges {
		return
	}
	t.dump.edges = append(t.dump.edges, edge{waiter: t.waiter, owner: string(bytes.TrimSuffix(owner[1:], []byte{'"'})),
		object: t.wanted, deadlock: t.dump.deadlocks, place: place})
	t.dump.size += 64 + len(t.waiter) + len(owner) + len(t.wanted)
	t.waiter = ""
}

// longOwner reads a line of an owner's name that has line ends.
func (t *textReader) longOwner(content []byte) {
	t.openOwner = append(append(t.openOwner, '\n'), content...)
	t.lead++
	if complete := len(content) > 0 && content[len(content)-1] == '"'; complete || t.lead > maxNameLines ||
		len(t.openOwner) > maxLine {
		holder := t.openOwner
		if t.openOwner = nil; complete {
			t.held(holder, t.named)
		}
	}
}

func (e edge) String() string {
	return fmt.Sprintf("%q waits for %s, which %q has", sanitize.Clip(e.waiter, maxQuoted), e.object,
		sanitize.Clip(e.owner, maxQuoted))
}
