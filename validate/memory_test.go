package validate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// TestIDSet compares the set with a map, through growing and shrinking.
func TestIDSet(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	s, want := newIDSet(1<<20, false), map[threadstate.Key]bool{}
	pick := func() threadstate.Key {
		switch random.IntN(3) {
		case 0:
			return threadstate.KeyOf([]byte(strconv.Itoa(1 + random.IntN(5000))))
		case 1:
			return threadstate.KeyOf([]byte(strconv.Itoa(random.IntN(1_000_000_000))))
		}
		return threadstate.KeyOf(fmt.Appendf(nil, "object-%d", random.IntN(3000)))
	}
	for range 200_000 {
		i := pick()
		if random.IntN(5) < 2 {
			s.remove(i)
			delete(want, i)
		} else if fresh := s.add(i); fresh == want[i] {
			t.Fatalf("adding %x: it was not there: %v", i, fresh)
		} else {
			want[i] = true
		}
		if i := pick(); s.has(i) != want[i] {
			t.Fatalf("it has %x: %v", i, s.has(i))
		}
	}
	for i := range want {
		s.remove(i)
	}
	if s.words != 0 || s.full {
		t.Errorf("%d words are left of an empty set", s.words)
	}
}

// TestBoundedSets proves that a full set keeps its ids and reports that it is full, and that a forgetting set loses the
// oldest.
func TestBoundedSets(t *testing.T) {
	fixed, forgetful := newIDSet(100, false), newIDSet(100, true)
	ids := make([]threadstate.Key, 1000)
	for n := range ids {
		ids[n] = threadstate.KeyOf([]byte(strconv.Itoa(1000 * (n + 1)))) // each in its own word
		if !fixed.add(ids[n]) || !forgetful.add(ids[n]) {
			t.Fatalf("id %d was there", n)
		}
		forgetful.add(ids[0]) // again, where it was forgotten
	}
	for n, i := range ids {
		if fixed.has(i) != (n < 100) {
			t.Errorf("the full set has id %d: %v", n, fixed.has(i))
		}
	}
	if !fixed.full || forgetful.full || forgetful.words > 100 || len(forgetful.slots) > 1024 ||
		!forgetful.has(ids[999]) || forgetful.has(ids[500]) {
		t.Errorf("full: %v and %v; the forgetful one has %d words in %d slots", fixed.full, forgetful.full,
			forgetful.words, len(forgetful.slots))
	}
}

// maker makes the elements of a trace that is too long to be written down.
type maker struct {
	checker  *Checker
	findings *Findings
	event    trace.EventBuilder
}

func newMaker() *maker {
	m := &maker{findings: NewFindings(RuleSelection{}, 10)}
	m.checker = NewChecker(func(int) *Findings { return m.findings })
	m.checker.Begin(0)
	return m
}

// give gives the checker an element; attributes and values alternate.
func (m *maker) give(kind trace.Kind, values ...any) {
	m.event.Reset(kind)
	for n := 0; n < len(values); n += 2 {
		m.event.SetValue(kind.Element().Position(values[n].(trace.Attr)), fmt.Append(nil, values[n+1]))
	}
	m.checker.Put(&m.event.Event)
}

// TestWhatIsNoTrace proves that a document that is not a trace need not end like one. It may be checked by a grammar of
// its own.
func TestWhatIsNoTrace(t *testing.T) {
	for kind, want := range map[trace.Kind]int{trace.Foreign: 0, trace.Root: 1, trace.GCStart: 1} {
		m := newMaker()
		m.give(kind)
		m.checker.End(trace.Ending{})
		if got := m.findings.Result().Counts["trace-unfinished"]; got != want {
			t.Errorf("%q alone: %d findings of trace-unfinished, want %d", kind, got, want)
		}
	}
}

