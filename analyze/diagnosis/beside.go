package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// What other threads did while threads waited for somebody who is unknown: they slept, or were in input or output.

// addBeside adds threads that slept, or were in input or output, meanwhile: the one that is to end the group's waits is
// unknown, and may be one of them.
func (f *facts) addBeside(found *Finding, g *openGroup) {
	w := &g.Longest
	if found.Kind == IO || found.Kind == Join || waitsForEnd(w) || awaited(w) == processEnd ||
		found.Kind == WaitKind && f.isTimed(w) {
		return
	}
	inIO := f.inIOBeside(g)
	found.own = found.own && (len(inIO) == 0 || len(g.Waiters) < 2)
	found.Evidence = slices.Concat(f.asleep(w, meanwhile), f.asleepBeside(), inIO)
}

// meanwhile says when threads slept that did so during nearly all of the only wait.
const meanwhile = "Meanwhile"

// asleep names threads of the program that slept as long as the thread waited, once or again and again at one place:
// the thread that let it wait is unknown, and may be one of them. A main thread that only sleeps is left out. If some
// of them were called from a class from which it was called, too, only these are named. The sentence begins with when
// that was.
func (f *facts) asleep(w *blame.Wait, when string) []string {
	var related, others sleepers
	classes := classesOf(w)
	for t := range f.Blame.Threads {
		if t.Session != w.Thread.Session || f.Blame.OfJVM(t.Key) {
			continue
		}
		then := f.sleepDuring(t.Key, w)
		method := then.Caller.Method
		if method == nil || isInMain(&then.Caller) || enrich.IsLibrary(method.Class) || f.wasSeenToEnd(&then) {
			continue
		}
		if _, shared := sharedClass(classes, &then); shared {
			related.add(&then)
		} else {
			others.add(&then)
		}
	}
	// at a moment, many sleep by chance
	if len(related.places) == 0 && (w.Length() > 0 || len(others.places) <= maxListed) {
		related = others
	}
	if len(related.places) == 0 {
		return nil
	}
	slept := when + " these slept: "
	if w.Length() == 0 {
		slept = "Asleep, and perhaps who is to end that: "
	}
	return f.once(slept + related.list() + ".")
}

// sleepDuring returns the sleep of the thread that took nearly all of the wait, or the last of several at one place
// that did; the zero Wait if it did not sleep as long.
func (f *facts) sleepDuring(thread trace.ThreadKey, w *blame.Wait) blame.Wait {
	if w.Length() == 0 {
		if then := f.Blame.During(thread, w.From); then.Type == trace.Sleeping {
			return then
		}
		return blame.Wait{}
	}
	last, total := f.Blame.Slept(thread, w.From, w.To)
	if total < w.Length()-w.Length()/10 {
		return blame.Wait{}
	}
	return last
}

// isInMain reports whether a program's main method is at the place, or among the calls below it that the place has.
func isInMain(at *trace.Frame) bool {
	isMain := func(frame trace.Frame) bool { return frame.Method.Name == "main" }
	return isMain(*at) || at.Outer != nil && slices.ContainsFunc(at.Outer.Frames, isMain)
}

// sleepers are threads that sleep, by their places.
type sleepers struct {
	places []*sleepersAt
	at     map[place]*sleepersAt
}

// sleepersAt are threads that sleep at one place.
type sleepersAt struct {
	first blame.Wait
	names []string
}

func (s *sleepers) add(w *blame.Wait) {
	of := s.at[placeOf(w)]
	if of == nil {
		if s.at == nil {
			s.at = map[place]*sleepersAt{}
		}
		of = &sleepersAt{first: *w}
		s.at[placeOf(w)], s.places = of, append(s.places, of)
	}
	of.names = append(of.names, w.Thread.Name)
}

// list lists the threads of some places, and counts the others.
func (s *sleepers) list() string {
	var who []string
	more := 0
	for i, of := range s.places {
		text := of.first.Thread.Title() + at(&of.first)
		if len(of.names) > 1 {
			text = fmt.Sprintf("%d threads%s, such as %s", len(of.names), ofPool(of.names), text)
		}
		if i < maxListed {
			who = append(who, text)
		} else {
			more += len(of.names)
		}
	}
	return listOf(who, more)
}

// sharedClass returns the first class from which the thread was called that is one of the given ones.
func sharedClass(classes []string, w *blame.Wait) (class string, ok bool) {
	own := classesOf(w)
	i := slices.IndexFunc(own, func(class string) bool { return slices.Contains(classes, class) })
	if i < 0 {
		return "", false
	}
	return own[i], true
}

