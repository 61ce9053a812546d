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
	lackZone:  {What: "time zone", Means: "its local times are read as UTC"},
	lackTimes: {What: "time at some dumps", Means: "such a dump is read as 1 s after the previous one"},
	lackOwners: {What: "owners of locks of java.util.concurrent",
		Means: "threads blocked on them have no known holder; jstack -l lists the owners"},
	lackMoment: {What: "common moment of its threads",
		Means: "the JVM visited one after the other, so owners and deadlocks may never have existed at the same time"},
	lackStates: {What: "states of threads",
		Means: "they are inferred from the innermost calls, and threads BLOCKED on monitors seem to run"},
	lackLocks: {What: "monitors and locks", Means: "the objects that threads wait for, and their owners, are unknown"},
}

// NoMoment is missing where a deadlock cannot be proved: the threads of one moment.
func NoMoment() trace.Lack { return lackTexts[lackMoment] }

// NoOwners is missing where a deadlock cannot be found: the owners of locks of java.util.concurrent.
func NoOwners() trace.Lack { return lackTexts[lackOwners] }

// NoLocks is missing where a deadlock cannot be found: all locks.
func NoLocks() trace.Lack { return lackTexts[lackLocks] }

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
