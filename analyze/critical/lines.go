package critical

import (
	"math"

	"github.com/trcx/trcx/internal/spill"
	"github.com/trcx/trcx/trace"
)

// Each monitor on which threads are blocked has one line of holds in time, which shows who held it. A WaitingForLock
// covers a stretch of a line. A wait for the initialisation of a class has a line of its own: the thread that
// initialises the class holds it all the time.

// hold is the time in which a thread is known to hold a monitor, from at to the begin of the next hold of the line.
type hold struct {
	at    trace.Time
	owner trace.ThreadKey // 0 if no thread is known to hold it
	next  uint32          // the number of the next hold; 0 for none
}

// line is the line of a monitor while threads are blocked on it.
type line struct {
	monitor trace.MonitorKey // 0 for a class
	last    uint32           // number of its latest hold
	blocked int              // number of threads, and of lines that this one continues
	into    uint32           // the line that continues this one; 0 for none
	// stayed is the latest time up to which the owner has stayed the same. It becomes a hold only if times go back.
	stayed trace.Time
	// place is where the owner is, 0 if unknown. guess reports that it was seen there before it had the monitor.
	place uint32
	guess bool
}

// stay is where the owner of a hold is from a time on.
type stay struct {
	at    trace.Time
	hold  uint32 // its number
	place uint32 // 0 if unknown
	guess bool
}

// lines are the lines and holds of all monitors.
type lines struct {
	holds     spill.List[hold] // their numbers begin at 1
	stays     spill.List[stay]
	list      []line   // their numbers begin at 1
	free      []uint32 // numbers of lines that can be reused
	byMonitor []uint32 // the number of the monitor's line; 0 for none
}

// of returns the number of the monitor's line, or 0.
func (l *lines) of(monitor trace.MonitorKey) uint32 {
	if int(monitor) >= len(l.byMonitor) {
		return 0
	}
	return l.byMonitor[monitor]
}

// enter adds the thread of the WaitingForLock event to the blocked ones. It returns the numbers of the line and of the
// hold with which the interval begins.
func (l *lines) enter(e *trace.ModelEvent) (number uint32, first segment) {
	if number = l.of(e.Monitor); number == 0 {
		number = l.add(line{monitor: e.Monitor, stayed: math.MinInt64})
		for int(e.Monitor) >= len(l.byMonitor) {
			l.byMonitor = append(l.byMonitor, 0)
		}
		l.byMonitor[e.Monitor] = number
		l.hold(&l.list[number-1], e.Time, e.HeldBy)
	}
	line := &l.list[number-1]
	l.stay(line, e.Time)
	line.blocked++
	return number, segment(line.last)
}

// enterClass does the same for a thread that waits for the initialisation of a class.
func (l *lines) enterClass(e *trace.ModelEvent) (number uint32, first segment) {
	number = l.add(line{blocked: 1})
	line := &l.list[number-1]
	l.hold(line, e.Time, e.Other.Key)
	return number, segment(line.last)
}

func (l *lines) add(new line) (number uint32) {
	if last := len(l.free) - 1; last >= 0 {
		number, l.free = l.free[last], l.free[:last]
		l.list[number-1] = new
		return number
	}
	l.list = append(l.list, new)
	return uint32(len(l.list))
}

// hold adds a hold to the line.
func (l *lines) hold(line *line, at trace.Time, owner trace.ThreadKey) {
	l.holds.Put(hold{at: at, owner: owner})
	number := uint32(l.holds.Len())
	if line.last != 0 {
		l.change(line.last).next = number
	}
	line.last, line.stayed, line.place, line.guess = number, math.MinInt64, 0, false
}

// holdOn adds a hold of the same owner at the same place.
func (l *lines) holdOn(line *line, at trace.Time) {
	place, guess := line.place, line.guess
	l.hold(line, at, l.at(line.last).owner)
	l.put(line, at, place, guess)
}

// stay adds a hold of the same owner if that has stayed after the time.
func (l *lines) stay(line *line, at trace.Time) {
	if at < line.stayed {
		l.holdOn(line, line.stayed)
	}
}

// put keeps the place of the owner of the latest hold.
func (l *lines) put(line *line, at trace.Time, place uint32, guess bool) {
	if line.place != place || line.guess != guess {
		line.place, line.guess = place, guess
		l.stays.Put(stay{at, line.last, place, guess})
	}
}

func (l *lines) at(number uint32) *hold { return l.holds.At(int(number - 1)) }

func (l *lines) change(number uint32) *hold { return l.holds.Change(int(number - 1)) }

