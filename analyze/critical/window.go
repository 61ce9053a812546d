package critical

import (
	"fmt"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// window is the part of the trace at which paths are cut.
type window struct {
	chosen       selection.Window
	since, until trace.Time // from since, inclusive, to until, exclusive
}

// Within cuts the paths that are computed from now on at the window. Segments are not cut.
func (r *Recorder) Within(w selection.Window) {
	r.window.chosen = w
	r.window.since, r.window.until = w.Bounds(r.start)
}

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

// nothing says why the path of a window is empty; "" if the window is not the reason.
func (p *Path) nothing() string {
	r := p.recorder
	w := &r.window
	switch {
	case w.whole() || p.Thread.Key == 0:
		return ""
	case w.since > r.end:
		return "the window begins after the end of the trace, which lasts " + phrase.Duration(int64(r.end-r.start))
	case p.wholeTo <= w.since:
		return "the path to " + p.end() + " ends before the window, at " + wording.Moment(p.wholeTo, r.start)
	case p.wholeFrom == p.wholeTo:
		return ""
	}
	return "the path to " + p.end() + " begins after the window, at " + wording.Moment(p.wholeFrom, r.start)
}
