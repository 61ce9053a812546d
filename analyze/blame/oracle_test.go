package blame_test

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// The oracle finds the blame of each wait in the oracle's model of a trace, by the letter of the rules: it walks each
// wait by itself. The quoted sentences are from the rules.

type oracle struct {
	doc     *enrichtest.Doc
	events  map[int]*enrichtest.Event
	ownerOf map[int]int // by event: the key of its thread
	states  map[int][]*segment
	pauses  [][2]int64 // begins and ends, in nanoseconds since the trace's start; they do not overlap
}

// segment is from a state event to the thread's next one.
type segment struct {
	thread, place int
	event         *enrichtest.Event
}

func newOracle(doc *enrichtest.Doc) *oracle {
	o := &oracle{doc: doc, events: map[int]*enrichtest.Event{}, ownerOf: map[int]int{}, states: map[int][]*segment{}}
	for _, t := range doc.Threads {
		for _, e := range t.Events {
			o.events[e.ID], o.ownerOf[e.ID] = e, t.Key
			if e.IsState() && e.Type != enrichtest.DeadLock {
				o.states[t.Key] = append(o.states[t.Key], &segment{t.Key, len(o.states[t.Key]), e})
			}
		}
	}
	return o
}

// wait is a finished wait with its parts, by row.
type wait struct {
	running  int // the id of the Running event
	thread   int
	from, to int64
	parts    map[string]int64
	places   map[string]int64 // lengths of parts, by row and place, as far as it is known
}

// waits: "A finished wait is a WaitingForLock, WaitingForObject or WaitingForJoin segment of T, longer than 0, that is
// followed by a Running segment: from w to r."
//
// "A window [since, until) … cuts … the part inside counts". "An interval counts in each window that it reaches into
// with more than 0."
func (o *oracle) waits(since, until int64) (all []wait) {
	for _, states := range o.states {
		for i := 1; i < len(states); i++ {
			before, after := states[i-1].event, states[i].event
			if !slices.Contains([]string{enrichtest.WaitingForLock, enrichtest.WaitingForObject,
				enrichtest.WaitingForJoin}, before.Type) || after.Type != enrichtest.Running ||
				after.Time <= before.Time {
				continue
			}
			from, to := max(before.Time, since), min(after.Time, until)
			if from >= to {
				continue
			}
			parts, places := map[string]int64{}, map[string]int64{}
			t := &taker{o, from, to, nil, func(row, place string, length int64) {
				if parts[row] += length; place != "" {
					places[row+" at "+place] += length
				}
			}}
			t.finished(states[i-1], states[i])
			all = append(all, wait{after.ID, states[i].thread, from, to, parts, places})
		}
	}
	slices.SortFunc(all, func(a, b wait) int { return a.running - b.running })
	return all
}

// open is the number of open waits that reach into the window.
func (o *oracle) open(since, until int64) (n int) {
	for _, states := range o.states {
		if len(states) == 0 {
			continue
		}
		last := states[len(states)-1].event
		if waits := []string{enrichtest.WaitingForLock, enrichtest.WaitingForObject, enrichtest.WaitingForJoin}; slices.
			Contains(waits, last.Type) && last.Time < until && (last.Time >= since || o.doc.Trace.Duration > since) {
			n++
		}
	}
	return n
}

// taker takes a stretch of time apart.
type taker struct {
	*oracle
	from, to int64
	within   []*segment                            // the waits for locks that are being taken apart around this one
	put      func(row, place string, length int64) // place is "" if it is unknown
}

// part is the taker of a part of the stretch.
func (t *taker) part(from, to int64) *taker {
	return &taker{t.oracle, max(from, t.from), min(to, t.to), t.within, t.put}
}

// count counts the part of the stretch in that row: "Last, blame's parts are cut at pauses as path pieces are, those of
// holders, too."
func (t *taker) count(row string, from, to int64) { t.countAt(row, "", from, to) }

