package jfr

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// watched looks at how many deeds go on while a player is told them.
type watched struct {
	player
	most int
}

func (w *watched) begins(d *deed, open *rests) error {
	err := w.player.begins(d, open)
	w.most = max(w.most, len(open.heap))
	return err
}

// TestOverlapsAreBounded: however many deeds of a thread overlap, one goes on at a time, whichever ends first.
func TestOverlapsAreBounded(t *testing.T) {
	for _, lasts := range []struct {
		name   string
		length func(i int64) int64
	}{
		{"each ends later", func(i int64) int64 { return 1_000_000 + i }},
		{"each ends earlier", func(i int64) int64 { return 1_000_000 - 2*i }},
		{"all end together", func(i int64) int64 { return 1_000_000 - i }},
	} {
		var deeds, found sorted
		for i := range int64(10_000) {
			deeds.add(&deed{kind: waits, thread: uint64(1 + i%2), other: 3, begin: trace.Time(i),
				length: lasts.length(i), timeout: notTimed})
		}
		w := &watched{player: newSurvey(true, &found, threadMemory)}
		if err := play(context.Background(), &deeds, &sorted{}, w); err != nil || w.most != 2 {
			t.Errorf("%s: %d go on, of 2 threads: %v", lasts.name, w.most, err)
		}
	}
}

// TestCollectionsAreBounded: more collections at a time than a JVM can have are left out and said.
func TestCollectionsAreBounded(t *testing.T) {
	b := newBuilder(second)
	for i := range 100 {
		b.event(idCollection, b.ticks(int64(i)), 2*1_000_000, keyVM, 0, count(i))
	}
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	text := strings.Join(o.elements, "")
	if starts, ends := strings.Count(text, "<gcStart"), strings.Count(text, "<gcFinish"); starts != mostCollections ||
		ends != mostCollections || len(o.findings) != 100-mostCollections {
		t.Errorf("%d begin, %d end, %d findings", starts, ends, len(o.findings))
	}
}

// sleeper is a chunk in which so many threads sleep, each from the microsecond of its index on.
func sleepers(threads int, micros int64) []byte {
	b := newBuilder(second)
	for i := range threads {
		b.event(idSleep, b.ticks(int64(i)*1000), 2*micros*1000, 1000+i, 0, 0)
	}
	pool := []any{idThread, count(threads)}
	for i := range threads {
		pool = append(pool, 1000+i, "os", 4000+i, "", 1+i, 0, written(true))
	}
	b.checkpoint(0, pool)
	b.describe()
	return b.bytes()
}

// TestForgottenThreads: threads whose ends nobody tells do not add up, and all that they do is told.
func TestForgottenThreads(t *testing.T) {
	const threads = 1000
	o := readAll(t, sleepers(threads, 5), limits{threads: 100 * threadCharge})
	text := strings.Join(o.elements, "")
	if n := strings.Count(text, "<monWaited"); n != threads {
		t.Errorf("%d threads sleep", n)
	}
	if n := strings.Count(text, "<threadStart"); n != threads {
		t.Errorf("%d threads start", n)
	}
	if len(o.findings) != 1 || o.findings[0].Rule != RuleTooLarge || o.findings[0].Severity != trace.Warning {
		t.Errorf("%v", o.findings)
	}
}

// TestTooManyRest: where there is room for no more threads, those that rest go on, and what the others do is said to be
// left out.
func TestTooManyRest(t *testing.T) {
	o := readAll(t, sleepers(1000, 10_000), limits{threads: 100 * threadCharge})
	text := strings.Join(o.elements, "")
	if begun, over := strings.Count(text, "<monWait "), strings.Count(text, "<monWaited "); begun != 100 ||
		over != begun {
		t.Errorf("%d begin to sleep, %d wake up", begun, over)
	}
	errors := 0
	for _, f := range o.findings {
		if f.Rule != RuleTooLarge {
			t.Error(f)
		}
		if f.Severity == trace.Error {
			errors++
		}
	}
	if errors != 2 {
		t.Errorf("%v", o.findings)
	}
}

// TestTheLastIsNotForgotten: whom a player is busy with stays, also where all others rest.
func TestTheLastIsNotForgotten(t *testing.T) {
	var found sorted
	s := newSurvey(true, &found, 3*threadCharge)
	var open rests
	for i, d := range []*deed{
		{kind: sleeps, thread: 1, length: 100}, {kind: sleeps, thread: 2, length: 100},
		{kind: waits, thread: 3, other: 4, length: 50}, {kind: ended, thread: 3},
	} {
		d.begin, d.order, d.timeout = trace.Time(i), uint64(i), notTimed
		if err := s.begins(d, &open); err != nil {
			t.Fatal(err)
		}
	}
	if l := s.standing.of[threadID{number: 3}]; l == nil || !l.dead || l.rest != nil {
		t.Errorf("%+v", l)
	}
}

// TestRoomForThreads: a million threads can live and rest at the same time, and take no more memory than they are
// charged.
func TestRoomForThreads(t *testing.T) {
	const threads = 1_000_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	told := newTelling(nil, newNames(maxNames), nil, map[uint32]space{}, threadMemory)
	var open rests
	for i := range uint64(threads) {
		id := threadID{number: i + 1}
		told.threads.find(id)
		l, ok := told.threads.find(id)
		if !ok {
			t.Fatalf("there is no room for thread %d", i)
		}
		l.rest = open.add(&deed{kind: parks, thread: i + 1})
		told.restsAt(l, told.find(l, &deed{address: 8 * (i + 1)}))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := int(after.HeapAlloc-before.HeapAlloc) / threads; each > threadCharge {
		t.Errorf("a thread that rests takes %d bytes, and is charged %d", each, threadCharge)
	} else {
		t.Logf("a thread that rests takes %d bytes, and is charged %d", each, threadCharge)
	}
	if len(open.heap) != threads || told.threads.forgot || told.threads.full {
		t.Errorf("%d rest", len(open.heap))
	}
	runtime.KeepAlive(told)
}

// TestRestsInOrder: whatever is taken out before its time, the others come in the order in which they end.
func TestRestsInOrder(t *testing.T) {
	var open rests
	var all []*rest
	for i := range uint64(1000) {
		all = append(all, open.add(&deed{begin: trace.Time(i * 7919 % 1009), order: i}))
	}
	for i := 0; i < len(all); i += 3 {
		open.remove(all[i])
	}
	last := trace.Time(-1)
	for n := 0; ; n++ {
		r := open.first()
		if r == nil {
			if n != 666 {
				t.Errorf("%d come", n)
			}
			return
		}
		if r.end() < last || r.order%3 == 0 {
			t.Fatalf("%d comes after %d", r.end(), last)
		}
		last = r.end()
		open.remove(r)
	}
}

// TestNestedPark: a pinned virtual thread sleeps by a park; that is one rest, and nothing wrong.
func TestNestedPark(t *testing.T) {
	b := newBuilder(second)
	b.event(idPark, b.ticks(2_000), 2*5_000, keyMain, 0, 0, 1_500_000, noLong, 0)
	b.event(idSleep, b.ticks(1_000), 2*10_000, keyMain, 0, 10_000)
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	if text := strings.Join(o.elements, ""); len(o.findings) > 0 || strings.Count(text, "<monWaited") != 1 ||
		!strings.Contains(text, `objIdRef="-1"`) {
		t.Errorf("%v %s", o.findings, text)
	}
}
