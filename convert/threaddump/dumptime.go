package threaddump

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// undatedInterval is the assumed time between two dumps without times, in nanoseconds.
const undatedInterval = trace.Time(1_000_000_000)

// setTime sets the time of a dump that has none, and refines one in whole seconds if its threads have elapsed times.
func (s *series) setTime(d *dump, other bool) {
	if d.dated && d.form == printed {
		s.lacks[noZone] = true
	}
	switch {
	case !d.dated:
		s.lacks[noTimes] = true
		if s.dumps > 0 {
			d.at = s.last + undatedInterval
		}
	case s.dumps == 0:
	default:
		s.refineTime(d, other)
	}
	if s.dumps > 0 && d.at < s.last {
		s.report(ruleTime, trace.Warning, d.place,
			fmt.Sprintf("this dump is %d ms older than the previous one; it is read as of the same time",
				(s.last-d.at)/1e6), nil)
		d.at = s.last
	}
	s.last = d.at
}

// refineTime moves the time of a dump, which is in whole seconds, by how much longer a thread lives than in the dump
// before.
func (s *series) refineTime(d *dump, other bool) {
	if other || d.form != printed {
		return
	}
	for _, t := range d.threads {
		k := s.threads[t.id]
		if k == nil || k.previous.handle != t.handle || k.previous.elapsed < 0 || t.elapsed < k.previous.elapsed {
			continue
		}
		at := s.last + t.elapsed - k.previous.elapsed
		if off := at - d.at; off > -undatedInterval-undatedInterval/10 && off < undatedInterval+undatedInterval/10 {
			d.at = at
		}
		return
	}
}
