package threaddump

import (
	"github.com/trcx/trcx/trace"
)

// lackOf is a kind of things that dumps cannot tell.
type lackOf uint8

const (
	lackZone lackOf = iota
	lackTimes
	lackOwners
	lackMoment
	lackStates
	lackLocks
)

// lackings say what the kinds mean, in the order in which they are told.
var lackings = []trace.Lack{
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

// note notes what the dump cannot tell.
func (s *series) note(d *dump) {
	if d.form != printed {
		s.lacks[lackMoment] = true
	}
	if len(d.threads)+d.told > 0 && !d.states {
		s.lacks[lackStates] = true
	}
	if len(d.threads)+d.told > 0 && !d.locks {
		s.lacks[lackLocks] = true
	}
	for _, t := range d.threads {
		if a := t.now; a.parked && a.doing == locking && a.owner == nil && !d.synced {
			s.lacks[lackOwners] = true
		}
	}
}
