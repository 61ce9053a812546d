package blame_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/enrich/enrichtest"
)

// The oracle finds the blame of each wait in the oracle's model of a trace, by the letter of the rules: it walks each
// wait by itself. The quoted sentences are those of the rules.

type oracle struct {
	doc     *enrichtest.Doc
	events  map[int]*enrichtest.Event
	ownerOf map[int]int // of events: the key of the thread whose they are
	states  map[int][]*segment
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

// wait is a finished wait with the parts of it, by row.
type wait struct {
	running  int // the id of the Running event
	thread   int
	from, to int64
	parts    map[string]int64
}

// waits: "A finished wait is a WaitingForLock, WaitingForObject or WaitingForJoin segment of T, longer than 0, that is
// followed by a Running segment: from w to r."
func (o *oracle) waits() (all []wait) {
	for _, states := range o.states {
		for i := 1; i < len(states); i++ {
			before, after := states[i-1].event, states[i].event
			if !slices.Contains([]string{enrichtest.WaitingForLock, enrichtest.WaitingForObject,
				enrichtest.WaitingForJoin}, before.Type) || after.Type != enrichtest.Running ||
				after.Time <= before.Time {
				continue
			}
			all = append(all, wait{after.ID, states[i].thread, before.Time, after.Time,
				o.walk(states[i], before.Time, after.Time)})
		}
	}
	slices.SortFunc(all, func(a, b wait) int { return a.running - b.running })
	return all
}

// walk: "Its blame is the walk of the critical path, without rule 4, from (T, that Running, r) back to w: pieces are cut
// at w, and the walk ends when it reaches w."
func (o *oracle) walk(s *segment, w, t int64) map[string]int64 {
	parts, visited := map[string]int64{}, map[*segment]bool{}
	count := func(row string, from, to int64) {
		if from = max(from, w); from < to {
			parts[row] += to - from
		}
	}
	for s != nil && t > w {
		visited[s] = true
		b := min(s.event.Time, t)
		count(fmt.Sprintf("%d segment %s", s.thread, s.event.Type), b, t)
		t = b
		to, at := o.jump(s, b)
		if to == nil || visited[to] {
			s = o.before(s)
			continue
		}
		count(fmt.Sprintf("%d latency", to.thread), at, b)
		s, t = to, at
	}
	count("unknown", w, t) // "What the walk does not reach (it ended later than w) counts as unknown."
	return parts
}

func (o *oracle) before(s *segment) *segment {
	if s.place == 0 {
		return nil
	}
	return o.states[s.thread][s.place-1]
}

// jump is where rule 3 leads, or nil.
func (o *oracle) jump(s *segment, b int64) (to *segment, at int64) {
	cause, bound := o.events[o.doc.Causes[s.event.ID]]
	if s.event.Type != enrichtest.Running || !bound {
		return nil, 0
	}
	u, at, event := o.ownerOf[cause.ID], cause.Time, cause.ID
	switch cause.Type {
	case enrichtest.HandoffLock:
		at = b
	case enrichtest.Notify, enrichtest.NotifyAll:
		if p, reacquired := o.doc.Reacquired[s.event.ID]; reacquired {
			u, at, event = p, b, s.event.ID
		}
	}
	var j *segment
	for _, each := range o.states[u] {
		if each.event.ID < event {
			j = each
		}
	}
	if at > b || j == nil {
		return nil, 0
	}
	if j.event.Type == enrichtest.Running {
		return j, at
	}
	for i := o.before(j); i != nil; i = o.before(i) {
		if i.event.Type == enrichtest.Running {
			return i, min(o.states[u][i.place+1].event.Time, b)
		}
	}
	return nil, 0
}

// rows are the sums of the parts, and in how many waits each row has one.
func rows(all []wait) string {
	total, count := map[string]int64{}, map[string]int{}
	for _, w := range all {
		for row, time := range w.parts {
			total[row] += time
			count[row]++
		}
	}
	var lines []string
	for row := range total {
		lines = append(lines, fmt.Sprintf("%s %d in %d", row, total[row], count[row]))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
