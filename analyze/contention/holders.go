package contention

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// holders finds the threads that held monitors while others were blocked on them. A WaitingForLock interval is cut at
// each change of the monitor's owner; each part counts for the owner at that time, beginning with the one that the
// event names as HeldBy. Times that go back cut where the part before them begins, and never beyond the interval.
//
// The changes of a monitor are in a log while threads are blocked on it. A change visits only the threads that were
// blocked since the one before: an interval has some parts of its own at its ends, and in between those of the log from
// one position to another. Evaluate counts many intervals in one pass over the log.
type holders struct {
	logs    []ownerLog // by the trace.MonitorKey
	byKey   []int32    // the index of the thread's waiter plus one, or 0; by the trace.ThreadKey
	waiters []waiter
	free    []int32   // indexes of waiters that are not used
	ended   int32     // the index plus one of the waiter whose interval has ended last
	found   []holding // that are not in the table yet
	limits  holderLimits
	evaluation
}

// holding is the time in which an owner of a monitor blocked others. Count is the number of their intervals, Max the
// longest time without a change of the owner.
type holding struct {
	number trace.ObjectKey // of the monitor's row
	owner  trace.ThreadKey // 0 if unknown
	Tally
	last trace.Frame // the call in which the owner was last seen when it blocked another thread longest
}

// addRun adds a time in which the owner has not changed.
func (o *holding) addRun(length int64, last trace.Frame) {
	if length > o.Max {
		o.Max, o.last = length, last
	}
}

// holderLimits are the limits at which the log is evaluated.
type holderLimits struct {
	direct int // intervals of at most so many parts are counted one by one
	parts  int // a log of so many parts is compacted
}

var defaultHolderLimits = holderLimits{direct: 16, parts: 1 << 12}

// hold is a part of an interval: the time between two changes of the monitor's owner.
type hold struct {
	owner  trace.ThreadKey // 0 if unknown
	length int64           // nanoseconds, above 0
	last   trace.Frame     // the call in which the owner was last seen
}

// ownerLog is the log of a monitor.
type ownerLog struct {
	parts    []hold
	owner    trace.ThreadKey // the current one
	last     trace.Frame
	at       trace.Time // the latest time of a change; the parts end here
	active   []int32    // the indexes of the waiters that are blocked on it
	apart    []int32    // those of them whose parts do not end where those of the log do
	finished []finished
	number   trace.ObjectKey // of the monitor's row, for the finished ones
	limit    int             // of parts; at least holderLimits.parts
}

// waiter is a thread that is blocked. Its interval has the parts of before, those of the log from begin up to end, and
// then the part after.
type waiter struct {
	event        trace.EventID
	monitor      trace.MonitorKey
	position     int // in the log's active waiters
	begin, end   int
	since, until trace.Time // the interval; until is set when it has ended
	apart        bool       // as long as its parts do not end where those of the log do, all are in before
	at           trace.Time // where the parts of before end, if it is apart
	before       []hold
	after        hold // of length 0 if there is none
}

// finished is an interval that is to be counted: the parts of the log from begin up to end, and its own.
type finished struct {
	begin, end int
	extra      []hold
}

// observe handles a record of the trace.
func (h *holders) observe(r trace.Record) {
	switch r := r.(type) {
	case *trace.ModelEvent:
		if r.Monitor != 0 {
			h.begin(r)
		}
	case *trace.Interval:
		if r.Monitor != 0 {
			h.end(r)
		}
	case *trace.MonitorOwner:
		h.change(r)
	}
}

// finish counts the intervals that are not counted yet.
func (h *holders) finish() {
	for i := range h.logs {
		h.evaluate(&h.logs[i])
	}
}

// begin handles a WaitingForLock event.
func (h *holders) begin(e *trace.ModelEvent) {
	h.release()
	for int(e.Monitor) >= len(h.logs) {
		h.logs = append(h.logs, ownerLog{})
	}
	l := &h.logs[e.Monitor]
	if len(l.active) == 0 {
		if len(l.finished) > 0 {
			h.evaluate(l)
		}
		l.parts, l.at, l.owner, l.last, l.limit = l.parts[:0], e.Time, e.HeldBy, trace.Frame{}, h.limits.parts
	}
	if e.Other.Key == l.owner && e.OtherCaller.Method != nil {
		l.last = e.OtherCaller
	}
	index := h.newWaiter(e.Thread.Key)
	w := &h.waiters[index]
	*w = waiter{event: e.ID, since: e.Time, at: e.Time, before: w.before[:0]}
	h.join(l, e.Monitor, index)
}

// newWaiter returns the index of a waiter for the thread.
func (h *holders) newWaiter(key trace.ThreadKey) int32 {
	var index int32
	if last := len(h.free) - 1; last >= 0 {
		index, h.free = h.free[last], h.free[:last]
	} else {
		index = int32(len(h.waiters))
		h.waiters = append(h.waiters, waiter{})
	}
	for int(key) >= len(h.byKey) {
		h.byKey = append(h.byKey, make([]int32, int(key)+1-len(h.byKey))...)
	}
	h.byKey[key] = index + 1
	return index
}

