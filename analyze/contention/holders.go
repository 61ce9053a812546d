package contention

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// holders finds the threads that held monitors while others were blocked on them. A WaitingForLock interval is cut at
// each change of the monitor's owner; each part counts for the owner at that time, beginning with the event's HeldBy.
// If times go back, they cut at the begin of the previous part, and never beyond the interval. Each part is cut once
// more at changes of the owner's place.
//
// A monitor has a history of changes while threads are blocked on it. Intervals that have ended are counted together,
// in one pass over the history. So a change costs the same for any number of blocked threads.
type holders struct {
	monitors []heldMonitor // by the trace.MonitorKey
	ended    blocked       // the thread whose interval ended last
	maxParts int           // of a history, before it is compacted
	sweep    sweep
	owners   *tallies[ownerKey]      // the times in which owners blocked others
	places   *tallies[ownerPlaceKey] // and those at each of their places; only totals
}

// maxParts is the default of holders.maxParts.
const maxParts = 1 << 12

// heldMonitor is a monitor on which threads are blocked.
type heldMonitor struct {
	owner     trace.ThreadKey // the current owner; 0 if unknown
	at        spot            // where it is
	histories []*history      // those without a thread are reused
}

// history has the owners of a monitor while threads are blocked on it. If times go back, a monitor has several: a
// thread needs one without changes later than the time from which it is blocked.
type history struct {
	monitor  trace.MonitorKey
	parts    []hold
	at       trace.Time // the latest time of a change: the parts end here
	ownerAt  trace.Time // the latest time of a change of the owner; later cuts are only by places
	blocked  []*blocked
	ended    []ended         // intervals of other threads, not counted yet
	latest   trace.Time      // the latest end of these
	row      trace.ObjectKey // for which these count
	maxParts int
}

// hold is the time between two changes of the owner, or of its place.
type hold struct {
	owner   trace.ThreadKey // 0 if unknown
	length  int64           // nanoseconds, above 0
	at      spot            // where the owner was
	longest int64           // for a part made by compact: longest time without another owner
}

// blocked is a thread that is blocked, from an event on.
type blocked struct {
	event    trace.EventID
	since    trace.Time
	history  *history // nil if the thread is not blocked
	position int      // in history.blocked
}

// ended is an interval that has ended, or a part of it to be counted.
type ended struct{ begin, end trace.Time }

// holding is the time in which an owner of a monitor blocked others. Count is the number of their intervals, Max the
// longest time without another owner.
type holding struct {
	owner trace.ThreadKey // 0 if unknown
	Tally
	until trace.Time // the end of its latest part
}

// observe handles a record of the whole trace, for the holders of monitors and the idle pools.
func (c *Collector) observe(r trace.Record) {
	if !c.shares {
		c.idle.Observe(r)
	}
	switch r := r.(type) {
	case *trace.ModelEvent:
		if r.Monitor != 0 {
			c.holders.begin(r, &c.threads.At(r.Thread.Key).row.change().blocked)
		}
	case *trace.Interval:
		if r.Monitor != 0 {
			c.holders.end(&c.threads.At(r.Thread.Key).row.change().blocked)
		}
	case *trace.MonitorOwner:
		at := spot{}
		if r.Stack != nil {
			at = spot{c.ownMethods.positionOf(r.Stack.Place()), r.Probable}
		}
		c.holders.change(r, at)
	}
}

// begin handles a WaitingForLock event.
func (h *holders) begin(e *trace.ModelEvent, b *blocked) {
	for int(e.Monitor) >= len(h.monitors) {
		h.monitors = append(h.monitors, heldMonitor{})
	}
	m := &h.monitors[e.Monitor]
	var past, free *history
	isFirst := true
	for _, other := range m.histories {
		if len(other.blocked) == 0 {
			free = other
			continue
		}
		if isFirst = false; other.at <= e.Time {
			past = other
		}
	}
	if isFirst {
		m.owner, m.at = e.HeldBy, spot{}
	}
	if past == nil {
		if past = free; past == nil {
			past = &history{}
			m.histories = append(m.histories, past)
		}
		*past = history{monitor: e.Monitor, at: e.Time, ownerAt: e.Time, maxParts: h.maxParts, parts: past.parts[:0],
			blocked: past.blocked, ended: past.ended}
	}
	*b = blocked{e.ID, e.Time, past, len(past.blocked)}
	past.blocked = append(past.blocked, b)
}

