package blame

import (
	"cmp"
	"fmt"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// blocked are the open waits of the program's threads for one lock.
type blocked struct {
	object  critical.Object
	count   int
	total   int64 // nanoseconds
	longest int   // the index of the wait
	length  int64 // its own
}

// OpenBlocked returns the sum of the open waits of the program's threads for locks, in nanoseconds.
func (b *Blame) OpenBlocked() (total int64) {
	for _, group := range b.openLocks() {
		total += group.total
	}
	return total
}

// openLocks returns the open waits of the program's threads for locks, by the lock.
func (b *Blame) openLocks() map[critical.Object]*blocked {
	locks := map[critical.Object]*blocked{}
	for i := range b.open {
		if b.openIn(i).Type != trace.WaitingForLock || b.ofJVM(i) {
			continue
		}
		w := b.openWait(i)
		group := locks[w.Object]
		if group == nil {
			group = &blocked{object: w.Object, longest: i, length: w.Length()}
			locks[w.Object] = group
		}
		group.count++
		group.total += w.Length()
		if w.Length() > group.length {
			group.longest, group.length = i, w.Length()
		}
	}
	return locks
}

// openIn returns the segment of the open wait of the index.
func (b *Blame) openIn(i int) critical.Kept { return b.recorder.Segment(trace.SegmentID(b.open[i])) }

// ofJVM reports whether a thread of the JVM is in the open wait of the index.
func (b *Blame) ofJVM(i int) bool { return b.jvm[b.openIn(i).Thread-1] }

// openText is a sentence on the threads that still waited when the trace ended, and one on the lock for which they had
// waited longest; "" if none did.
func (b *Blame) openText() string {
	jvm := 0
	for i := range b.open {
		if b.ofJVM(i) {
			jvm++
		}
	}
	program := len(b.open) - jvm
	text := phrase.Count(program, "thread")
	switch {
	case len(b.open) == 0 && b.idle.open == 0:
		return ""
	case len(b.open) == 0:
		return phrase.Count(b.idle.open, "idle thread") + " still waited when the trace ended."
	case program == 0:
		text = phrase.Count(jvm, "thread") + " of the JVM"
	case jvm > 0:
		text += fmt.Sprintf(" of the program and %d of the JVM", jvm)
	}
	text += " still waited when the trace ended"
	if b.idle.open > 0 {
		text += fmt.Sprintf(", and %d more that are idle", b.idle.open)
	}
	return text + "." + b.worstLock(program)
}

// worstLock is a sentence on the lock with the longest open waits, by their sum and number, or "".
func (b *Blame) worstLock(program int) string {
	var worst *blocked
	for _, group := range b.openLocks() {
		if worst == nil || cmp.Or(cmp.Compare(group.total, worst.total), cmp.Compare(group.count, worst.count),
			cmp.Compare(b.openIn(worst.longest).Thread, b.openIn(group.longest).Thread)) > 0 {
			worst = group
		}
	}
	if worst == nil {
		return ""
	}
	longest := b.openWait(worst.longest)
	which, length := "such as", "" // in a trace of one moment, and in one of several recordings
	if longest.Length() > 0 {
		which, length = "longest", " for "+phrase.Duration(longest.Length())
	}
	text := fmt.Sprintf(" %s was BLOCKED on %s%s", longest.Thread.Title(), worst.object.Title(), length)
	if worst.count > 1 {
		who := fmt.Sprintf("%d of them", worst.count)
		switch {
		case worst.count == len(b.open):
			who = "All"
		case worst.count == program:
			who = "Those of the program"
		}
		text = fmt.Sprintf(" %s were BLOCKED on %s, %s %s%s", who, worst.object.Title(), which, longest.Thread.Title(),
			length)
	}
	if longest.Other.Key != 0 {
		text += "; " + critical.OwnerThen(longest.Other, longest.inferred)
	}
	return text + "."
}
