package drain

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// The objects of a world: locks from 1 on, synchronizers that are not locks from 30 on, conditions from 60 on.
const (
	firstLock      = 1
	firstSemaphore = 30
	firstCondition = 60
	firstBlocker   = 90
)

// newLocks makes locks, each with a condition, and semaphores or latches.
func (w *world) newLocks(locks, semaphores int) {
	for i := range int64(locks) {
		w.locks = append(w.locks, &synchronizer{id: firstLock + i, lock: true, permits: 1, condition: firstCondition + i})
	}
	for i := range int64(semaphores) {
		w.locks = append(w.locks, &synchronizer{id: firstSemaphore + i, permits: 1 + i%3})
	}
}

// mixed is a program of all kinds of waits and blocks.
func mixed(steps int) func(*actor) {
	return func(a *actor) {
		for range steps {
			a.act()
			a.run(20_000)
		}
	}
}

// act is one action of a program.
func (a *actor) act() {
	s := a.locks[a.random.IntN(len(a.locks))]
	other := a.actors[a.random.IntN(len(a.actors))]
	timeout := int64(1 + a.random.IntN(100_000))
	switch kind := a.random.IntN(12); {
	case kind < 5 && s.lock:
		a.critical(s, kind, timeout)
	case kind < 5:
		if s.acquire(&waiter{actor: a, shared: true}, timeout*int64(kind%2), kind == 3) == 1 {
			a.run(10_000)
			s.release(a)
		}
	case kind == 5:
		a.park(firstBlocker, timeout, 0, 0, 0)
	case kind == 6:
		a.park(0, int64(a.random.IntN(2))*timeout, 0, 0, 0)
	case kind == 7:
		a.unpark(other)
	case kind == 8:
		a.unpark(other)
		a.unpark(other)
	case kind == 9 && !a.calm && a.random.IntN(4) == 0:
		a.interrupt(other)
	case kind == 10:
		a.clearInterrupt()
	}
}

// critical enters a lock in one of five ways, and awaits or signals its condition.
func (a *actor) critical(s *synchronizer, kind int, timeout int64) {
	switch kind {
	case 0:
		if s.acquire(&waiter{actor: a}, timeout, true) != 1 {
			return
		}
	case 1:
		if s.acquire(&waiter{actor: a}, 0, true) != 1 {
			return
		}
	default:
		s.acquire(&waiter{actor: a}, 0, false)
	}
	a.run(20_000)
	switch a.random.IntN(5) {
	case 0:
		s.await(a, int64(a.random.IntN(2))*timeout)
	case 1, 2:
		s.signal(a, false)
	case 3:
		s.signal(a, true)
	}
	a.run(5_000)
	s.release(a)
}

// waker is a program that lets no thread wait for ever.
func waker(steps int) func(*actor) {
	return func(a *actor) {
		for range steps {
			for _, s := range a.locks {
				if s.lock {
					s.acquire(&waiter{actor: a}, 0, false)
					s.signal(a, true)
					s.release(a)
				}
			}
			a.run(2 * ms)
			a.unpark(a.actors[a.random.IntN(len(a.actors))])
		}
	}
}

// told is a wait or block as the trace has it, read by the rules for annotations.
type told struct {
	object   string
	lock     bool
	owners   []string
	cause    string // for a wait, the thread of its notification; for a block, causedBy
	end      string // timeout, interrupt
	lockFrom string
	ended    bool
}

// read returns the waits and blocks of each thread.
func read(t *testing.T, elements []*trace.Event) map[string][]*told {
	t.Helper()
	all, soon, open := map[string][]*told{}, map[string][2]string{}, map[string]*told{}
	for _, e := range elements {
		id := ""
		if attr := e.Kind.Element().Thread(); attr != 0 {
			id = string(e.Value(attr))
		}
		object := string(e.Value(trace.AttrObjIDRef))
		switch e.Kind {
		case trace.MonWait:
			w := &told{object: object}
			if next := soon[id]; next[0] == object {
				w.cause = next[1]
			}
			open[id], all[id] = w, append(all[id], w)
		case trace.MonContendedEnter:
			w := open[id]
			if annotation(e, "again") == "" {
				w = &told{object: object, lock: true}
				open[id], all[id] = w, append(all[id], w)
			}
			w.owners = append(w.owners, string(e.Value(trace.AttrThreadOwner)))
		case trace.CallNotify:
			for waiter := range strings.FieldsSeq(annotation(e, "wakes")) {
				if w := open[waiter]; w != nil && !w.lock && w.object == object {
					w.cause = id
				} else {
					soon[waiter] = [2]string{object, id}
				}
			}
		case trace.MonWaited, trace.MonContendedEntered:
			w := open[id]
			if w == nil || w.object != object {
				t.Fatalf("thread %s ends what it has not begun: %s", id, object)
			}
			if w.ended = true; w.lock {
				w.cause = annotation(e, trace.NoteCausedBy)
			}
			w.end, w.lockFrom = annotation(e, "gaveUp"), annotation(e, "lockFrom")
			if string(e.Value(trace.AttrIsTimedOut)) == "1" {
				w.end = "timeout"
			}
			open[id] = nil
		}
		if e.Kind == trace.MonWait || e.Kind == trace.MonWaited || e.Kind == trace.MonContendedEnter ||
			e.Kind == trace.MonContendedEntered {
			delete(soon, id)
		}
	}
	return all
}

