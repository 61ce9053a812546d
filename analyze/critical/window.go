package critical

import (
	"fmt"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// window is the part of the trace that paths are limited to.
type window struct {
	chosen       selection.Window
	since, until trace.Time // from since, inclusive, to until, exclusive
	passed       bool       // a thread acted after it
}

// Within limits paths to the window: they end at the latest activity in it, and are cut at its begin. It is called
// before the first record. Segments are those of the whole trace.
func (r *Recorder) Within(w selection.Window) { r.window.chosen = w }

// holds reports whether the time is in the window.
func (w *window) holds(at trace.Time) bool { return at >= w.since && at < w.until }

// active reports whether the thread did something in the window.
func (r *Recorder) active(t *thread) bool { return t.did.known() && t.did.at >= r.window.since }

// whole reports whether the window is the whole trace.
func (w *window) whole() bool { return w.chosen.IsEverything() }

// String returns the window as a clause: "between 3s and 4s".
func (w *window) String() string {
	switch since, until := w.chosen.Since, w.chosen.Until; {
	case until == 0:
		return fmt.Sprintf("from %s on", since)
	case since == 0:
		return fmt.Sprintf("before %s", until)
	default:
		return fmt.Sprintf("between %s and %s", since, until)
	}
}

// nothing describes why the path of a window is empty; "" if the window is not the reason.
func (p *Path) nothing() string {
	r := p.recorder
	w := &r.window
	if w.whole() || r.acts == 0 {
		return ""
	}
	if w.since > r.end {
		return "the window begins after the end of the trace, which lasts " + phrase.Duration(int64(r.end-r.start))
	}
	if p.Thread.Key == 0 {
		return "no thread began, ended or changed its state " + w.String()
	}
	t := r.threadOf(p.Thread.Key)
	switch {
	case t.lastBefore == 0:
		return "the trace does not say what " + p.Thread.Title() + " was doing " + w.String()
	case !r.active(t):
		return fmt.Sprintf("%s did nothing %s; it was %s from %s on", p.Thread.Title(), w,
			r.stateOf(t.lastBefore).InSentence(), wording.Moment(r.begin(t.lastBefore), r.start))
	case t.did.at == w.since:
		return "the last event of " + p.Thread.Title() + " in the window is at the window's begin"
	}
	return ""
}
