package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// row is a line of the picture: the lane of a thread, or the heading of a group, which has no lane.
type row struct {
	lane   *timeline.Lane
	thread *timeline.Thread // nil if unknown
	name   string
	top    float64
	pieces []piece
}

// The heights of rows and of their parts.
const (
	laneHeight    = 24
	headingHeight = 26
	barTop        = 4
	barHeight     = 13
	ribbonTop     = 18.5
	ribbonHeight  = 3.5
	deadHeight    = 3
)

func (r *row) height() float64 {
	if r.lane == nil {
		return headingHeight
	}
	return laneHeight
}

// bar returns the rectangle of a piece of the lane.
func (r *row) bar(x, width float64) rect { return rect{x, r.top + barTop, width, barHeight} }

// people has the threads by their keys.
type people map[trace.ThreadKey]*timeline.Thread

func peopleOf(threads []timeline.Thread) people {
	all := make(people, len(threads))
	for i := range threads {
		all[threads[i].Key] = &threads[i]
	}
	return all
}

// name returns the name of a thread.
func (p people) name(key trace.ThreadKey) string {
	switch t := p[key]; {
	case t == nil:
		return "unknown thread"
	case t.Name == "":
		return "thread " + t.ID
	default:
		return t.Name
	}
}

// title returns the title of a thread in a sentence.
func (p people) title(key trace.ThreadKey) string {
	t := p[key]
	if t == nil {
		return "an unknown thread"
	}
	name := "thread " + shortName(t.ID)
	if t.Name != "" {
		name = shortName(t.Name) + " (" + name + ")"
	}
	return isolated(name)
}

// shortName returns the name on one line, without its middle if it is long.
func shortName(text string) string { return sanitize.Short(phrase.Name(text), maxName) }

// maxName limits a name, in characters.
const maxName = 60

// isolated returns a text whose characters do not change the direction of the surrounding text.
func isolated(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x590 }) {
		return "\u2068" + text + "\u2069"
	}
	return text
}

// ofProgram returns the lanes, but those of the JVM's own threads only if they matter: they are on the critical path,
// deadlocked, or blocked another thread. The note says how many are left out. If there are only such threads, all are
// kept.
func ofProgram(lanes []timeline.Lane, people people) (kept []*timeline.Lane, note string) {
	matter := map[trace.ThreadKey]bool{}
	for i := range lanes {
		for _, s := range lanes[i].Spans {
			switch s.State {
			case timeline.WaitingForLock:
				matter[s.Other] = true
			case timeline.Deadlocked:
				matter[s.Other], matter[lanes[i].Thread] = true, true
			}
		}
	}
	var all []*timeline.Lane
	for i := range lanes {
		lane := &lanes[i]
		all = append(all, lane)
		if t := people[lane.Thread]; t == nil || !t.OfJVM() || len(lane.Path) > 0 || matter[lane.Thread] {
			kept = append(kept, lane)
		}
	}
	switch left := len(all) - len(kept); {
	case len(kept) == 0:
		return all, ""
	case left > 0:
		note = phrase.Count(left, "thread of the JVM itself is", "threads of the JVM itself are") + " left out."
	}
	return kept, note
}

// choose returns the lanes to show, in their order, and a note about the others.
func choose(lanes []*timeline.Lane, people people, most int) (chosen []*timeline.Lane, note string) {
	if len(lanes) <= most {
		return lanes, ""
	}
	ranks := make(map[*timeline.Lane]rank, len(lanes))
	for _, lane := range lanes {
		ranks[lane] = rankOf(lane, people[lane.Thread])
	}
	order := slices.Clone(lanes)
	slices.SortStableFunc(order, func(a, b *timeline.Lane) int { return ranks[b].compare(ranks[a]) })
	for _, lane := range order[:most] {
		delete(ranks, lane)
	}
	for _, lane := range lanes {
		if _, isOther := ranks[lane]; !isOther {
			chosen = append(chosen, lane)
		}
	}
	return chosen, fmt.Sprintf("%d of %d threads are shown: those that were deadlocked, on the critical path, or "+
		"blocked for longest. The others are left out.", most, len(lanes))
}

// rank is the importance of a lane: times, the most important one first.
type rank [4]int64

func (r rank) compare(other rank) int { return slices.Compare(r[:], other[:]) }

// rankOf returns the rank of a lane, by its content in the window and by the whole thread.
func rankOf(lane *timeline.Lane, thread *timeline.Thread) (r rank) {
	var times [timeline.StateCount]int64
	for i := range lane.Spans {
		times[lane.Spans[i].State] += lane.Spans[i].End - lane.Spans[i].Begin
	}
	for i := range lane.Mixes {
		for state, time := range lane.Mixes[i].Times {
			times[state] += time
		}
	}
	for _, part := range lane.Path {
		r[1] += part.Time
	}
	r[0], r[2], r[3] = times[timeline.Deadlocked], times[timeline.WaitingForLock], times[timeline.WaitingForObject]+
		times[timeline.TimedWaiting]+times[timeline.Parked]+times[timeline.InIO]+times[timeline.WaitingForJoin]
	if thread != nil {
		r[0] = max(r[0], thread.Times[timeline.Deadlocked])
	}
	return r
}

// rowsOf returns the rows of the lanes, with headings if threads are grouped.
func rowsOf(lanes []*timeline.Lane, people people, groups bool) (rows []row) {
	sessions, seen := make(map[int]bool), make(map[string]int)
	for _, lane := range lanes {
		seen[people.name(lane.Thread)]++
		if t := people[lane.Thread]; t != nil {
			sessions[t.Session] = true
		}
	}
	several := len(sessions) > 1
	type group struct {
		session int
		name    string
	}
	var order []group
	members := make(map[group][]row)
	for _, lane := range lanes {
		r := row{lane: lane, thread: people[lane.Thread], name: people.name(lane.Thread)}
		var of group
		if r.thread != nil {
			if seen[r.name] > 1 && r.thread.Name != "" {
				r.name = fmt.Sprintf("%s #%s", r.name, r.thread.ID)
			}
			if several {
				of.session = r.thread.Session + 1
			}
			if groups {
				of.name = r.thread.Group
			} else if several {
				r.name = fmt.Sprintf("%d: %s", of.session, r.name)
			}
		}
		if !groups {
			of = group{}
		}
		if members[of] == nil {
			order = append(order, of)
		}
		members[of] = append(members[of], r)
	}
	for _, of := range order {
		if groups {
			rows = append(rows, row{name: heading(of.session, of.name)})
		}
		rows = append(rows, members[of]...)
	}
	return rows
}

// heading returns the heading of a group of a recording, which is 0 if there is only one.
func heading(session int, group string) string {
	if group == "" {
		group = "no thread group"
	}
	if session == 0 {
		return group
	}
	return fmt.Sprintf("%d: %s", session, group)
}
