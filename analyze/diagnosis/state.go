package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// States is a sink that keeps the states of objects for which threads waited. The zero States has none.
type States struct {
	all map[stated]trace.ObjectState
}

// stated is an object with a state.
type stated struct {
	session int
	id      trace.ObjectID
}

// Put keeps the record if it is a state.
func (s *States) Put(r trace.Record) error {
	if state, ok := r.(*trace.ObjectState); ok {
		if s.all == nil {
			s.all = map[stated]trace.ObjectState{}
		}
		s.all[stated{state.Session, state.Object}] = *state
	}
	return nil
}

// of returns the state of the object; nil if it is not known.
func (s *States) of(o *critical.Object) *trace.ObjectState {
	if s == nil || !o.ID.Known() {
		return nil
	}
	if state, ok := s.all[stated{o.Session, o.ID}]; ok {
		return &state
	}
	return nil
}

// state is what is known of an object for which threads still wait: a clause after its title, what is not known, and
// who is to blame.
type state struct {
	which, rest string
	blamed      []critical.Thread
}

// stateOf tells the state of what the threads of the group wait for.
func (f *facts) stateOf(g *blame.OpenGroup) (s state) {
	object := &g.Longest.Object
	of := f.States.of(object)
	synchronizer, _ := javaname.SynchronizerOf(object.Class)
	if of == nil {
		return s
	}
	number := func(name string) int {
		n, _ := of.Number(name)
		return int(n)
	}
	switch synchronizer.Word {
	case "semaphore":
		s.which = ", which had " + phrase.Count(number("permits"), "permit") + ","
		if number("permits") <= 0 {
			s.take(f.Blame.Keepers(g))
		}
	case "latch":
		if count := number("count"); count > 0 {
			s.which = fmt.Sprintf(", whose count was %d,", count)
			s.rest = "; who was to count it down is not known"
		}
	case "phaser":
		s.which = fmt.Sprintf(", at which %d of %s had arrived,", number("arrived"),
			phrase.Count(number("parties"), "party", "parties"))
	case "lock":
		s.hold(f, object.Session, of)
	}
	return s
}

// take says who took the permits of a semaphore.
func (s *state) take(keepers []critical.Thread) {
	switch len(keepers) {
	case 0:
		s.rest = "; who took them is not known"
		return
	case 1:
		s.rest = "; " + keepers[0].Title() + " got one and has not given it back"
	default:
		s.rest = fmt.Sprintf("; %d threads got one and have not given it back, such as %s", len(keepers), keepers[0].Title())
	}
	s.blamed = keepers
}

// hold says who holds a lock that can have readers.
func (s *state) hold(f *facts, session int, of *trace.ObjectState) {
	readers, _ := of.Number("readers")
	writers, _ := of.Number("writers")
	switch {
	case writers > 0:
		s.which, s.rest = ", which was held for writing,", "; who holds it is not known"
	case readers > 0:
		s.which, s.rest = ", which was held for reading,", "; who holds it is not known"
		if readers > 1 {
			s.which = fmt.Sprintf(", which was held for reading %d times,", readers)
		}
		if s.blamed = f.readersOf(session, of); len(s.blamed) > 0 {
			s.rest = ", by " + titles(s.blamed)
		}
	}
}

// readersOf returns the readers of a lock that are known.
func (f *facts) readersOf(session int, of *trace.ObjectState) []critical.Thread {
	return f.Blame.ThreadsOf(session, slices.Compact(slices.Sorted(slices.Values(of.Numbers("reader")))))
}

// titles lists threads.
func titles(all []critical.Thread) string {
	var names []string
	for i := range all {
		names = append(names, all[i].Title())
	}
	return strings.Join(names, " and ")
}

// addState adds the state of a lock for which threads still wait: if nobody is known to hold it, which readers do.
func (f *facts) addState(l *lock) {
	i := slices.IndexFunc(f.open, func(g blame.OpenGroup) bool { return g.Longest.Object.ID.String() == l.id })
	if i < 0 {
		return
	}
	s := f.stateOf(&f.open[i])
	l.state = f.objectOf(&f.open[i].Longest).State
	for j := range s.blamed {
		l.readers = append(l.readers, threadOf(s.blamed[j].ID.String(), s.blamed[j].Name))
	}
	if s.which != "" {
		l.read = strings.TrimSuffix(s.which, ",") + " when the trace ended" + s.rest
	}
}