// inIOBeside names a thread that was in input or output as long as the group's longest wait was, and was called from a
// class of the program that had called the waiting thread, too: it may have what is awaited.
func (f *facts) inIOBeside(g *openGroup) []string {
	w, whom := &g.Longest, "them"
	if w.Length() == 0 {
		return nil
	}
	if len(g.Waiters) == 1 {
		whom = w.Thread.Title()
	}
	classes, latest := classesOf(w), w.From+trace.Time(w.Length()/10)
	for i := range f.open {
		other := &f.open[i].Longest
		if other.State != trace.StateInIO || other.From > latest || accepts(other.Caller) ||
			other.Thread.Session != w.Thread.Session {
			continue
		}
		if class, shared := sharedClass(classes, other); shared {
			return f.once(fmt.Sprintf("Meanwhile %s waited for input or output%s, also called from %s: "+
				"perhaps it keeps %s waiting.", other.Thread.Title(), at(other), class, whom))
		}
	}
	return nil
}

// starts are the methods in which threads and tasks begin: a class that has one may be shared by chance.
var starts = map[string]bool{"main": true, "run": true, "call": true}

// classesOf returns the names of the classes of the program that the thread was in.
func classesOf(w *blame.Wait) (classes []string) {
	frames := []trace.Frame{w.Caller}
	if w.Caller.Outer != nil {
		frames = append(frames, w.Caller.Outer.Frames...)
	}
	for _, frame := range frames {
		m := frame.Method
		if m != nil && !enrich.IsLibrary(m.Class) && !starts[m.Name] && !strings.HasPrefix(m.Name, "lambda$") {
			classes = append(classes, javaname.Class(m.Class))
		}
	}
	return classes
}

// wasSeenToEnd reports whether the last of several dumps shows that the wait is over: when it ended is unknown.
func (f *facts) wasSeenToEnd(w *blame.Wait) bool {
	if f.dumps() < 2 {
		return false
	}
	last, _ := f.Blame.Last(w.Thread.Key)
	return last.From != w.From
}

// once returns the sentence, which only the first finding that has it will keep.
func (f *facts) once(said string) []string {
	f.said[said] = true
	return []string{said}
}

// sayOnce keeps these sentences only in the first finding that has them as evidence. A finding goes if another one has
// it as evidence.
func (d *Diagnosis) sayOnce(said map[string]bool) {
	told := map[string]bool{}
	for i := range d.Findings {
		f := &d.Findings[i]
		f.Evidence = slices.DeleteFunc(f.Evidence, func(sentence string) bool {
			again := told[sentence]
			told[sentence] = said[sentence]
			return again
		})
	}
	d.Findings = slices.DeleteFunc(d.Findings, func(f Finding) bool { return told[f.Summary] })
}

// leaveOutNamed leaves out waits for input or output without evidence if an earlier finding says that they kept others
// waiting.
func (d *Diagnosis) leaveOutNamed() {
	named := map[trace.Frame]bool{}
	d.Findings = slices.DeleteFunc(d.Findings, func(f Finding) bool {
		for _, place := range f.Places {
			named[place[0]] = named[place[0]] || !f.own
		}
		return f.Kind == IO && f.own && len(f.Evidence) == 0 && f.at.Method != nil && named[f.at]
	})
}

// listOf lists threads, and counts those that it does not name.
func listOf(who []string, more int) string {
	if more > 0 {
		who = append(who, phrase.Count(more, "other"))
	}
	return phrase.List(who, "and")
}

// maxBeside limits the sleeping threads: if there are more, some of them are named by chance.
const maxBeside = 10

// asleepBeside names virtual threads of the program that slept in the dump made after a recording. The trace has
// nothing of them, so they may have slept since before it began.
func (f *facts) asleepBeside() []string {
	known := map[trace.ThreadID]bool{}
	for t := range f.Blame.Threads {
		known[t.ID] = true
	}
	var who []string
	for _, of := range f.Beside {
		for t := range of.Blame.Threads {
			then, lives := of.Blame.Last(t.Key)
			sleeps := lives && then.Type == trace.Sleeping
			if f.isOnly(t.ID.String()) && !known[t.ID] && sleeps && isOfProgram(&then.Caller) {
				known[t.ID] = true
				who = append(who, t.Title()+at(&then))
			}
		}
	}
	if len(who) == 0 || len(who) > maxBeside {
		return nil
	}
	named := who[:min(len(who), maxListed)]
	return f.once("Asleep soon after, and perhaps who is to end that: " + listOf(named, len(who)-len(named)) + ".")
}
