package critical

import (
	"fmt"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// stillWaits returns the wait in which the path's thread was after the path, when the trace ended; 0 for none.
func (p *Path) stillWaits() segment {
	r := p.recorder
	if p.Thread.Key == 0 || !r.window.whole() {
		return 0
	}
	last := r.threads.At(p.Thread.Key).last
	if last == 0 || !waitsForSomething[r.of(last).state] {
		return 0
	}
	return last
}

// stillText is the sentence on stillWaits, or "".
func (p *Path) stillText() string {
	last := p.stillWaits()
	if last == 0 {
		return ""
	}
	r := p.recorder
	object, state, caller := r.WaitOf(trace.SegmentID(last))
	owner := r.Owner(trace.SegmentID(last))
	text := fmt.Sprintf("%s was still %s", p.Thread.Title(), state.InSentence())
	switch {
	case state == trace.StateJoining && owner.Key != 0:
		text += " " + owner.Title()
	case object.ID.Known():
		text += on(state, object)
	}
	if place := wording.Frame(caller); place != "" {
		text += " at " + place
	}
	text += " when the trace ended"
	if length := int64(r.OpenEnd(trace.SegmentID(last)) - r.begin(last)); length > 0 {
		text += ", for " + phrase.Duration(length)
	}
	if state == trace.StateBlocked && owner.Key != 0 {
		had := " had"
		if r.InfersOwner(trace.SegmentID(last)) {
			had = " probably had"
		}
		text += "; " + owner.Title() + had + " the lock when that wait began"
	}
	return text + "."
}
