package threaddump

import (
	"github.com/trcx/trcx/trace"
)

// lackKind is a kind of information that a dump may lack.
type lackKind uint8

const (
	lackZone lackKind = iota
	lackTimes
	lackOwners
	lackMoment
	lackStates
	lackLocks
)

// lackTexts describes the kinds, in the order of the reports.
var lackTexts = []trace.Lack{
	lackZone:  {What: "time zone", Means: "its local times are taken as UTC"},
	lackTimes: {What: "time at some dumps", Means: "such a dump is taken to be 1 s after the one before it"},
	lackOwners: {What: "owners of locks of java.util.concurrent",
		Means: "who is blocked at them is blocked by nobody; jstack -l lists the owners"},
	lackMoment: {What: "common moment of its threads",
		Means: "the JVM looked at one after the other, so that owners and loops of threads may not have been so at " +
			"the same time"},
	lackStates: {What: "states of threads",
		Means: "they are concluded from the innermost calls, and threads that are blocked at monitors look as if " +
			"they were running"},
	lackLocks: {What: "monitors and locks", Means: "on what threads wait, and who has it, is unknown"},
}

// noteLacks notes the kinds of information that the dump lacks.
func (s *series) noteLacks(d *dump) {
	if d.form != printed {
		s.lacks[lackMoment] = true
	}
	if len(d.threads)+d.emitted > 0 && !d.hasStates {
		s.lacks[lackStates] = true
	}
	if len(d.threads)+d.emitted > 0 && !d.hasLocks {
		s.lacks[lackLocks] = true
	}
	for _, t := range d.threads {
		if a := t.state; a.parked && a.kind == blocked && a.owner == nil && !d.hasSynchronizers {
			s.lacks[lackOwners] = true
		}
	}
}