// TestHostileTracesNeedNoMemory proves that anything a trace can name without end is forgotten or not kept at all.
func TestHostileTracesNeedNoMemory(t *testing.T) {
	testtool.Long(t)
	const count = 300_000
	for name, c := range map[string]struct {
		give  func(m *maker, n int)
		count int // of findings that are certain
	}{
		"strangers that act": {func(m *maker, n int) { m.give(trace.MethodEntry, trace.AttrThreadIDRef, 1000*n+7) },
			count},
		"strangers by text": {func(m *maker, n int) {
			m.give(trace.CallNotify, trace.AttrThreadID,
				fmt.Sprint("stranger-", n))
		}, count},
		"strangers that end": {func(m *maker, n int) { m.give(trace.ThreadEnd, trace.AttrThreadIDRef, 1000*n+7) },
			count},
		"owners": {func(m *maker, n int) { m.give(trace.MonContendedEnter, trace.AttrThreadOwner, 1000*n+7) }, count},
		"threads that come, go": {func(m *maker, n int) {
			m.give(trace.ThreadStart, trace.AttrThreadID, n)
			m.give(trace.ThreadEnd, trace.AttrThreadIDRef, n)
		}, 0},
		"the dead act": {func(m *maker, n int) {
			m.give(trace.ThreadStart, trace.AttrThreadID, 100*n)
			m.give(trace.ThreadEnd, trace.AttrThreadIDRef, 100*n)
			m.give(trace.CallNotify, trace.AttrThreadID, 100*n)
		}, count},
		"classes": {func(m *maker, n int) { m.give(trace.MethodEntry, trace.AttrClassIDRef, 1000*n+7) }, count},
		"long texts": {func(m *maker, n int) {
			m.give(trace.ClassUnload, trace.AttrClassIDRef, strings.Repeat("x", 100+n%100)+fmt.Sprint(n))
		}, count},
		"classes that come and go": {func(m *maker, n int) {
			m.give(trace.ClassDef, trace.AttrClassID, n)
			m.give(trace.MethodDef, trace.AttrMethodID, 1000*n, trace.AttrClassIDRef, n)
			m.give(trace.ClassUnload, trace.AttrClassIDRef, n)
		}, 0},
		"one method": {func(m *maker, n int) {
			m.give(trace.MethodDef, trace.AttrMethodID, 1,
				trace.AttrClassIDRef, n%2+1)
		}, 2},
		"deep calls": {func(m *maker, n int) { m.give(trace.MethodEntry, trace.AttrThreadIDRef, 7) }, 1},
		"deep calls of many": {func(m *maker, n int) { m.give(trace.MethodEntry, trace.AttrThreadIDRef, n%1000+1) },
			1000},
		"objects that move": {func(m *maker, n int) {
			m.give(trace.MonWait, trace.AttrThreadIDRef, n%10+1, trace.AttrObjIDRef, n)
			m.give(trace.ObjMove, trace.AttrObjIDRef, n, trace.AttrNewObjID, n+1)
			m.give(trace.ObjFree, trace.AttrObjIDRef, n+1)
		}, 10},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			for n := range count / 10 {
				c.give(m, n+1)
			}
			before := heapInUse()
			for n := count / 10; n < count; n++ {
				c.give(m, n+1)
			}
			if grown := heapInUse() - before; grown > 20<<20 {
				t.Errorf("%d MiB more after ten times as much", grown>>20)
			}
			result := m.findings.Result()
			if found := result.Errors + result.Warnings; found < c.count || c.count == 0 && result.Errors > 0 {
				t.Errorf("%d findings, want at least %d: %v", found, c.count, result.Counts)
			}
			runtime.KeepAlive(m)
		})
	}
}

