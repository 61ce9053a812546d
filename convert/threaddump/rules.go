package threaddump

import (
	_ "embed"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The ids of the reader's rules. Rules describes each.
const (
	ruleTruncated   = "threaddump-truncated"
	ruleThread      = "threaddump-thread"
	ruleLine        = "threaddump-line"
	ruleJSON        = "threaddump-json"
	ruleMixed       = "threaddump-mixed"
	ruleThreadTwice = "threaddump-thread-twice"
	ruleOwners      = "threaddump-owners"
	ruleDeadlock    = "threaddump-deadlock"
	ruleHead        = "threaddump-head"
	ruleForms       = "threaddump-forms"
	ruleTime        = "threaddump-time"
	ruleLong        = "threaddump-line-too-long"
	ruleTooLarge    = "threaddump-too-large"
	ruleEmpty       = "threaddump-empty"
	// RuleNone is the rule for an input without a dump.
	RuleNone = "threaddump-none"
	// RuleOtherProcess is the rule for a dump of another process than the previous one.
	RuleOtherProcess = "threaddump-other-process"
)

//go:embed rules.txt
var rules string

// Rules describes the errors that the reader finds in dumps.
func Rules() []trace.ReaderRule { return builder.Rules(rules) }

// NoMoment says what is missing to prove a deadlock: threads of one moment.
func NoMoment() trace.Lack { return noMoment }

// NoOwners says what is missing to find a deadlock: owners of locks of java.util.concurrent.
func NoOwners() trace.Lack { return noOwners }

// NoLocks says what is missing to find a deadlock: all locks.
func NoLocks() trace.Lack { return noLocks }

// NoVirtual says that the dump, which is of a JVM with virtual threads, has only those that run.
func NoVirtual() trace.Lack { return noVirtual }

// What a dump may lack.
var (
	noMoment = trace.Lack{What: "common moment of its threads",
		Means: "the JVM visited one after the other, so owners and deadlocks may never have existed at the same time"}
	noOwners = trace.Lack{What: "owners of locks of java.util.concurrent",
		Means: "threads blocked on them have no known holder; jstack -l lists the owners"}
	noLocks = trace.Lack{What: "monitors and locks",
		Means: "the objects that threads wait for, and their owners, are unknown"}
	noZone    = trace.Lack{What: "time zone", Means: "its local times are read as UTC"}
	noTimes   = trace.Lack{What: "time at some dumps", Means: "such a dump is read as 1 s after the previous one"}
	noVirtual = trace.Lack{What: "virtual threads that no carrier runs",
		Means: "the dump has only those that run; jcmd PID Thread.dump_to_file has all"}
	noState = trace.Lack{What: "states of threads",
		Means: "they are inferred from the innermost calls, and threads BLOCKED on monitors seem to run"}
)

// lacks are the kinds of information that a dump may lack, in the order of the reports.
var lacks = []trace.Lack{noZone, noTimes, noOwners, noMoment, noVirtual, noState, noLocks}

// noteLacks notes the kinds of information that the dump lacks.
func (s *series) noteLacks(d *dump) {
	if !d.form.ofOneMoment() {
		s.lacks[noMoment] = true
	}
	if len(d.threads)+d.emitted > 0 && !d.hasStates {
		s.lacks[noState] = true
	}
	if len(d.threads)+d.emitted > 0 && !d.hasLocks {
		s.lacks[noLocks] = true
	}
	for _, t := range d.threads {
		// the JVM has this thread where virtual threads wait
		if d.form == printed && (t.carrier != "" || strings.HasPrefix(t.name, "VirtualThread-un")) {
			s.lacks[noVirtual] = true
		}
		if a := t.state; a.parked && a.kind == blocked && a.owner == nil && !d.hasSynchronizers {
			s.lacks[noOwners] = true
		}
	}
}