func (t *taker) countAt(row, place string, from, to int64) {
	p := t.part(from, to)
	if p.from >= p.to {
		return
	}
	length := p.to - p.from
	if strings.HasSuffix(row, " latency") || strings.HasSuffix(row, enrichtest.Running) {
		for _, pause := range t.pauses {
			if from, to := max(p.from, pause[0]), min(p.to, pause[1]); from < to {
				t.put("pause", "", to-from)
				length -= to - from
			}
		}
	}
	if length > 0 {
		t.put(row, place, length)
	}
}

// segment counts a part of a segment: "a Running piece of a thread is cut at the samples of that thread, on whatever
// monitor, within it: between the Running's record and the thread's next state event, in file order, times before the
// latest cut counting as it; before the first: the latest own stack up to the Running's record, probable. A piece in
// which it waited has the wait's stack."
func (t *taker) segment(s *segment, from, to int64) {
	row := fmt.Sprintf("%d segment %s", s.thread, s.event.Type)
	at, place, next := s.event.Time, "", math.MaxInt
	if states := t.states[s.thread]; s.place+1 < len(states) {
		next = states[s.place+1].event.ID
	}
	for _, seen := range t.doc.Sightings {
		switch {
		case seen.Thread != s.thread:
		case s.event.Type != enrichtest.Running:
			if !seen.Sampled && seen.Event == s.event.ID {
				place = placeText(seen.Place)
			}
		case !seen.Sampled && seen.Event <= s.event.ID:
			seen.Place.Probable = true
			place = placeText(seen.Place)
		}
	}
	if s.event.Type == enrichtest.Running {
		for _, seen := range t.doc.Sightings {
			if seen.Thread == s.thread && seen.Sampled && seen.Event >= s.event.ID && seen.Event < next {
				cut := max(at, seen.Time)
				t.countAt(row, place, from, min(cut, to))
				from, at, place = max(from, cut), cut, placeText(seen.Place)
			}
		}
	}
	t.countAt(row, place, from, to)
}

// placeText describes a place; "" if it is unknown.
func placeText(p enrichtest.Place) string {
	if p.Method == "" {
		return ""
	}
	return fmt.Sprintf("%q %q %q %d %t", p.Class, p.Method, p.File, p.Line, p.Probable)
}

// finished takes apart the inside of a wait that the Running segment ended.
func (t *taker) finished(s, running *segment) {
	if forHolder(s.event) {
		t.locked(s)
	} else {
		t.walk(running, running.event.Time)
	}
}

// walk: "Its blame is the walk of the critical path, without rule 4, from (T, that Running, r) back to w: pieces are
// cut at w, and the walk ends when it reaches w."
func (t *taker) walk(s *segment, at int64) {
	t.count("unknown", at, t.to)
	visited := map[*segment]bool{}
	for s != nil && at > t.from {
		visited[s] = true
		b := min(s.event.Time, at)
		if forHolder(s.event) {
			t.part(b, at).locked(s)
		} else {
			t.segment(s, b, at)
		}
		at = b
		to, since, row := t.jump(s, b)
		if to == nil || visited[to] {
			s = t.before(s)
			continue
		}
		t.count(row, since, b)
		s, at = to, since
	}
	t.count("unknown", t.from, at) // "What the walk does not reach (it ended later than w) counts as unknown."
}