func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestBeyondTheBounds proves that nothing is reported about ids that could not be kept.
func TestBeyondTheBounds(t *testing.T) {
	const calls = 1 << 16 // that are kept of a thread
	m := newMaker()
	for n := range maxThreads + 10 {
		m.give(trace.ThreadStart, trace.AttrThreadID, n+1)
	}
	for n := range maxThreads + 10 {
		m.give(trace.CallNotify, trace.AttrThreadID, n+1)
		m.give(trace.ThreadEnd, trace.AttrThreadIDRef, n+1)
	}
	for depth := range calls + 100 {
		m.give(trace.MethodEntry, trace.AttrThreadIDRef, 1, trace.AttrTicket, depth)
	}
	for depth := calls + 100; depth > 0; depth-- {
		m.give(trace.MethodExit, trace.AttrThreadIDRef, 1, trace.AttrTicket, depth-1)
	}
	result := m.findings.Result()
	if result.Counts["thread-dead"] != 1 || result.Errors != 1 || result.Counts["thread-undefined"] != 0 ||
		result.Counts["stack-unbalanced"] != 0 {
		t.Errorf("found %v", result.Counts)
	}
	if m.checker.frames != 0 {
		t.Errorf("%d calls are open", m.checker.frames)
	}
	m = newMaker()
	m.checker.known[classSpace].defined.max = 10
	for n := range 100 {
		m.give(trace.ClassDef, trace.AttrClassID, 1000*n+1000)
	}
	for n := range 100 {
		m.give(trace.MethodDef, trace.AttrMethodID, 1, trace.AttrClassIDRef, 1000*n+1000)
	}
	if result := m.findings.Result(); result.Counts["class-undefined"] != 0 {
		t.Errorf("found %v", result.Counts)
	}
}

// TestCommonCallsChangeNothing gives the same elements to a Checker that checks common calls on their own, and to one
// that does not.
func TestCommonCallsChangeNothing(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 11))
		short, long := newMaker(), newMaker()
		for _, kind := range []trace.Kind{trace.Node, trace.ProcessCreate, trace.AgentCreate, trace.TraceStart} {
			short.give(kind)
			long.give(kind)
		}
		common := 0
		for range 1000 {
			e := anyEvent(random)
			p := &plans[e.Kind]
			if p.call != nil && short.checker.commonCall(e, p.call) {
				common++
			} else {
				short.checker.check(e, p)
			}
			long.checker.check(e, p)
			if a, b := short.findings, long.findings; a.errors != b.errors || a.warnings != b.warnings ||
				!maps.Equal(a.counts, b.counts) {
				t.Fatalf("seed %d: after %s %v: %v in short, %v at length", seed, e.Name(), e.Named(), a.counts,
					b.counts)
			}
		}
		if short.checker.frames != long.checker.frames {
			t.Errorf("seed %d: %d and %d open calls", seed, short.checker.frames, long.checker.frames)
		}
		if common < 20 {
			t.Errorf("seed %d: %d common calls", seed, common)
		}
	}
}

// anyEvent is an event of few threads, classes, methods and objects: mostly a call.
func anyEvent(random *rand.Rand) *trace.Event {
	kinds := []trace.Kind{trace.ThreadStart, trace.ThreadEnd, trace.MonWait, trace.MonWaited, trace.MonContendedEnter,
		trace.MonContendedEntered,
		trace.ClassDef, trace.ClassDef, trace.MethodDef, trace.MethodDef, trace.ClassUnload, trace.ThreadInterrupted,
		trace.ObjAlloc, trace.ObjMove}
	kind := kinds[random.IntN(len(kinds))]
	if random.IntN(3) > 0 {
		kind = trace.MethodEntry + trace.Kind(random.IntN(2))
	}
	e := &trace.EventBuilder{}
	e.Reset(kind)
	for position, attribute := range kind.Element().Attributes {
		odd := random.IntN(100)
		if odd == 0 || attribute.Attr == trace.AttrObjIDRef && kind >= trace.MethodEntry && odd < 90 {
			continue
		}
		value := strconv.Itoa(random.IntN(3) + 1)
		switch {
		case attribute.Attr == trace.AttrTime:
			value = trace.Time(1_000_000_000 + random.Int64N(4_000_000)).String()
			e.Time, e.Reading = trace.ParseTime([]byte(value))
		case odd < 3:
			value = []string{"", "0", "-1", "many", "1234567890"}[random.IntN(5)]
		}
		e.SetValue(position, []byte(value))
	}
	return &e.Event
}
