package critical

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Title returns the thread's name and id, for people.
func (t *Thread) Title() string { return wording.Thread(t.ID, t.Name) }

// Title returns the object's class as Java writes it, and its id, for people.
func (o *Object) Title() string {
	return wording.Condition(o.ID, o.Class, o.Lock, o.LockClass) + o.recording()
}

// Initialisation returns, of an object that is a class, the initialisation of the class, for people.
func (o *Object) Initialisation() string {
	return wording.Initialisation(o.ID, o.Class) + o.recording()
}

// LockTitle returns the lock of the object with its title, or the object's title if it is a lock, for people.
func (o *Object) LockTitle() string { return wording.Lock(o.ID, o.Class) + o.recording() }

// recording names the recording that the id belongs to, if it is not the first.
func (o *Object) recording() string {
	if o.Session > 0 {
		return fmt.Sprintf(" in recording %d", o.Session+1)
	}
	return ""
}

// at returns the place after the word at, or "" if it is unknown.
func at(f trace.Frame) string {
	if title := wording.Frame(f); title != "" {
		return " at " + title
	}
	return ""
}

// kindWords name the kinds of pieces that have no state.
var kindWords = [...]string{Latency: "woken but not running yet", Unknown: "nobody knows who had the lock",
	Paused: "stopped by garbage collections"}

// useWords say what a RUNNABLE thread did, after a part of the time.
var useWords = [...]string{UseUnknown: "runnable", OnCPU: "on a processor",
	OffCPU: "ready for a processor, or in waits that the trace does not have"}

// String returns what the thread did, for people.
func (u Use) String() string { return useWords[u] }

// Words says what pieces of the kind are, for people; "" for Segment, whose State says it.
func (k Kind) Words() string { return kindWords[k] }

// InSentence returns the state's name as a sentence writes it after a part of the path.
func (s State) InSentence() string {
	switch {
	case s.Kind == Segment && s.Type == trace.Running:
		return useWords[s.Use]
	case s.Kind == Segment:
		return s.Name.String()
	case s.Kind == Unknown:
		return "where " + kindWords[Unknown]
	}
	return kindWords[s.Kind]
}

// String returns the state's name as a table writes it.
func (s State) String() string {
	switch {
	case s.Kind == Segment && s.Use != UseUnknown:
		return useWords[s.Use]
	case s.Kind == Segment:
		return s.Name.String()
	}
	return kindWords[s.Kind]
}

// on returns the object after the word on; "" if it is unknown or the state does not imply one; for StateInitialising "
// for the initialisation of class shop.Config".
func on(state trace.State, o Object) string {
	if state == trace.StateInitialising {
		return " for " + o.Initialisation()
	}
	if !o.ID.Known() && state == trace.StateParked ||
		(!o.ID.Known() || javaname.IsPermit(o.Class)) && state == trace.StateInIO { // a virtual thread parks then
		return ""
	}
	return " on " + o.Title()
}

// reason describes what threads waited for.
func (w *Wait) reason() string {
	switch w.State {
	case trace.WaitingForLock:
		return w.Object.LockTitle()
	case trace.WaitingForObject:
		if w.Name == trace.StateInitialising {
			return w.Object.Initialisation()
		}
		return strings.TrimPrefix(on(w.Name, w.Object), " on ")
	case trace.WaitingForJoin:
		return JoinTitle(w.Longest.Owner, w.Object)
	}
	return "an interrupt"
}

// JoinTitle says what a joining thread waits for: the end of worker-1 (thread 12) or, if the thread is unknown, of the
// object of class java.lang.Thread.
func JoinTitle(joined Thread, object Object) string {
	switch {
	case joined.Key != 0:
		return "the end of " + joined.Title()
	case !object.ID.Known():
		return "the end of an unknown thread"
	case object.Class == "":
		return "the end of the thread of " + object.Title()
	}
	return "the end of " + object.Title()
}

// moment writes a time since the trace's start, in seconds.
func (r *Recorder) moment(at trace.Time) string { return wording.Moment(at, r.start) }

// Verdict summarizes the path: its length and its states.
func (p *Path) Verdict() string { return p.verdict(p.Shares()) }

func (p *Path) verdict(shares *Shares) string {
	if p.Size() == 0 {
		if summed := p.recorder.Summed(); summed != "" {
			return "The path is empty. " + summed
		}
		return "The path is empty: " + p.emptiness() + "."
	}
	var b strings.Builder
	b.WriteString(p.extent() + ": ")
	for i, share := range shares.States {
		switch {
		case i > 0 && 100*share.Time < p.Length():
			continue
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s %s", phrase.Percent(share.Time, p.Length()), share.Of.InSentence())
	}
	b.WriteByte('.')
	b.WriteString(p.lockless(shares))
	return b.String()
}

// lockless is a sentence on a path without significant waits for locks; "" for other paths.
func (p *Path) lockless(shares *Shares) string {
	blocked := int64(0)
	for i := range shares.Waits {
		if w := &shares.Waits[i]; w.State == trace.WaitingForLock && !w.idle {
			if blocked += w.Time; blocked >= p.Length()/100 {
				return ""
			}
		}
	}
	switch {
	case blocked > 0:
		return " Locks took less than 1 % of it."
	case p.recorder.window.whole() && !p.Ending.IsArbitrary() && p.stillWaits() == 0:
		return " No lock held it up."
	}
	return " No lock is on it." // threads outside of the path may have waited for locks
}

// extent states the length and the end of the path.
func (p *Path) extent() string {
	if w := &p.recorder.window; !w.whole() {
		return fmt.Sprintf("The path to %s takes %s %s", p.end(), phrase.Duration(p.Length()), w)
	}
	return p.Took() + ", up to " + p.end()
}

// Took states the length of the path: "The run took 3.00 s". It is the path of the run only if the run ended by itself,
// and of the whole run if the trace has the start of the JVM.
func (p *Path) Took() string {
	length := phrase.Duration(p.Length())
	switch w := &p.recorder.window; {
	case !w.whole():
		return fmt.Sprintf("The path takes %s %s", length, w)
	case p.Ending == EndByItself && p.recorder.closing.began:
		return "The run took " + length
	case p.Ending == EndByItself:
		return "The recorded part of the run took " + length
	}
	return "The path takes " + length
}

// end describes the path's end: its thread's end, or the thread's last event if the trace lacks the end.
func (p *Path) end() string {
	switch {
	case p.recorder.threads.At(p.Thread.Key).died == 0:
		return "the last event of " + p.Thread.Title()
	case p.Thread.Name == destroyer:
		return "the end of the JVM, in " + p.Thread.Title()
	}
	return "the end of " + p.Thread.Title()
}

// emptiness says why a path is empty.
func (p *Path) emptiness() string {
	if why := p.nothing(); why != "" {
		return why
	}
	switch {
	case p.Thread.Key == 0 && p.recorder.acts > 0:
		return "the trace does not show a state of any thread"
	case p.Thread.Key == 0:
		return "the trace has no events of threads or monitors"
	case p.recorder.threads.At(p.Thread.Key).last == 0:
		return "the trace does not say what " + p.Thread.Title() + " was doing"
	}
	return "no event of " + p.Thread.Title() + " is later than its first"
}
