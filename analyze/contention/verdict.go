package contention

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/internal/table"
)

// Verdict says in words what the tables come to: how long threads were blocked, on what most of the time, and who held it.
func (s *Statistics) Verdict() string {
	var blocked uint64
	var count uint64
	var worst *Monitor
	for _, class := range s.Classes {
		blocked += class.Times.Of(Blocked).Total
		count += class.Times.Of(Blocked).Count
	}
	for _, m := range s.Monitors {
		if worst == nil || m.Times.Of(Blocked).Total > worst.Times.Of(Blocked).Total {
			worst = m
		}
	}
	if count == 0 || worst == nil {
		return "No thread was blocked on a monitor. Locks of java.util.concurrent leave no events in a trace."
	}
	d := worst.Times.Of(Blocked)
	text := fmt.Sprintf("Threads were blocked %s, for %s in all", times(count), table.Duration(int64(min(blocked, 1<<63-1))))
	if d.Count < count {
		text += fmt.Sprintf("; %s of it, %.0f %%,", table.Duration(int64(min(d.Total, 1<<63-1))), 100*float64(d.Total)/float64(max(blocked, 1)))
	}
	text += fmt.Sprintf(" on %s %s", class(worst.Class), worst.ID)
	if len(worst.Owners) > 0 {
		text += ", held by " + worst.heldBy()
	}
	if place := s.holderOf(worst); place != "" {
		text += ", last seen in " + place
	}
	return text + "."
}

func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// holderOf is the place from which threads were blocked longest on monitors of the class; "" where the trace does not say it.
func (s *Statistics) holderOf(m *Monitor) string {
	var most Holder
	for _, site := range s.Sites {
		if site.Monitor == m.Class && len(site.Holders) > 0 && site.Holders[0].Total >= most.Total {
			most = site.Holders[0]
		}
	}
	if most.Count == 0 {
		return ""
	}
	return most.Place.String()
}

// Advice says what the trace lacks for an answer, or is "".
func (s *Statistics) Advice() string {
	var without []string
	if len(s.Sites) == 0 && len(s.Monitors) > 0 {
		without = append(without, "it has no call stacks, so no place in the program is known (trcx record --stack-depth 8 records them)")
	}
	return strings.Join(without, "; ")
}
