package deadlock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/printable"
	"github.com/trcx/trcx/trace"
)

// longestName is how many characters of a name people are shown.
const longestName = 80

func shown(name string) string { return printable.Short(printable.Text(name), longestName) }

// title is what people call the thread.
func (t *Thread) title() string {
	if t.Name == "" {
		return "thread " + shown(t.ID.String())
	}
	return fmt.Sprintf("%s (thread %s)", shown(t.Name), shown(t.ID.String()))
}

// title is what people call the monitor: its class as Java writes it, and its id.
func (m *Monitor) title() string {
	if m.Class == "" {
		return "object " + shown(m.ID.String())
	}
	return shown(strings.ReplaceAll(m.Class, "/", ".")) + " " + shown(m.ID.String())
}

// specialMethods are methods that Java has another name for.
var specialMethods = map[string]string{"-init-": "<init>", "-clinit-": "<clinit>"}

// place is a frame as stack traces of Java write it, or "" if its method is not known.
func place(f trace.Frame) string {
	if f.Method == nil || f.Method.Name == "" && f.Method.Class == "" {
		return ""
	}
	name, file := f.Method.Name, f.Method.File
	if special, ok := specialMethods[name]; ok {
		name = special
	}
	if f.Method.Class != "" {
		name = strings.ReplaceAll(f.Method.Class, "/", ".") + "." + name
	}
	switch {
	case file == "" && f.Line == trace.NoLine:
		return shown(name)
	case file == "":
		file = "line " + strconv.Itoa(int(f.Line))
	case f.Line != trace.NoLine:
		file += ":" + strconv.Itoa(int(f.Line))
	}
	return shown(name) + "(" + shown(file) + ")"
}

// moment is a time relative to the beginning, in seconds.
func (r *Report) moment(at trace.Time) string {
	micros, sign := int64(at-r.Start)/1000, "+"
	if micros < 0 {
		micros, sign = -micros, "-"
	}
	return fmt.Sprintf("%s%d.%06d s", sign, micros/1_000_000, micros%1_000_000)
}

// count is so many of something.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// pattern tells inversions apart that are of other classes or at other places; of those that are alike it is the same.
func (i *Inversion) pattern() string {
	var parts []string
	for _, o := range i.Orders {
		parts = append(parts, fmt.Sprintf("%q%q%q", o.Held.Class, o.Example.Monitor.Class, place(o.Example.Caller)))
	}
	least := strings.Join(parts, "")
	for turn := 1; turn < len(parts); turn++ {
		least = min(least, strings.Join(append(parts[turn:len(parts):len(parts)], parts[:turn]...), ""))
	}
	return least
}

// group is an inversion with others of the same classes, at the same places, on other objects.
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

// Verdict says in one line what was found.
func (r *Report) Verdict() string {
	parts := []string{"no deadlock", "no lock-order inversion was seen"}
	if n := len(r.Deadlocks); n > 0 {
		parts[0] = count(n, "deadlock")
	}
	if n := len(r.Seen()); n > 0 {
		parts[1] = count(n, "lock-order inversion")
	}
	if n := len(r.Harmless()); n > 0 {
		parts = append(parts, count(n, "harmless lock-order inversion"))
	}
	return strings.Join(parts, ", ")
}

// hint says how many supposed inversions there are, which are not shown; "" if there are none.
func (r *Report) hint() string {
	n := len(r.Supposed())
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s can be supposed from who was let in where, without anybody having seen who held what; --all shows them", count(n, "more inversion"))
}

// omissions says what is not in the report.
func (r *Report) omissions(all bool) []string {
	var lines []string
	for evidence := Seen; evidence <= Supposed && (all || evidence == Seen); evidence++ {
		left := r.Left[evidence]
		if left.Orders > 0 {
			lines = append(lines, fmt.Sprintf("There are too many different lock orders: %d times one that was %s was not noted.", left.Orders, evidence))
		}
		if left.Search {
			lines = append(lines, fmt.Sprintf("There may be more inversions that were %s; the search for them was given up.", evidence))
		}
	}
	return lines
}

// lacksPlaces says whether there is a thread of which the trace does not say where it was.
func (r *Report) lacksPlaces() bool {
	for _, d := range r.Deadlocks {
		for _, b := range d.Members {
			if place(b.Caller) == "" {
				return true
			}
		}
	}
	for _, i := range r.Seen() {
		for _, o := range i.Orders {
			if place(o.Example.Caller) == "" {
				return true
			}
		}
	}
	return false
}