// change handles a change of the owner, or of its place.
func (h *holders) change(r *trace.MonitorOwner, at spot) {
	if r.Monitor == 0 || int(max(r.Monitor, r.Absorbed)) >= len(h.monitors) {
		return
	}
	m := &h.monitors[r.Monitor]
	if r.Absorbed != 0 {
		from := &h.monitors[r.Absorbed]
		for _, past := range from.histories {
			h.evaluate(past)
			past.monitor = r.Monitor
		}
		m.histories = append(m.histories, from.histories...)
		*from = heldMonitor{}
		return
	}
	for _, past := range m.histories {
		if r.Stays {
			h.cut(past, max(r.Time, past.at))
		} else {
			h.cut(past, max(r.Time, past.ownerAt))
			past.ownerAt = past.at
		}
	}
	m.owner, m.at = r.Owner, at
}

// cut ends the current owner's part of the history. A change of the owner takes back cuts by its places that are dated
// later.
func (h *holders) cut(past *history, at trace.Time) {
	if at < past.latest {
		h.evaluate(past) // intervals that have ended belong to the current owner up to their ends
	}
	for past.at > at && len(past.parts) > 0 {
		last := &past.parts[len(past.parts)-1]
		back := min(past.at-at, trace.Time(last.length))
		past.at -= back
		if last.length -= int64(back); last.length == 0 {
			past.parts = past.parts[:len(past.parts)-1]
		}
	}
	if past.at >= at {
		past.at = at // the parts before it have been dropped
		return
	}
	m := &h.monitors[past.monitor]
	past.parts = append(past.parts, hold{owner: m.owner, length: int64(at - past.at), at: m.at})
	past.at = at
	if len(past.parts) >= past.maxParts {
		h.compact(past)
	}
}

// end handles the end of a WaitingForLock interval.
func (h *holders) end(b *blocked) {
	past := b.history
	h.ended, b.history = *b, nil
	if past == nil {
		return
	}
	last := len(past.blocked) - 1
	past.blocked[b.position] = past.blocked[last]
	past.blocked[b.position].position = b.position
	past.blocked = past.blocked[:last]
	if last == 0 {
		h.evaluate(past)
	}
}

// count counts the interval that has ended last, or a part of it, in the row of the monitor. If no history has it, it
// counts for the thread that it names.
func (h *holders) count(i *trace.Interval, row trace.ObjectKey) {
	past, length := h.ended.history, i.Length()
	switch {
	case length == 0:
	case past == nil || h.ended.event != i.ID:
		h.owners.add(ownerKey{row, i.Other.Key}, Tally{1, uint64(length), length})
	default:
		if past.row != row {
			h.evaluate(past)
			past.row = row
		}
		past.ended, past.latest = append(past.ended, ended{i.Time, i.End}), max(past.latest, i.End)
		if len(past.blocked) == 0 {
			h.evaluate(past)
		}
	}
}

// finish counts the intervals that have not been counted.
func (h *holders) finish() {
	for i := range h.monitors {
		for _, past := range h.monitors[i].histories {
			h.evaluate(past)
		}
	}
}

// evaluate counts the intervals of the history that have ended.
func (h *holders) evaluate(past *history) {
	if len(past.ended) == 0 {
		return
	}
	slices.SortFunc(past.ended, func(a, b ended) int { return cmp.Compare(a.end, b.end) })
	s := &h.sweep
	s.start(past.ended)
	from := past.start()
	for i := range past.parts {
		p := &past.parts[i]
		s.pass(p, from)
		from += trace.Time(p.length)
	}
	if past.latest > from {
		m := &h.monitors[past.monitor]
		s.pass(&hold{owner: m.owner, length: int64(past.latest - from), at: m.at}, from)
	}
	past.ended, past.latest = past.ended[:0], 0
	for _, o := range s.found.rows {
		h.owners.add(ownerKey{past.row, o.owner}, o.Tally)
	}
	for _, at := range s.places.rows {
		h.places.add(ownerPlaceKey{past.row, at.of}, at.Tally)
	}
}

// start returns the begin of the first part of the history.
func (past *history) start() trace.Time {
	at := past.at
	for i := range past.parts {
		at -= trace.Time(past.parts[i].length)
	}
	return at
}

// sweep passes over the parts of a history.
type sweep struct {
	ended  []ended      // by their ends; passed ones are removed
	begins []trace.Time // of all intervals, ascending
	next   int          // of begins: the first one that has not been passed
	open   []trace.Time // begins of the intervals that are open, ascending
	first  int          // of open: those before it have ended
	owner  trace.ThreadKey
	run    trace.Time // the begin of the time without another owner
	found  ordered[trace.ThreadKey, holding]
	places ordered[ownerSpot, tally[ownerSpot]]
}