// changeOwner handles a change of the owner, or of its place.
func (l *lines) changeOwner(r *trace.MonitorOwner, place uint32) {
	number := l.of(r.Monitor)
	if number == 0 {
		return
	}
	to := &l.list[number-1]
	switch {
	case r.Absorbed != 0:
		l.absorb(r, number)
		return
	case r.Stays:
	case l.at(to.last).owner == r.Owner:
		to.stayed = max(to.stayed, r.Time)
	default:
		l.stay(to, r.Time)
		l.hold(to, r.Time, r.Owner)
	}
	l.put(to, r.Time, place, r.Probable)
}

// absorb makes the numbered line continue the line of another monitor, if there is one.
func (l *lines) absorb(r *trace.MonitorOwner, number uint32) {
	absorbed := l.of(r.Absorbed)
	if absorbed == 0 {
		return
	}
	// one hold for both, which cuts nothing
	from, to := &l.list[absorbed-1], &l.list[number-1]
	l.stay(from, math.MinInt64)
	l.stay(to, math.MinInt64)
	l.holdOn(to, math.MinInt64)
	l.change(from.last).next = to.last
	from.into = number
	to.blocked++
	l.byMonitor[r.Absorbed] = 0
}

// leave ends the interval of a blocked thread. It returns the number of the hold with which the interval ends.
func (l *lines) leave(number uint32) (last uint32) {
	at := number
	for l.list[at-1].into != 0 {
		at = l.list[at-1].into
	}
	last = l.list[at-1].last
	for number != 0 {
		line := &l.list[number-1]
		if line.blocked--; line.blocked > 0 {
			break
		}
		if line.into == 0 && line.monitor != 0 {
			l.byMonitor[line.monitor] = 0
		}
		l.free = append(l.free, number)
		number = line.into
	}
	return last
}

// Hold is a time in which a thread, or none, is known to hold a monitor.
type Hold struct {
	Owner    trace.ThreadKey // 0 if no thread is known to hold it
	From, To trace.Time
}

// Holds appends the holds in the segment to all. The segment is ForHolder and lasts up to the time. If the monitor is
// unknown, it has no holds. Successive holds have different owners.
func (r *Recorder) Holds(all []Hold, s trace.SegmentID, end trace.Time) []Hold {
	rec := r.of(segment(s))
	at, first := rec.begin, len(all)
	for number, last := uint32(rec.cause), uint32(rec.latency); number != 0; {
		h := *r.lines.at(number)
		next := end
		if h.next != 0 && number != last {
			next = min(r.lines.at(h.next).at, end)
		}
		if next > at {
			if before := len(all) - 1; before >= first && all[before].Owner == h.owner {
				all[before].To = next
			} else {
				all = append(all, Hold{h.owner, at, next})
			}
			at = next
		}
		if number == last {
			break
		}
		number = h.next
	}
	return all
}

// Owned is a hold of a line, from At to the begin of the next one.
type Owned struct {
	Owner trace.ThreadKey // 0 if no thread is known to hold the monitor
	At    trace.Time
	Next  uint32 // number of the next hold, 0 for none; lines may join there
}

// Lines returns the number of holds of all monitors; they are in the order of the trace.
func (r *Recorder) Lines() uint32 { return uint32(r.lines.holds.Len()) }

// Owned returns the numbered hold, from 1 on.
func (r *Recorder) Owned(number uint32) Owned {
	h := r.lines.at(number)
	return Owned{h.owner, h.at, h.next}
}

// Stay is where the owner of a hold is from a time on.
type Stay struct {
	Spot
	Hold uint32 // its number
}

// Stays iterates over the places of all owners, as far as the trace shows them; the places of a hold are in order.
func (r *Recorder) Stays(yield func(Stay) bool) {
	for i := range r.lines.stays.Len() {
		if s := r.lines.stays.At(i); !yield(Stay{Spot{s.at, s.place, s.guess}, s.hold}) {
			return
		}
	}
}

// Covered returns the numbers of the first and the last hold that the segment covers, which is ForHolder. They are 0 if
// the monitor is unknown or the wait is open.
func (r *Recorder) Covered(s trace.SegmentID) (first, last uint32) {
	rec := r.of(segment(s))
	return uint32(rec.cause), uint32(rec.latency)
}

// OddEnds iterates over the segments that end a WaitingForLock at the time at which it began, or whose thread does not
// run.
func (r *Recorder) OddEnds(yield func(trace.SegmentID) bool) {
	for i := range r.oddEnds.Len() {
		if !yield(trace.SegmentID(*r.oddEnds.At(i))) {
			return
		}
	}
}

// SameObject reports whether threads wait for the same object in both segments, in any way.
func (r *Recorder) SameObject(s, other trace.SegmentID) bool {
	a, b := r.of(segment(s)).object, r.of(segment(other)).object
	if a == 0 || b == 0 {
		return false
	}
	x, y := r.objects.At(int(a-1)), r.objects.At(int(b-1))
	return x.id == y.id && x.session == y.session && x.id.IsObject()
}
