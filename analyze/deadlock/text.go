package deadlock

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/phrase"
)

// Options select what is printed for people.
type Options struct {
	// All prints supposed inversions, too.
	All bool
	// Max limits the inversions of a kind and the frames of a stack; 0 is no limit.
	Max int
}

// WriteText writes the report for people.
func (r *Report) WriteText(out io.Writer, options Options) error {
	w := &words{Report: r, Options: options}
	w.line(0, "%s.", sentence(r.Verdict()))
	for i := range r.Deadlocks {
		w.deadlock(i)
	}
	w.inversions("LOCK-ORDER INVERSION", r.Seen())
	w.inversions("HARMLESS LOCK-ORDER INVERSION", r.Harmless())
	if options.All {
		w.inversions("SUPPOSED LOCK-ORDER INVERSION", r.supposed())
	}
	w.remarks()
	_, err := out.Write(w.Bytes())
	return err
}

// words builds the text.
type words struct {
	bytes.Buffer
	*Report
	Options
}

// line writes a line that is indented by blanks.
func (w *words) line(indent int, format string, arguments ...any) {
	fmt.Fprintf(w, "%*s", indent, "")
	fmt.Fprintf(w, format, arguments...)
	w.WriteByte('\n')
}

// sentence is the text with a capital letter first.
func sentence(text string) string { return string(bytes.ToUpper([]byte(text[:1]))) + text[1:] }

// recording names the recording, unless it is the first one.
func recording(session int) string {
	if session == 0 {
		return ""
	}
	return fmt.Sprintf(" in recording %d", session+1)
}

func (w *words) deadlock(i int) {
	d := &w.Deadlocks[i]
	where, threads := recording(d.Members[0].Thread.Session), phrase.Count(len(d.Members), "thread")
	howLong := " for ever"
	switch {
	case w.Scattered:
		howLong = ""
	case w.CutOff:
		howLong = " at the end of the trace"
	}
	atOnce := d.atOnce()
	if !atOnce {
		howLong += ", since " + w.moment(d.Time)
	}
	w.line(0, "\n%s %d%s: %s wait for each other%s", strings.ToUpper(w.kind()), i+1, where, threads, howLong)
	for j := range d.Members {
		b := &d.Members[j]
		next, before := &d.Members[(j+1)%len(d.Members)], &d.Members[(j+len(d.Members)-1)%len(d.Members)]
		w.line(0, "")
		lasting := ""
		if !atOnce {
			lasting = fmt.Sprintf(", blocked since %s, for %s until the end of the trace", w.moment(b.Since),
				phrase.Duration(b.Length()))
		}
		w.line(2, "%s%s", b.Thread.title(), lasting)
		w.line(4, "holds  %s", before.Monitor.title())
		w.taken(b)
		w.line(4, "wants  %s, which %s holds", b.Monitor.title(), next.Thread.title())
		w.at(b)
	}
	w.stuck(d, atOnce)
}

// atOnce reports whether no member had been blocked for any time, as in a thread dump, which is of one moment.
func (d *Deadlock) atOnce() bool {
	return !slices.ContainsFunc(d.Members, func(b Block) bool { return b.Length() > 0 })
}

// taken writes where a thread entered the monitor that it holds.
func (w *words) taken(b *Block) {
	if at := phrase.Frame(b.Taken); at != "" {
		w.line(11, "entered in %s", at)
	}
}

// at writes where the thread is blocked.
func (w *words) at(b *Block) {
	if b.Stack == nil {
		if at := phrase.Frame(b.Caller); at != "" {
			w.line(11, "in %s", at)
		}
		return
	}
	in := "in"
	for i, frame := range b.Stack.Frames[b.Stack.Inner:] {
		if left := len(b.Stack.Frames) - b.Stack.Inner - i; w.Max > 0 && i >= w.Max {
			w.line(14, "and %s further out", phrase.Count(left, "call"))
			return
		}
		at := phrase.Frame(frame)
		if at == "" {
			at = "an unknown method"
		}
		w.line(11, "%s %s", in, at)
		in = "  "
	}
}

func (w *words) stuck(d *Deadlock, atOnce bool) {
	if len(d.Stuck) == 0 {
		return
	}
	w.line(0, "\n  Stuck because of it:")
	for i := range d.Stuck {
		s := &d.Stuck[i]
		if w.Max > 0 && i >= 5*w.Max {
			w.line(4, "and %s", phrase.Count(len(d.Stuck)-i+d.More, "more thread"))
			return
		}
		since := ""
		if !atOnce {
			since = ", since " + w.moment(s.Since)
		}
		if s.Joins {
			w.line(4, "%s, which waits for the end of %s%s", s.Thread.title(), s.Blocker.title(), since)
		} else {
			w.line(4, "%s, blocked on %s, which %s holds%s", s.Thread.title(), s.Monitor.title(), s.Blocker.title(), since)
		}
		if at := phrase.Frame(s.Caller); at != "" {
			w.line(11, "in %s", at)
		}
	}
	if d.More > 0 {
		w.line(4, "and %s", phrase.Count(d.More, "more thread"))
	}
}

