package deadlock

import (
	"fmt"
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
	kind := sentence(r.kind()) + ": "
	if d.Init() {
		kind = sentence("class-initialisation "+r.kind()) + ": "
	}
	text := kind + strings.Join(members, "; ") + "."
	if stuck := len(d.Stuck) + d.More; stuck > 0 {
		text += " " + phrase.Count(stuck, "more thread waits", "more threads wait") + " for them."
	}
	return text
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

// IsPossible reports that the deadlocks are only possible ones: the trace lacks the end of the run, or does not have
// all threads at one moment.
func (r *Report) IsPossible() bool { return r.CutOff || r.Scattered }
