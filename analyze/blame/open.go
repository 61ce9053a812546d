package blame

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// OpenBlocked returns the sum of the open waits of the program's threads for locks, in nanoseconds.
func (b *Blame) OpenBlocked() (total int64) {
	for _, group := range b.openGroups(isLock).list {
		total = histogram.Sum(total, group.total)
	}
	return total
}

// OpenWait returns the wait of the thread that the trace leaves open, and the thread that has what it waits for: the
// holder of a lock, a joined thread, or a thread that initialises a class. Their keys are 0 if they are unknown.
func (b *Blame) OpenWait(thread trace.ThreadKey) (wait Wait, by trace.ThreadKey) {
	i, found := slices.BinarySearchFunc(b.open, thread, func(s uint32, key trace.ThreadKey) int {
		return cmp.Compare(b.recorder.Segment(trace.SegmentID(s)).Thread, key)
	})
	if !found {
		return Wait{}, 0
	}
	return b.openWait(i), b.recorder.Blocker(trace.SegmentID(b.open[i]))
}

// Last returns what the thread did when the trace ended, as a wait without end; the zero Wait if the trace does not
// show it. lives is false if the thread had ended.
func (b *Blame) Last(thread trace.ThreadKey) (w Wait, lives bool) {
	_, last := b.recorder.Thread(thread)
	if last == 0 {
		return Wait{}, true
	}
	kept := b.recorder.Segment(last)
	return b.waitOf(last, kept, b.recorder.OpenEnd(last)), kept.Type != trace.Dead
}

// WaitsForTask reports whether the thread waits for its next task when the trace ends, as idle workers of pools do.
func (b *Blame) WaitsForTask(thread trace.ThreadKey) bool {
	_, last := b.recorder.Thread(thread)
	return last != 0 && b.recorder.Idle(last) == idle.Work
}

// maxBack limits the segments of a thread that are searched.
const maxBack = 1 << 8

// During returns what the thread did at the time, as a wait; the zero Wait if it had not begun or had ended, or if the
// trace does not show that among the thread's last segments.
func (b *Blame) During(thread trace.ThreadKey, at trace.Time) Wait {
	_, s := b.recorder.Thread(thread)
	if s == 0 {
		return Wait{}
	}
	end := b.recorder.OpenEnd(s)
	for range maxBack {
		kept := b.recorder.Segment(s)
		switch {
		case kept.Begin <= at && kept.Type == trace.Dead:
			return Wait{}
		case kept.Begin <= at:
			return b.waitOf(s, kept, end)
		case kept.Previous == 0:
			return Wait{}
		}
		s, end = kept.Previous, kept.Begin
	}
	return Wait{}
}

// OfJVM reports whether the thread is one of the JVM's own.
func (b *Blame) OfJVM(thread trace.ThreadKey) bool { return b.jvm[thread-1] }

// OpenThreads returns the threads of the program whose waits the trace leaves open.
func (b *Blame) OpenThreads() (keys []trace.ThreadKey) {
	for i := range b.open {
		if !b.ofJVM(i) {
			keys = append(keys, b.openIn(i).Thread)
		}
	}
	return keys
}

func isLock(typ trace.ModelType) bool { return typ == trace.WaitingForLock }

// openGroups returns the open waits of the program's threads of the selected types, by state and object. Waits for
// unknown objects are separate, except waits for locks.
func (b *Blame) openGroups(selects func(trace.ModelType) bool) *groups {
	type key struct {
		groupKey
		thread trace.ThreadKey
	}
	var selected []uint32
	for i := range b.open {
		if selects(b.openIn(i).Type) && !b.ofJVM(i) {
			selected = append(selected, uint32(i))
		}
	}
	return groupsOf(selected, b.openLength, func(i uint32) key {
		s, kept := trace.SegmentID(b.open[i]), b.openIn(int(i))
		of := key{groupKey: groupKey{b.recorder.State(s), b.objects(s)}}
		if of.of == 0 && !isLock(kept.Type) {
			of.thread = kept.Thread
		}
		return of
	})
}

// openLength returns the length of the indexed open wait in nanoseconds.
func (b *Blame) openLength(i uint32) int64 {
	s := trace.SegmentID(b.open[i])
	return int64(min(b.recorder.OpenEnd(s), b.until) - max(b.recorder.Begin(s), b.since))
}

// openIn returns the segment of the indexed open wait.
func (b *Blame) openIn(i int) critical.Kept { return b.recorder.Segment(trace.SegmentID(b.open[i])) }

// ofJVM reports whether the indexed open wait is one of the JVM's threads.
func (b *Blame) ofJVM(i int) bool { return b.jvm[b.openIn(i).Thread-1] }

// openText is a sentence on the threads that still waited when the trace ended; "" for none.
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
	return text + "."
}
