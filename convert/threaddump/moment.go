package threaddump

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// apart is how far dumps are from each other that do not say when they were taken.
const apart = trace.Time(1_000_000_000)

// date finds out when the dump was taken, if it does not say so, and to more than the second where threads say for how
// long they have lived.
func (s *series) date(d *dump, other bool) {
	if d.dated && d.form == printed {
		s.lacks[lackZone] = true
	}
	switch {
	case !d.dated:
		s.lacks[lackTimes] = true
		if s.dumps > 0 {
			d.at = s.last + apart
		}
	case s.dumps == 0:
	default:
		s.refine(d, other)
	}
	if s.dumps > 0 && d.at < s.last {
		s.report(ruleTime, trace.Warning, d.place,
			fmt.Sprintf(
				"the dump was taken before the one in front of it, by %d ms, as its time says; it is taken to be "+
					"at the same time", (s.last-d.at)/1e6), nil)
		d.at = s.last
	}
	s.last = d.at
}

// refine moves the time of a dump, which is in whole seconds, by how much longer a thread lives than in the dump
// before.
func (s *series) refine(d *dump, other bool) {
	if other || d.form != printed {
		return
	}
	for _, t := range d.threads {
		k := s.known[t.id]
		if k == nil || k.was().handle != t.handle || k.was().elapsed < 0 || t.elapsed < k.was().elapsed {
			continue
		}
		at := s.last + t.elapsed - k.was().elapsed
		if off := at - d.at; off > -apart-apart/10 && off < apart+apart/10 {
			d.at = at
		}
		return
	}
}