// annotation returns the value of the element's annotation, or "".
func annotation(e *trace.Event, name string) string {
	_, rest, found := strings.Cut(inside(e), `<annotation name="`+name+`" value="`)
	if !found {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// wrongs counts the trace's mistakes.
type wrongs struct {
	facts, wrong, unknown int
	examples              []string
}

// compare compares the trace with what happened.
func (w *world) compare(t *testing.T, name string, elements []*trace.Event, c *wrongs) {
	t.Helper()
	all := read(t, elements)
	for _, a := range w.actors {
		got := all[strconv.FormatInt(a.id, 10)]
		if n := len(got); n > 0 && !got[n-1].ended {
			got = got[:n-1]
		}
		if len(got) != len(a.blocks) {
			t.Errorf("%s: thread %d has %d waits and blocks in the trace, want %d", name, a.id, len(got), len(a.blocks))
		}
		for i, f := range a.blocks[:min(len(got), len(a.blocks))] {
			c.facts++
			if wrong := f.differs(got[i], c); wrong != "" {
				c.wrong++
				if len(c.examples) < 5 {
					c.examples = append(c.examples, fmt.Sprintf("thread %d, %d: %s: got %+v, want %+v", a.id, i, wrong,
						*got[i], f))
				}
			}
		}
	}
}

// differs returns the trace's mistake about a wait or block, or "".
func (f *fact) differs(got *told, c *wrongs) string {
	object := strconv.FormatInt(f.object, 10)
	if f.object < 0 {
		object = got.object
		if id, _ := strconv.ParseInt(object, 10, 64); id <= firstPermit {
			return "no permit object"
		}
	}
	cause, end := "", ""
	if f.reason == unparked {
		cause = strconv.FormatInt(f.by, 10)
	}
	switch {
	case f.lock && f.result == 0:
		cause, end = "", "timeout"
	case f.lock && f.result < 0:
		cause, end = "", "interrupt"
	case f.lock && f.reason == permitted && got.cause != "":
		cause = strconv.FormatInt(f.by, 10)
	case f.signal != 0:
		if cause != "" && got.lockFrom != cause {
			return "lockFrom"
		}
		cause = strconv.FormatInt(f.signal, 10)
	case f.reason == timeout && !f.lock:
		end = "timeout"
	}
	switch {
	case got.object != object || got.lock != f.lock:
		return "object"
	case got.cause == "" && cause != "":
		c.unknown++
		return "unknown cause"
	case got.cause != cause:
		return "cause"
	case got.end != end:
		return "end"
	}
	return f.differentOwners(got)
}

// differentOwners compares the owners that the trace has of the lock, one for each change.
func (f *fact) differentOwners(got *told) string {
	var owners []string
	for i, owner := range f.owners {
		if i == 0 || owner != f.owners[i-1] {
			owners = append(owners, strconv.FormatInt(owner, 10))
		}
	}
	if strings.Join(owners, " ") != strings.Join(got.owners, " ") {
		return fmt.Sprintf("owners, want %v", owners)
	}
	return ""
}

// TestParkPrograms proves of random programs that the trace has each wait and block with its true cause.
func TestParkPrograms(t *testing.T) {
	for _, c := range []struct {
		name         string
		tick         int64
		delays       int
		calm         bool
		most         float64 // limit of mistakes per thousand
		locks, other int
	}{
		{"exact", 1, 0, true, 2, 3, 3},
		{"interrupts", 1, 0, false, 6, 3, 3},
		{"a clock that ticks slowly", 40, 0, true, 2, 3, 3},
		{"delayed unparks", 10, 20, true, 15, 3, 3},
		{"one lock", 10, 2, false, 5, 1, 0},
	} {
		var total wrongs
		for seed := range uint64(20) {
			name := fmt.Sprintf("%s, seed %d", c.name, seed)
			runParks(t, name, seed, c.tick, c.delays, c.calm, c.locks, c.other, &total)
		}
		t.Logf("%s: %d waits and blocks, %d wrong, of which %d have no cause", c.name, total.facts, total.wrong, total.unknown)
		if float64(total.wrong)*1000 > c.most*float64(total.facts) || total.facts < 5_000 {
			t.Errorf("%s: %d of %d are wrong, such as %s", c.name, total.wrong, total.facts,
				strings.Join(total.examples, "\n"))
		}
	}
}

func runParks(t *testing.T, name string, seed uint64, tick int64, delays int, calm bool, locks, other int, total *wrongs) {
	jvm := begin(t, 25)
	programs := 0
	w := newWorld(jvm, seed, 7, func(a *actor) {
		if programs++; a.id == 1 {
			waker(120)(a)
		} else {
			mixed(300)(a)
		}
	})
	w.tick, w.delays, w.calm = tick, delays, calm
	w.newLocks(locks, other)
	var out collected
	drainer := New(jvm.Segment, &out, preamble, nil)
	drainer.round()
	w.between = func() {
		if w.random.IntN(500) == 0 {
			drainer.round()
		}
	}
	w.simulate(math.MaxInt64 - 1)
	document := finished(drainer, &out)
	if s := &drainer.summary; s.Unknown > 0 || tick == 1 && s.Strays+s.Repaired > 0 {
		t.Errorf("%s: the summary is %+v", name, drainer.summary)
	}
	w.compare(t, name, checkTrace(t, name, document, tolerated...), total)
}
