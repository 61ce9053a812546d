package deadlock

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// title returns the thread's name and id.
func (t *Thread) title() string { return wording.Thread(t.ID, t.Name) }

// title returns the monitor's class as Java writes it, and its id.
func (m *Monitor) title() string { return wording.Object(m.ID, m.Class) }

// wants says what the thread waits for, and who has it: Account 1011, which transfer-1 (thread 21) holds.
func (b *Block) wants(other *Thread) string {
	if b.Init {
		return wording.Initialisation(b.Monitor.ID, b.Monitor.Class) + ", which " + other.title() + " initialises"
	}
	return b.Monitor.title() + ", which " + other.title() + " holds"
}

// verb says in which state the thread is.
func (b *Block) verb() string {
	if b.Init {
		return "waiting"
	}
	return "blocked"
}

// moment returns a time since the trace's start, in seconds.
func (r *Report) moment(at trace.Time) string {
	moment := wording.Moment(at, r.Start)
	if moment[0] == '-' {
		return moment
	}
	return "+" + moment
}

// pattern identifies the classes and places of the inversion, which inversions of other objects can share.
func (i *Inversion) pattern() string {
	var parts []string
	for _, o := range i.Orders {
		parts = append(parts, fmt.Sprintf("%q%q%q", o.Held.Class, o.Example.Monitor.Class,
			wording.Frame(o.Example.Caller)))
	}
	least := strings.Join(parts, "")
	for turn := 1; turn < len(parts); turn++ {
		least = min(least, strings.Join(append(parts[turn:len(parts):len(parts)], parts[:turn]...), ""))
	}
	return least
}

// group is an inversion and the number of others with its pattern.
type group struct {
	Inversion
	others int
}

func groups(inversions []Inversion) []group {
	var grouped []group
	at := map[string]int{}
	for _, inversion := range inversions {
		pattern := inversion.pattern()
		if i, ok := at[pattern]; ok {
			grouped[i].others++
			continue
		}
		at[pattern] = len(grouped)
		grouped = append(grouped, group{Inversion: inversion})
	}
	return grouped
}

// Verdict summarizes the report in one line.
func (r *Report) Verdict() string {
	parts := []string{"no deadlock", "no lock-order inversion was seen"}
	if len(r.Deadlocks) > 0 {
		parts[0] = r.counted()
	}
	if n := len(r.Seen()); n > 0 {
		parts[1] = phrase.Count(n, "lock-order inversion")
	}
	if n := len(r.Harmless()); n > 0 {
		parts = append(parts, phrase.Count(n, "harmless lock-order inversion"))
	}
	return strings.Join(parts, ", ")
}

// counted counts the deadlocks, and the possible ones.
func (r *Report) counted() string {
	var parts []string
	for _, kind := range []string{deadlock, possibleDeadlock} {
		n, init := 0, 0
		for i := range r.Deadlocks {
			if d := &r.Deadlocks[i]; r.kind(d) == kind {
				if n++; d.Init() {
					init++
				}
			}
		}
		switch {
		case n == 0:
		case init == n:
			parts = append(parts, phrase.Count(n, ofClasses+kind))
		case init > 0:
			parts = append(parts, phrase.Count(n, kind)+fmt.Sprintf(" (%d of class initialisation)", init))
		default:
			parts = append(parts, phrase.Count(n, kind))
		}
	}
	return strings.Join(parts, ", ")
}

// hint counts the supposed inversions, which are not printed; "" for none.
func (r *Report) hint() string {
	n := len(r.supposed())
	if n == 0 {
		return ""
	}
	return phrase.Count(n, "more inversion") +
		" can be supposed from the order of enters alone, without a reported owner"
}

// omissions lists what was left out of the report.
func (r *Report) omissions(all bool) []string {
	var lines []string
	for evidence := Seen; evidence <= Supposed && (all || evidence == Seen); evidence++ {
		left := r.Omitted[evidence]
		if left.Orders > 0 {
			lines = append(lines,
				fmt.Sprintf("The limit of lock orders was reached: %d that were %s are left out.",
					left.Orders, evidence))
		}
		if left.Search {
			lines = append(lines,
				fmt.Sprintf("The search for inversions that were %s reached its limit; more may exist.", evidence))
		}
	}
	return lines
}

// lacksPlaces reports whether the place of any thread is unknown.
func (r *Report) lacksPlaces() bool {
	for _, d := range r.Deadlocks {
		for _, b := range d.Members {
			if wording.Frame(b.Caller) == "" {
				return true
			}
		}
	}
	for _, i := range r.Seen() {
		for _, o := range i.Orders {
			if wording.Frame(o.Example.Caller) == "" {
				return true
			}
		}
	}
	return false
}