// locked: "A WaitingForLock, the wait itself or a segment that the walk comes to, is not followed to its releaser but
// taken apart by Who held a monitor." "A loop: unknown."
func (t *taker) locked(s *segment) {
	if slices.Contains(t.within, s) {
		t.count("unknown", t.from, t.to)
		return
	}
	t.within = append(slices.Clone(t.within), s)
	var parts []enrichtest.HeldPart
	held := t.doc.Held[s.event.ID]
	if s.event.Init != "" {
		held = t.initialised(s)
	}
	for _, p := range held { // "a part without a holder (adjacent ones are one here)"
		if last := len(parts) - 1; last >= 0 && parts[last].Thread == 0 && p.Thread == 0 {
			parts[last].To = p.To
		} else {
			parts = append(parts, p)
		}
	}
	at := t.from
	for i, p := range parts {
		if at < min(p.From, t.to) {
			t.count("unknown", at, p.From)
		}
		at = max(at, p.To)
		switch {
		case p.Thread != 0:
			t.part(p.From, p.To).held(p.Thread, s)
		case i == len(parts)-1:
			t.count(t.unheld(s, p.From), p.From, p.To)
		default:
			t.count("unknown", p.From, p.To)
		}
	}
	t.count("unknown", at, t.to)
}

// forHolder reports whether a wait is taken apart by who held what it is for: "In blame it" (a wait with init = P) "is
// taken apart like a WaitingForLock whose only holder is P (no known P: unknown)".
func forHolder(e *enrichtest.Event) bool { return e.Type == enrichtest.WaitingForLock || e.Init != "" }

// initialised returns the only part of a wait for the initialisation of a class, up to the trace's last time if it is
// open.
func (t *taker) initialised(s *segment) []enrichtest.HeldPart {
	end := t.doc.Trace.Duration
	if states := t.states[s.thread]; s.place+1 < len(states) {
		end = states[s.place+1].event.Time
	}
	if end <= s.event.Time {
		return nil
	}
	return []enrichtest.HeldPart{{Thread: s.event.InitKey, From: s.event.Time, To: end}}
}

// unheld: "A part without a holder is unknown, too; but the last part, if it begins at rule 3's e for the wait's
// hand-off, or at w where e is earlier, is that latency or unknown piece."
func (t *taker) unheld(s *segment, from int64) string {
	states := t.states[s.thread]
	if s.place+1 == len(states) {
		return "unknown"
	}
	next := states[s.place+1]
	if cause := t.events[t.doc.Causes[next.event.ID]]; cause == nil || cause.Type != enrichtest.HandoffLock {
		return "unknown"
	}
	to, e, row := t.rule3(next, next.event.Time)
	if to == nil || max(e, s.event.Time) != from {
		return "unknown"
	}
	return row
}

// held: "Each part with a holder counts for what the holder did in it", in a part of the wait for the lock.
func (t *taker) held(holder int, wait *segment) {
	states, at := t.states[holder], t.from
	if len(states) > 0 {
		at = states[0].event.Time
		t.count("unknown", t.from, at) // "Before its first state event … what a holder did is unknown"
	} else {
		t.count("unknown", t.from, t.to)
	}
	for i, s := range states {
		at = max(at, s.event.Time) // "a state event dated before the previous one counts as it"
		end := t.to
		if i+1 < len(states) {
			end = max(at, states[i+1].event.Time)
		}
		t.part(at, end).did(s, wait)
	}
}

// did counts what the holder did in a segment: "Running and Sleeping as its segment; its own WaitingForLock by this
// same rule for the time inside; its wait for an object or an end by that wait's parts that lie inside". "A holder that
// is blocked on this monitor or waits on it, the waiter included, has been let in and has not run yet: its latency."
func (t *taker) did(s, wait *segment) {
	if t.from >= t.to {
		return
	}
	e := s.event
	switch e.Type {
	case enrichtest.Dead: // "after Dead, what a holder did is unknown"
		t.count("unknown", t.from, t.to)
		return
	case enrichtest.Running, enrichtest.Sleeping:
		t.segment(s, t.from, t.to)
		return
	}
	states, obj := t.states[s.thread], cmp.Or(wait.event.LockedObject, wait.event.ObjectRef)
	switch {
	case obj != "" && (e.LockedObject == obj || e.ObjectRef == obj):
		t.count(fmt.Sprintf("%d latency", s.thread), t.from, t.to)
	case forHolder(e):
		t.locked(s)
	case s.place+1 < len(states) && states[s.place+1].event.Type == enrichtest.Running:
		t.walk(states[s.place+1], states[s.place+1].event.Time)
	default: // "a wait of a holder that no Running follows is its own segment"
		t.segment(s, t.from, t.to)
	}
}