// join adds the waiter, whose parts are known up to its time, to the log.
func (h *holders) join(l *ownerLog, monitor trace.MonitorKey, index int32) {
	w := &h.waiters[index]
	w.monitor, w.begin, w.position = monitor, len(l.parts), len(l.active)
	l.active = append(l.active, index)
	if w.apart = w.at != l.at; w.apart {
		l.apart = append(l.apart, index)
	}
}

// change handles a change of the owner.
func (h *holders) change(r *trace.MonitorOwner) {
	if int(max(r.Monitor, r.Absorbed)) >= len(h.logs) {
		return
	}
	h.release()
	l := &h.logs[r.Monitor]
	switch {
	case r.Absorbed != 0:
		h.absorb(l, r)
	case len(l.active) > 0:
		h.cut(l, r.Time)
		l.owner, l.last = r.Owner, r.Caller
		if len(l.parts) >= l.limit {
			h.compact(l)
		}
	}
}

// absorb moves the waiters of a log to another one.
func (h *holders) absorb(l *ownerLog, r *trace.MonitorOwner) {
	from := &h.logs[r.Absorbed]
	h.evaluate(from)
	for _, index := range from.active {
		w := &h.waiters[index]
		if !w.apart {
			w.before, w.at = append(w.before, from.parts[w.begin:]...), from.at
		}
		h.join(l, r.Monitor, index)
	}
	from.active, from.apart = from.active[:0], from.apart[:0]
}

// cut ends the current part of the log, and those of the waiters apart.
func (h *holders) cut(l *ownerLog, at trace.Time) {
	if at > l.at {
		l.parts = append(l.parts, hold{l.owner, int64(at - l.at), l.last})
		l.at = at
	}
	if len(l.apart) == 0 {
		return
	}
	l.apart = slices.DeleteFunc(l.apart, func(index int32) bool {
		w := &h.waiters[index]
		if at > w.at {
			w.before = append(w.before, hold{l.owner, int64(at - w.at), l.last})
			w.at = at
		}
		if w.apart = w.at != l.at; !w.apart {
			w.begin = len(l.parts)
		}
		return !w.apart
	})
}

// end handles the end of a WaitingForLock interval.
func (h *holders) end(i *trace.Interval) {
	h.release()
	if int(i.Thread.Key) >= len(h.byKey) || h.byKey[i.Thread.Key] == 0 {
		return
	}
	index := h.byKey[i.Thread.Key] - 1
	w := &h.waiters[index]
	l := &h.logs[w.monitor]
	h.leave(l, index)
	h.byKey[i.Thread.Key], h.ended = 0, index+1
	w.until, w.end = i.End, len(l.parts)
	at := l.at
	if w.apart {
		w.begin, at = w.end, w.at
	}
	if last := int64(max(i.End, i.Time) - at); last > 0 {
		w.after = hold{l.owner, last, l.last}
	} else {
		w.dropLast(l, -last)
	}
}

// leave removes the waiter from those of the log.
func (h *holders) leave(l *ownerLog, index int32) {
	w := &h.waiters[index]
	last := len(l.active) - 1
	l.active[w.position] = l.active[last]
	h.waiters[l.active[w.position]].position = w.position
	l.active = l.active[:last]
	if w.apart {
		l.apart = slices.DeleteFunc(l.apart, func(other int32) bool { return other == index })
	}
}

// dropLast drops the last parts of the interval, of the given length.
func (w *waiter) dropLast(l *ownerLog, length int64) {
	for ; length > 0 && w.end > w.begin; w.end-- {
		p := l.parts[w.end-1]
		if p.length > length {
			w.after = hold{p.owner, p.length - length, p.last}
		}
		length -= p.length
	}
	for length > 0 && len(w.before) > 0 {
		p := &w.before[len(w.before)-1]
		if p.length > length {
			p.length -= length
			return
		}
		length -= p.length
		w.before = w.before[:len(w.before)-1]
	}
}

// release frees the waiter whose interval has ended last.
func (h *holders) release() {
	if h.ended != 0 {
		h.free = append(h.free, h.ended-1)
		h.ended = 0
	}
}

// count counts the interval, which is the one that has ended last or a part of it, in the monitor's row of the number.
// If the log has nothing of it, it counts for the thread that it names.
func (h *holders) count(i *trace.Interval, number trace.ObjectKey) {
	if h.ended == 0 || h.waiters[h.ended-1].event != i.ID {
		if length := i.Length(); length > 0 {
			h.found = append(h.found, holding{number, i.Other.Key, Tally{1, uint64(length), length}, i.OtherCaller})
		}
		return
	}
	w := &h.waiters[h.ended-1]
	l := &h.logs[w.monitor]
	whole := i.Time == w.since && i.End == w.until
	if whole && len(w.before) == 0 && w.begin == w.end {
		if p := &w.after; p.length > 0 {
			h.found = append(h.found, holding{number, p.owner, Tally{1, uint64(p.length), p.length}, p.last})
		}
		return
	}
	if !whole || w.end-w.begin <= h.limits.direct {
		h.countNow(w, l, i, number)
		return
	}
	if l.number != number {
		h.evaluate(l)
		l.number = number
	}
	extra := w.before
	if w.after.length > 0 {
		extra = append(extra, w.after)
	}
	l.finished, w.before = append(l.finished, finished{w.begin, w.end, extra}), nil
}
