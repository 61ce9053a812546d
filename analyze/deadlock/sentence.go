package deadlock

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
)

// maxTold limits the threads of a deadlock in a sentence.
const maxTold = 3

// Sentence describes a deadlock of the report in one sentence: who holds what, wants what, and where.
func (r *Report) Sentence(d *Deadlock) string {
	var members []string
	for i := range d.Members[:min(len(d.Members), maxTold)] {
		b, before := &d.Members[i], &d.Members[(i+len(d.Members)-1)%len(d.Members)]
		text := fmt.Sprintf("%s %s and %s", b.Thread.title(), before.had(), b.wanted())
		if place := wording.Frame(b.Caller); place != "" {
			text += " at " + place
		}
		members = append(members, text)
	}
	if more := len(d.Members) - maxTold; more > 0 {
		members = append(members, phrase.Count(more, "more thread"))
	}
	kind := r.kind(d)
	if d.Init() {
		kind = ofClasses + kind
	}
	text := sentence(kind) + ": " + strings.Join(members, "; ") + "."
	if stuck := len(d.Stuck) + d.More; stuck > 0 {
		text += " " + phrase.Count(stuck, "more thread waits", "more threads wait") + " for them."
	}
	return strings.TrimSpace(text + " " + d.doubt())
}

// The kinds of deadlocks. Those of classes have a prefix.
const (
	deadlock         = "deadlock"
	possibleDeadlock = "possible deadlock"
	ofClasses        = "class-initialisation "
)

// kind names the deadlock.
func (r *Report) kind(d *Deadlock) string {
	if r.IsPossible(d) {
		return possibleDeadlock
	}
	return deadlock
}

// doubt says why the deadlock is only a possible one, unless its recording was cut off.
func (d *Deadlock) doubt() string {
	switch {
	case d.Loop.Timed:
		return "One of these waits has a timeout."
	case d.Loop.Inferred:
		return "Who holds one of the locks is concluded from earlier events: it may have been released since."
	case d.Loop.Brief && !d.Loop.CutOff:
		return fmt.Sprintf("It had lasted for %s when the recording ended: a thread may have been about to get its lock.",
			phrase.Duration(int64(d.Loop.End-d.Loop.Time)))
	}
	return ""
}

// had says what the next thread of the cycle has, which the thread of the block wants.
func (b *Block) had() string {
	if b.Init {
		return "initialises " + wording.Initialised(b.Monitor.ID, b.Monitor.Class)
	}
	return "holds " + b.Monitor.title()
}

// wanted says what the thread of the block wants.
func (b *Block) wanted() string {
	if b.Init {
		return "waits for " + wording.Initialisation(b.Monitor.ID, b.Monitor.Class)
	}
	return "wants " + b.Monitor.title()
}

// IsPossible reports that the deadlock is only a possible one: see trace.DeadlockLoop, or the trace does not have all
// threads at one moment.
func (r *Report) IsPossible(d *Deadlock) bool { return r.Scattered || d.Loop.IsPossible() }

// isCutOff reports that the trace has no end, or that the recording of a deadlock has none.
func (r *Report) isCutOff() bool {
	return r.CutOff || slices.ContainsFunc(r.Deadlocks, func(d Deadlock) bool { return d.Loop.CutOff })
}
