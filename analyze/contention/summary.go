package contention

import (
	"fmt"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/table"
)

// Summary summarizes the tables in a sentence or two: how long threads were blocked, on which monitor longest, and its
// owner.
func (s *Statistics) Summary() string {
	all := s.All.Of(Blocked)
	if all.Count == 0 {
		return "No thread was blocked on a monitor. Locks of java.util.concurrent leave no events in a trace."
	}
	text := fmt.Sprintf("Threads were blocked %s, for %s in all", times(all.Count), table.TotalDuration(all.Total))
	if worst := s.worst(); worst == nil {
		text += ", on monitors that the trace does not name"
	} else {
		text += worst.share(all) + fmt.Sprintf(" on %s %s", javaClass(worst.Class), worst.ID) + worst.held()
	}
	text += "."
	if all.Open > 0 {
		text += fmt.Sprintf(" At the end %d of them still were; trcx deadlocks reports whether for ever.", all.Open)
	}
	return text
}

// worst returns the monitor on which threads were blocked longest, or nil.
func (s *Statistics) worst() (worst *Monitor) {
	for _, m := range s.Monitors {
		d := m.Times.Of(Blocked)
		if d.Count > 0 && (worst == nil || d.Total > worst.Times.Of(Blocked).Total) {
			worst = m
		}
	}
	return worst
}

// share is the monitor's part of all blocks, unless it has all of them.
func (m *Monitor) share(all *histogram.Distribution) string {
	d := m.Times.Of(Blocked)
	if d.Count == all.Count {
		return ""
	}
	return fmt.Sprintf("; %s of it, %.0f %%,", table.TotalDuration(d.Total),
		100*float64(d.Total)/float64(max(all.Total, 1)))
}

// held names the owners of the monitor, and their place.
func (m *Monitor) held() string {
	if len(m.Owners) == 0 {
		return ""
	}
	first := m.Owners[0]
	text := ", held by " + m.heldBy()
	if others := len(m.Owners) - 1; others > 1 && 2*first.Total < m.Times.Of(Blocked).Total {
		text = fmt.Sprintf(", held by %d threads in turn, longest by %s", len(m.Owners), m.heldBy())
	}
	if place := m.heldIn(); place != (Place{}) {
		text += ", last seen in " + place.String()
	}
	return text
}

// heldIn returns the place from which the owners blocked others longest, each with its total counted at the place of
// its longest block; the zero Place if none is known.
func (m *Monitor) heldIn() (most Place) {
	totals := map[Place]uint64{}
	for _, owner := range m.Owners {
		if owner.Place == (Place{}) {
			continue
		}
		totals[owner.Place] = histogram.Sum(totals[owner.Place], owner.Total)
		if totals[owner.Place] > totals[most] {
			most = owner.Place
		}
	}
	return most
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// advice names what the trace lacks for a complete answer; "" if nothing.
func (s *Statistics) advice() string {
	if len(s.Sites) == 0 && len(s.Monitors) > 0 {
		return phrase.NoStacks
	}
	return ""
}
