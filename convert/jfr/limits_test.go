package jfr

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// watched counts the open intervals while a handler handles events.
type watched struct {
	handler
	most int
}

func (w *watched) begin(d *event, open *openIntervals) error {
	err := w.handler.begin(d, open)
	w.most = max(w.most, len(open.heap))
	return err
}

// TestOverlappingEvents: of a thread's overlapping events one is open at a time, whichever ends first.
func TestOverlappingEvents(t *testing.T) {
	for _, lasts := range []struct {
		name   string
		length func(i int64) int64
	}{
		{"each ends later", func(i int64) int64 { return 1_000_000 + i }},
		{"each ends earlier", func(i int64) int64 { return 1_000_000 - 2*i }},
		{"all end together", func(i int64) int64 { return 1_000_000 - i }},
	} {
		var events, inferred eventSorter
		for i := range int64(10_000) {
			events.add(&event{kind: kindWait, thread: uint64(1 + i%2), other: 3, begin: trace.Time(i),
				duration: lasts.length(i), timeout: noTimeout})
		}
		w := &watched{handler: newInferrer(true, &inferred, -1, threadMemory)}
		if err := replay(context.Background(), &events, &eventSorter{}, w); err != nil || w.most != 2 {
			t.Errorf("%s: %d open intervals of 2 threads: %v", lasts.name, w.most, err)
		}
	}
}

// TestCollectionLimit: collections beyond the limit are skipped and reported.
func TestCollectionLimit(t *testing.T) {
	b := newBuilder(second)
	for i := range 100 {
		b.event(idCollection, b.ticks(int64(i)), 2*1_000_000, keyVM, 0, count(i))
	}
	b.constants()
	b.describe()
	o := readAll(t, b.bytes(), limits{})
	text := strings.Join(o.elements, "")
	if starts, ends := strings.Count(text, "<gcStart"), strings.Count(text, "<gcFinish"); starts != maxCollections ||
		ends != maxCollections || len(o.findings) != 100-maxCollections {
		t.Errorf("%d begin, %d end, %d findings", starts, ends, len(o.findings))
	}
}

// sleepers returns a chunk in which the given number of threads sleep, each from the microsecond of its index on.
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

// TestThreadLimitEviction: threads without recorded ends are evicted, and all their events are emitted.
func TestThreadLimitEviction(t *testing.T) {
	const threads = 1000
	o := readAll(t, sleepers(threads, 5), limits{threads: 100 * threadCharge})
	text := strings.Join(o.elements, "")
	if n := strings.Count(text, "<monWaited"); n != threads {
		t.Errorf("%d threads sleep", n)
	}
	if n := strings.Count(text, "<threadStart"); n != threads {
		t.Errorf("%d threads start", n)
	}
	if len(o.findings) != 1 || o.findings[0].Rule != ruleTooLarge || o.findings[0].Severity != trace.Warning {
		t.Errorf("%v", o.findings)
	}
}

// TestThreadLimitAllWaiting: if all threads are in intervals, these are emitted, and skipped events are reported.
func TestThreadLimitAllWaiting(t *testing.T) {
	o := readAll(t, sleepers(1000, 10_000), limits{threads: 100 * threadCharge})
	text := strings.Join(o.elements, "")
	if begun, over := strings.Count(text, "<monWait "), strings.Count(text, "<monWaited "); begun != 100 ||
		over != begun {
		t.Errorf("%d begin to sleep, %d wake up", begun, over)
	}
	errors := 0
	for _, f := range o.findings {
		if f.Rule != ruleTooLarge {
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

// TestEvictionKeepsLast: the last used thread is not evicted, even if all others are in intervals.
func TestEvictionKeepsLast(t *testing.T) {
	var found eventSorter
	s := newInferrer(true, &found, -1, 3*threadCharge)
	var open openIntervals
	for i, d := range []*event{
		{kind: kindSleep, thread: 1, duration: 100}, {kind: kindSleep, thread: 2, duration: 100},
		{kind: kindWait, thread: 3, other: 4, duration: 50}, {kind: kindThreadEnd, thread: 3},
	} {
		d.begin, d.sequence, d.timeout = trace.Time(i), uint64(i), noTimeout
		if err := s.begin(d, &open); err != nil {
			t.Fatal(err)
		}
	}
	if l := s.threads.threads[threadID{number: 3}]; l == nil || !l.dead || l.interval != nil {
		t.Errorf("%+v", l)
	}
}

// TestThreadCharge: a million threads can be in intervals at once, and use no more memory than they are charged.
func TestThreadCharge(t *testing.T) {
	threads := testtool.Times(1_000_000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m := newEmitter(nil, newSymbols(maxSymbols), nil, map[uint32]heapRange{}, threadMemory)
	var open openIntervals
	for i := range uint64(threads) {
		id := threadID{number: i + 1}
		m.threads.get(id)
		l, ok := m.threads.get(id)
		if !ok {
			t.Fatalf("limit reached at thread %d", i)
		}
		l.interval = open.add(&event{kind: kindPark, thread: i + 1})
		m.setObject(l, m.object(l, &event{objectInfo: objectInfo{address: 8 * (i + 1)}}))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := int(after.HeapAlloc-before.HeapAlloc) / threads; each > threadCharge {
		t.Errorf("a thread in an interval has %d bytes and is charged %d", each, threadCharge)
	} else {
		t.Logf("a thread in an interval has %d bytes and is charged %d", each, threadCharge)
	}
	if len(open.heap) != threads || m.threads.evicted {
		t.Errorf("%d open intervals", len(open.heap))
	}
	runtime.KeepAlive(m)
}

// TestIntervalOrder: intervals end in time order, whichever were removed before.
func TestIntervalOrder(t *testing.T) {
	var open openIntervals
	var all []*interval
	for i := range uint64(1000) {
		all = append(all, open.add(&event{begin: trace.Time(i * 7919 % 1009), sequence: i}))
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
		if r.end() < last || r.sequence%3 == 0 {
			t.Fatalf("%d comes after %d", r.end(), last)
		}
		last = r.end()
		open.remove(r)
	}
}

// TestNestedPark: the park in a sleep of a pinned virtual thread is part of the same interval.
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