// start prepares to count the intervals.
func (s *sweep) start(all []ended) {
	s.found.reset()
	s.places.reset()
	*s = sweep{ended: all, begins: s.begins[:0], open: s.open[:0], found: s.found, places: s.places}
	for i := range all {
		s.begins = append(s.begins, all[i].begin)
	}
	slices.Sort(s.begins)
}

// pass counts the time of the part, which begins at from, in the intervals.
func (s *sweep) pass(p *hold, from trace.Time) {
	to := from + trace.Time(p.length)
	for ; s.next < len(s.begins) && s.begins[s.next] < to; s.next++ {
		s.open = append(s.open, s.begins[s.next])
	}
	if p.owner != s.owner || p.longest > 0 {
		s.owner, s.run = p.owner, from
	}
	if s.first == len(s.open) {
		return
	}
	o := s.found.of(p.owner)
	before := o.Total
	o.owner = p.owner
	s.passOpen(o, p, from)
	if length := o.Total - before; p.at.method != 0 && length > 0 {
		at := s.places.of(ownerSpot{p.owner, p.at})
		at.of, at.Total = ownerSpot{p.owner, p.at}, histogram.Sum(at.Total, length)
	}
}

// passOpen counts the time of the part for its owner, in the intervals that are open when it begins, or begin in it.
func (s *sweep) passOpen(o *holding, p *hold, from trace.Time) {
	to := from + trace.Time(p.length)
	counted, _ := slices.BinarySearch(s.open[s.first:], o.until) // intervals that had a part of this owner before
	o.Count += uint64(len(s.open) - s.first - counted)
	o.until = to
	for ; len(s.ended) > 0 && s.ended[0].end <= to; s.ended = s.ended[1:] {
		e := s.ended[0]
		o.Total = histogram.Sum(o.Total, uint64(e.end-max(from, e.begin)))
		o.Max = max(o.Max, int64(e.end-max(s.run, e.begin)))
		if i, _ := slices.BinarySearch(s.open[s.first:], e.begin); i == 0 {
			s.first++
		} else {
			s.open = slices.Delete(s.open, s.first+i, s.first+i+1)
		}
	}
	open := s.open[s.first:]
	if len(open) == 0 {
		return
	}
	high, part := bits.Mul64(uint64(p.length), uint64(len(open)))
	for i := len(open) - 1; i >= 0 && open[i] > from; i-- {
		part -= uint64(open[i] - from)
	}
	if high != 0 {
		part = math.MaxUint64
	}
	o.Total = histogram.Sum(o.Total, part)
	if p.longest > 0 {
		o.Max = max(o.Max, p.longest)
		s.run = to
	} else {
		o.Max = max(o.Max, int64(to-max(s.run, open[0])))
	}
}

// disorder is how far the times of real traces go back, in nanoseconds.
const disorder = 2_000_000

// compact shortens the history. It drops the parts before the threads' intervals begin. Between two of these begins it
// merges all parts of an owner at a place, except the last 2 ms, as an interval may end within them. Parts that are cut
// only by places stay separate, as cut may take the cuts back.
func (h *holders) compact(past *history) {
	h.evaluate(past)
	var begins []trace.Time // not passed yet
	for _, b := range past.blocked {
		begins = append(begins, b.since)
	}
	slices.Sort(begins)
	var (
		parts   = past.parts
		apart   = past.ownerAt        // where the parts that are cut only by places begin
		sums    = map[ownerSpot]int{} // indexes of the parts since the latest begin
		owner   trace.ThreadKey
		run     int64
		to, end = past.start(), past.at - disorder
	)
	past.parts = parts[:0]
	for _, p := range parts {
		to += trace.Time(p.length)
		if p.owner != owner || p.longest > 0 {
			owner, run = p.owner, 0
		}
		run += cmp.Or(p.longest, p.length)
		if apart < to {
			apart = past.at
			clear(sums)
		}
		if len(begins) > 0 && begins[0] < to {
			for len(begins) > 0 && begins[0] < to {
				begins = begins[1:]
			}
			clear(sums)
			past.parts = append(past.parts, p)
			continue
		}
		if len(past.parts) == 0 {
			continue
		}
		key := ownerSpot{p.owner, p.at}
		sum, ok := sums[key]
		if !ok || to >= end {
			sums[key] = len(past.parts)
			past.parts = append(past.parts, p)
			continue
		}
		s := &past.parts[sum]
		s.longest = max(cmp.Or(s.longest, s.length), run)
		s.length += p.length
	}
	past.maxParts = max(h.maxParts, 2*len(past.parts))
}
