package critical

import (
	"fmt"

	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/trace"
)

// Monitors says which monitors are meant.
type Monitors struct {
	text  string
	id    string // "" where it does not matter
	class glob.Pattern
	any   bool // the text may also be an id alone
}

// ParseMonitors reads the id of a monitor, a pattern for classes with / or . in it, or both with an @ between: 1013,
// java.util.*, java/util/Vector@1013.
func ParseMonitors(text string) (Monitors, error) {
	class, id, both := glob.CutLast(text, "@")
	switch {
	case text == "":
		return Monitors{}, fmt.Errorf("it names no monitor")
	case !both:
		return Monitors{text: text, class: glob.Classes(text), any: true}, nil
	case class == "" || id == "":
		return Monitors{}, fmt.Errorf("%q is no monitor; write its id, its class, or both as CLASS@ID", text)
	}
	return Monitors{text: text, id: id, class: glob.Classes(class)}, nil
}

// String is the text as it was written.
func (m Monitors) String() string { return m.text }

func (m *Monitors) match(o *object) bool {
	if m.any {
		return o.id.String() == m.text || o.class != "" && m.class.MatchClass(o.class)
	}
	return o.id.String() == m.id && m.class.MatchClass(o.class)
}

// WhatIf is the run as it would have been, as far as the trace can tell: an estimate.
type WhatIf struct {
	// Monitors are those that nobody would have waited to enter, in the order first seen: only such as threads did wait
	// for.
	Monitors []Object
	// Waits counts the segments that would have taken no time.
	Waits int
	// Path is the critical path then, at the times then.
	Path *Path
	// Saved is how much earlier the run would have ended, in nanoseconds; never below 0.
	Saved int64
}

// WhatIf replays the run with all waits to enter the monitors left out, and walks its critical path. It returns nil if
// no thread ever waited to enter one of them.
func (r *Recorder) WhatIf(start Start, monitors []Monitors) *WhatIf {
	spared := make([]bool, r.objects.size+1)
	for number := range r.objects.size {
		for i := range monitors {
			if monitors[i].match(r.objects.at(number)) {
				spared[number+1] = true
			}
		}
	}
	result := &WhatIf{}
	listed := make([]bool, len(spared))
	for s := range r.count() {
		rec := r.of(s + 1)
		if rec.state() != trace.WaitingForLock || !spared[rec.link] {
			continue
		}
		result.Waits++
		listed[rec.link] = true
	}
	if result.Waits == 0 {
		return nil
	}
	for number, is := range listed {
		if is {
			result.Monitors = append(result.Monitors, r.objectAt(uint32(number)))
		}
	}
	shifts := r.replay(spared)
	end := r.endIn(shifts, start)
	result.Path = r.path(end, shifts)
	result.Saved = int64(start.At - end.At)
	return result
}

// endIn is where the walk starts in the run as it would have been: with the same thread if the start is not that of the
// whole run, or else with the one that would have been the last to do anything.
func (r *Recorder) endIn(x *shifts, start Start) Start {
	if start.Thread == 0 {
		return start
	}
	latest := Start{start.Thread, r.shifted(x, start.Thread, start.At), start.chosen}
	if start.chosen {
		return latest
	}
	ending := r.ending()
	for i := range r.threads.size {
		key, t := trace.ThreadKey(i+1), r.threads.at(i)
		did := t.counted[ending]
		if !did.known || t.last == 0 {
			continue
		}
		if at := r.shifted(x, key, did.at); at > latest.At {
			latest = Start{Thread: key, At: at}
		}
	}
	return latest
}

// shifted is the time at which the thread would have done what it did then, in its last segment.
func (r *Recorder) shifted(x *shifts, key trace.ThreadKey, at trace.Time) trace.Time {
	last := r.threadOf(key).last
	switch {
	case last == 0:
		return at
	case x.spares(r, last): // whatever came behind this wait is not in the trace
		return min(at, r.begin(last)) + x.of(last)
	}
	return at + x.of(last)
}