func (w *words) inversions(heading string, inversions []Inversion) {
	grouped := groups(inversions)
	for i := range grouped {
		if w.Max > 0 && i >= w.Max {
			w.line(0, "\n%d more of them are not shown; --max 0 shows all, and so does --format json.", len(grouped)-i)
			return
		}
		g := &grouped[i]
		w.line(0, "\n%s %d%s: %s are entered in different orders", heading, i+1,
			recording(g.Orders[0].Example.Thread.Session), phrase.Count(len(g.Orders), "monitor"))
		for j := range g.Orders {
			w.order(&g.Orders[j])
		}
		for _, gate := range g.Gates {
			w.gate(gate)
		}
		if g.others > 0 {
			w.line(0, "\n  %d more like it: the same classes in the same places, other objects", g.others)
		}
	}
}

func (w *words) order(o *Order) {
	b := &o.Example
	w.line(0, "")
	often := ""
	if o.Times > 1 {
		often = fmt.Sprintf("; %d times in all", o.Times)
	}
	w.line(2, "%s, blocked at %s for %s%s", b.Thread.title(), w.moment(b.Since), phrase.Duration(b.Length()), often)
	w.line(4, "held   %s", o.Held.title())
	w.taken(b)
	if o.Evidence == Seen {
		w.line(11, "as %s found at %s", o.By.title(), w.moment(o.NamedAt))
	} else {
		w.line(11, "supposedly: nothing shows that it left the monitor")
	}
	w.line(4, "wanted %s", b.Monitor.title())
	w.at(b)
}

func (w *words) gate(gate Gate) {
	w.line(0, "")
	if gate.Evidence == Seen {
		w.line(2, "All of them also held %s. As long as they do, they cannot deadlock.",
			gate.Monitor.title())
	} else {
		w.line(2, "All of them may also have held %s. If they always do, they cannot deadlock.",
			gate.Monitor.title())
	}
}

// limits returns what the report cannot know of the trace, a paragraph each.
func (r *Report) limits() (all []string) {
	if r.Scattered && len(r.Deadlocks) > 0 {
		all = append(all, "The JVM has looked at one thread after the other, so these threads may have gone on meanwhile. "+
			"If they are blocked on the same objects in a later dump, too, they are most likely deadlocked.")
	}
	if r.Live {
		return append(all, r.limitOfLive())
	}
	if r.CutOff && len(r.Deadlocks) > 0 {
		all = append(all, "The trace was cut off, so these threads may have gone on. Those that had waited for seconds "+
			"were most likely deadlocked.")
	}
	if r.Unowned > 0 {
		are := "are"
		if r.Unowned == 1 {
			are = "is"
		}
		all = append(all, fmt.Sprintf("%s %s BLOCKED at the end on monitors whose owners the trace does not have: a "+
			"deadlock of these is not seen here.", phrase.Count(r.Unowned, "thread"), are))
	}
	if !r.OwnedLocks && len(r.Deadlocks) == 0 {
		all = append(all, "The trace has no waits for locks of java.util.concurrent: unless its recorder reports these, "+
			"a deadlock of such locks is not seen here; jcmd PID Thread.print -l shows it.")
	}
	return all
}

// limitOfLive returns what a thread dump of a running JVM does not have.
func (r *Report) limitOfLive() string {
	lacks := "virtual threads that wait, and no owners of read locks and semaphores"
	switch {
	case r.Scattered && r.OwnersUnknown:
		lacks = "owners of read locks and semaphores, nor of other locks of java.util.concurrent that virtual threads hold " +
			"or wait for"
	case r.Scattered:
		lacks = "owners of read locks and semaphores"
	}
	return "A thread dump has no " + lacks + ": a deadlock of these is not seen here."
}

// remarks writes advice and what was left out.
func (w *words) remarks() {
	if len(w.Seen()) > 0 {
		w.line(0,
			"\nIf such threads run at the same time, they can deadlock. Enter the monitors in the same order "+
				"everywhere, or only one of them.")
	}
	if hint := w.hint(); hint != "" && !w.All {
		w.line(0, "\n%s.", sentence(hint))
	}
	for i, line := range w.omissions(w.All) {
		if i == 0 {
			w.line(0, "")
		}
		w.line(0, "%s", line)
	}
	for _, limit := range w.limits() {
		w.line(0, "\n%s", limit)
	}
	if w.lacksPlaces() {
		w.line(0, "\n%s", phrase.NoStacks)
	}
}