func (o *oracle) before(s *segment) *segment {
	if s.place == 0 {
		return nil
	}
	return o.states[s.thread][s.place-1]
}

// jump is the segment and time to which rule 3 leads, or nil, and the row of the time between: "in blame rule 3 does
// not apply to hand-offs".
func (o *oracle) jump(s *segment, b int64) (to *segment, at int64, row string) {
	if cause := o.events[o.doc.Causes[s.event.ID]]; cause != nil && cause.Type == enrichtest.HandoffLock {
		return nil, 0, ""
	}
	return o.rule3(s, b)
}

func (o *oracle) rule3(s *segment, b int64) (to *segment, at int64, row string) {
	cause, bound := o.events[o.doc.Causes[s.event.ID]]
	if s.event.Type != enrichtest.Running || !bound {
		return nil, 0, ""
	}
	u, at, event, released := o.ownerOf[cause.ID], cause.Time, cause.ID, false
	switch cause.Type {
	case enrichtest.HandoffLock:
		at, released = b, true
	case enrichtest.Notify, enrichtest.NotifyAll:
		if p, reacquired := o.doc.Reacquired[s.event.ID]; reacquired {
			u, at, event, released = p, b, s.event.ID, true
		}
	}
	var j *segment
	for _, each := range o.states[u] {
		if each.event.ID < event {
			j = each
		}
	}
	row = fmt.Sprintf("%d latency", u)
	if at > b || j == nil {
		return nil, 0, ""
	}
	if j.event.Type == enrichtest.Running {
		return j, at, row
	}
	for i := o.before(j); i != nil; i = o.before(i) {
		if i.event.Type == enrichtest.Running {
			e := o.states[u][i.place+1].event.Time
			if released && !o.doc.Named[s.event.ID] && b-e > 10_000_000 { // "nobody knows who had the monitor since"
				row = "unknown"
			}
			return i, min(e, b), row
		}
	}
	return nil, 0, ""
}

// pausesOf returns the pauses of a document: "gcStart and gcFinish pair as brackets do; one without the other, or that
// ends before it begins, is none; overlapping ones are united." Its collections have no annotations.
func pausesOf(document []byte, start trace.Time) (united [][2]int64) {
	var open []int64
	var all [][2]int64
	for _, match := range collections.FindAllSubmatch(document, -1) {
		time, reading := trace.ParseTime(match[2])
		if at := int64(time - start); reading != trace.Exact {
			continue
		} else if last := len(open) - 1; string(match[1]) == "Start" {
			open = append(open, at)
		} else if last >= 0 {
			all, open = append(all, [2]int64{open[last], at}), open[:last]
		}
	}
	slices.SortFunc(all, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	for _, p := range all {
		if last := len(united) - 1; p[0] >= p[1] {
			continue
		} else if last >= 0 && p[0] <= united[last][1] {
			united[last][1] = max(united[last][1], p[1])
		} else {
			united = append(united, p)
		}
	}
	return united
}

var collections = regexp.MustCompile(`<gc(Start|Finish)[^>]* time="([^"]*)"`)

// rows lists the sums of the parts, and in how many waits each row has one.
func rows(all []wait) string {
	total, count := map[string]int64{}, map[string]int{}
	for _, w := range all {
		for row, time := range w.parts {
			total[row] += time
			count[row]++
		}
		for place, time := range w.places {
			total[place] += time
		}
	}
	var lines []string
	for row := range total {
		line := fmt.Sprintf("%s %d", row, total[row])
		if count[row] > 0 { // else the row is a place
			line += fmt.Sprintf(" in %d", count[row])
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
