package pools_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

func method(class, name string) trace.Frame {
	return trace.Frame{Method: &trace.ModelMethod{Class: class, Name: name}, Line: 7}
}

var (
	getTask   = &trace.Stack{Frames: []trace.Frame{method("java/util/concurrent/ThreadPoolExecutor", "getTask")}, Idle: true}
	handsOver = &trace.Stack{Frames: []trace.Frame{method("java/util/concurrent/SynchronousQueue", "poll"),
		method("java/util/concurrent/ThreadPoolExecutor", "getTask")}, Idle: true}
	completes = &trace.Stack{Frames: []trace.Frame{handler, method("java/util/concurrent/CompletableFuture$AsyncSupply", "run")}}
	handler   = method("app/Handler", "handle")
	leak      = method("app/App", "poll")
)

// script is what happens to the threads main, web-1, web-2 …, in milliseconds.
type script struct {
	t      *testing.T
	finder *pools.Finder
	id     trace.EventID
	start  trace.Time
}

func newScript(t *testing.T, window selection.Window, threads ...string) *script {
	s := &script{t: t, finder: pools.NewFinder(window), start: 1e9}
	s.put(&trace.Origin{Time: s.start})
	for i, name := range threads {
		s.put(&trace.ModelThread{Key: trace.ThreadKey(i + 1), Name: name, Group: "main"})
	}
	return s
}

func (s *script) put(r trace.Record) {
	if err := s.finder.Put(r); err != nil {
		s.t.Fatal(err)
	}
}

// does lets a thread do something: run, idle, block, future, sleep, end, or run by a thread's notification.
func (s *script) does(key trace.ThreadKey, what string, at int, by ...trace.ThreadKey) {
	s.id++
	e := &trace.ModelEvent{ID: s.id, Thread: trace.ThreadRef{Key: key}, Time: s.start + trace.Time(at)*1e6, Caller: handler}
	switch what {
	case "run":
		e.Type, e.Caller = trace.Running, trace.Frame{}
		for _, other := range by {
			e.Cause = trace.Cause{ID: 1, Type: trace.Notify, Thread: other}
		}
	case "idle":
		e.Type, e.Park, e.Stack = trace.WaitingForObject, true, getTask
	case "handed":
		e.Type, e.Park, e.Stack = trace.WaitingForObject, true, handsOver
	case "future":
		e.Type, e.Park, e.Class = trace.WaitingForObject, true, "java/util/concurrent/FutureTask"
	case "future of a future":
		e.Type, e.Park, e.Class, e.Stack = trace.WaitingForObject, true, "java/util/concurrent/FutureTask", completes
	case "join":
		e.Type, e.Park, e.Class = trace.WaitingForObject, true, "java/util/concurrent/CompletableFuture$Signaller"
	case "block":
		e.Type = trace.WaitingForLock
	case "sleep":
		e.Type = trace.Sleeping
	case "end":
		e.Type = trace.Dead
	default:
		s.t.Fatal(what)
	}
	s.put(e)
}

// found describes the pools at the end, whose time is in milliseconds.
func (s *script) found(end int) string {
	s.put(&trace.SessionEnd{Last: s.start + trace.Time(end)*1e6})
	var all []string
	for _, p := range s.finder.Pools() {
		text := p.Name
		for _, i := range p.Intervals {
			text += fmt.Sprintf(" %d-%d", (i.From-s.start)/1e6, (i.To-s.start)/1e6)
			for _, d := range i.Did {
				text += fmt.Sprintf(" %v %d", d.State, d.Time/1e6)
				if d.Place.Method != nil {
					text += fmt.Sprintf("/%d", d.AtPlace/1e6)
				}
			}
			for _, w := range i.Waiters {
				text += fmt.Sprintf(" %s waits %d", w.Name, w.Time/1e6)
			}
		}
		if p.SelfWait != nil {
			if text += fmt.Sprintf(" self %d", p.SelfWait.Length/1e6); p.SelfWait.Behind > 0 {
				text += fmt.Sprintf(" behind %d", p.SelfWait.Behind)
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// TestSaturated proves when a pool is saturated, who waits for it, and what its threads did meanwhile.
func TestSaturated(t *testing.T) {
	// begin has two idle threads, which get work at 100 ms: one blocks at 150 ms.
	begin := func(s *script) {
		for key := trace.ThreadKey(2); key <= 3; key++ {
			s.does(key, "run", 0)
			s.does(key, "idle", 1)
		}
		s.does(1, "run", 0)
		s.does(2, "run", 90)
		s.does(3, "run", 100)
		s.does(3, "block", 150)
	}
	for about, c := range map[string]struct {
		steps func(*script)
		want  string
	}{
		"until one waits for work": {func(s *script) { s.does(2, "idle", 300) }, "web-* 100-300 RUNNABLE 250 BLOCKED 150/150"},
		"up to the end":            {func(*script) {}, "web-* 100-1000 RUNNABLE 950 BLOCKED 850/850"},
		"not for 99 ms":            {func(s *script) { s.does(2, "idle", 199) }, ""},
		"another waits for an answer, from before to after": {func(s *script) {
			s.does(1, "future", 50)
			s.does(2, "idle", 300)
			s.does(1, "run", 400, 2)
		}, "web-* 100-300 RUNNABLE 250 BLOCKED 150/150 main waits 200"},
		"another waits for somebody else": {func(s *script) {
			s.does(1, "future", 150)
			s.does(1, "run", 250, 1)
			s.does(2, "idle", 300)
		}, "web-* 100-300 RUNNABLE 250 BLOCKED 150/150"},
		"not while the pool could grow": {func(s *script) {
			s.does(4, "run", 300)
			s.does(2, "idle", 450)
		}, "web-* 300-450 RUNNABLE 300 BLOCKED 150/150"},
		"not after a thread has ended": {func(s *script) { s.does(2, "end", 250) }, "web-* 100-250 RUNNABLE 200 BLOCKED 100/100"},
		"not if it has no queue": {func(s *script) {
			s.does(2, "handed", 300)
		}, ""},
	} {
		s := newScript(t, selection.Window{}, "main", "web-1", "web-2", "web-3")
		begin(s)
		c.steps(s)
		if got := s.found(1000); got != c.want {
			t.Errorf("%s: got %q, want %q", about, got, c.want)
		}
	}
	s := newScript(t, selection.Window{}, "main", "web-1", "web-2")
	for key := trace.ThreadKey(1); key <= 3; key++ {
		s.does(key, "run", 0)
	}
	if got := s.found(1000); got != "" {
		t.Errorf("threads that are no workers are saturated: %s", got)
	}
}

// TestSelfWait proves that a pool waits for itself if all of its threads wait for futures and no other thread could
// complete them.
func TestSelfWait(t *testing.T) {
	for about, c := range map[string]struct {
		steps func(*script)
		want  string
	}{
		"nobody is left":           {func(*script) {}, "pool-1-thread-* 20-1000 PARKED 1770/1770 RUNNABLE 190 self 800"},
		"another pool works":       {func(s *script) { s.does(4, "run", 100) }, "pool-1-thread-* 20-1000 PARKED 1770/1770 RUNNABLE 190"},
		"one of its threads works": {func(s *script) { s.does(3, "run", 950) }, "pool-1-thread-* 20-1000 PARKED 1720/1720 RUNNABLE 240"},
		"one waits for something else": {func(s *script) { s.does(3, "run", 900); s.does(3, "sleep", 910) },
			"pool-1-thread-* 20-1000 PARKED 1670/1670 RUNNABLE 200 SLEEPING 90/90"},
	} {
		s := newScript(t, selection.Window{}, "main", "pool-1-thread-1", "pool-1-thread-2", "pool-2-thread-1")
		s.does(1, "run", 0)
		for key := trace.ThreadKey(2); key <= 4; key++ {
			s.does(key, "run", 0)
			s.does(key, "idle", 10)
		}
		s.does(2, "run", 20)
		s.does(3, "run", 20)
		s.does(2, "future", 30)
		s.does(3, "future", 200)
		c.steps(s)
		if got := s.found(1000); got != c.want {
			t.Errorf("%s: got %q, want %q", about, got, c.want)
		}
	}
}

// TestSelfWaitAmongOthers: workers of other pools that wait, too, are behind the pool if it completes what they wait for.
// Else they may run the awaited tasks.
func TestSelfWaitAmongOthers(t *testing.T) {
	for about, c := range map[string]struct {
		pool, other, third string
		want               string
	}{
		"a pool waits for it":                {"future of a future", "join", "join", "self 800 behind 2"},
		"a worker waits for it":              {"future of a future", "join", "idle", "self 800 behind 1"},
		"none waits":                         {"future of a future", "idle", "idle", "self 800"},
		"another pool may run its tasks":     {"future", "join", "join", ""},
		"another worker may run its tasks":   {"future", "join", "idle", ""},
		"pools wait for each other's tasks":  {"future of a future", "future", "future", ""},
		"a worker with tasks of each":        {"future of a future", "join", "future", ""},
		"it does not wait for tasks":         {"join", "future", "future", ""},
		"none of them waits for tasks":       {"join", "join", "join", ""},
		"a pool waits for it, another works": {"future of a future", "join", "run", ""},
	} {
		s := newScript(t, selection.Window{}, "main", "pool-1-thread-1", "pool-1-thread-2", "pool-2-thread-1", "pool-2-thread-2")
		s.does(1, "run", 0)
		for key := trace.ThreadKey(2); key <= 5; key++ {
			s.does(key, "run", 0)
			s.does(key, "idle", 10)
			s.does(key, "run", 20)
		}
		s.does(2, c.pool, 30)
		s.does(3, c.pool, 200)
		s.does(4, c.other, 100)
		s.does(5, c.third, 100)
		_, got, _ := strings.Cut(s.found(1000), "self")
		got, _, _ = strings.Cut(got, ";")
		if got != strings.TrimPrefix(c.want, "self") {
			t.Errorf("%s: got %q, want %q", about, got, c.want)
		}
	}
}

// TestUnended proves that threads started by one place count if none of them ended, unless they are the workers of one
// pool.
func TestUnended(t *testing.T) {
	for about, c := range map[string]struct {
		name         string
		count, ended int
		works        bool
		want         string
	}{
		"many":                  {"poller-%d", 30, 0, false, "poller-* 30 from 1 to 30 in app.App.poll"},
		"few":                   {"poller-%d", 20, 0, false, ""},
		"one has ended":         {"poller-%d", 30, 1, false, ""},
		"an id is used again":   {"poller-%d", 30, 0, false, ""},
		"workers of one pool":   {"pool-1-thread-%d", 30, 0, true, ""},
		"workers of many pools": {"pool-%d-thread-1", 30, 0, true, "pool-*-thread-1 30 from 1 to 30 in app.App.poll"},
	} {
		s := newScript(t, selection.Window{}, "main")
		for n := 1; n <= c.count; n++ {
			key, call := trace.ThreadKey(n+1), trace.EventID(1000+n)
			s.put(&trace.ModelEvent{ID: call, Type: trace.StartsThread, Thread: trace.ThreadRef{Key: 1},
				Time: s.start + trace.Time(n)*1e6, Caller: leak})
			id := n
			if about == "an id is used again" { // so the end of its thread is lost
				id = min(n, 29)
			}
			s.put(&trace.ModelThread{Key: key, ID: trace.ThreadFrom(strconv.AppendInt(nil, int64(id), 10)), Name: fmt.Sprintf(c.name, n)})
			if n%2 == 0 {
				s.does(key, "run", n)
				s.put(&trace.Binding{Thread: key, Cause: trace.Cause{ID: call, Type: trace.StartsThread}})
			} else {
				s.put(&trace.ModelEvent{Type: trace.Running, Thread: trace.ThreadRef{Key: key}, Time: s.start,
					Cause: trace.Cause{ID: call, Type: trace.StartsThread}})
			}
			if c.works {
				s.does(key, "idle", n)
			}
			if n <= c.ended {
				s.does(key, "end", n)
			}
		}
		s.found(1000)
		got := ""
		for _, u := range s.finder.Unended() {
			got += fmt.Sprintf("%s %d from %d to %d in %s", u.Name, u.Threads, (u.First-s.start)/1e6, (u.Last-s.start)/1e6,
				u.Place.Method.Title())
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", about, got, c.want)
		}
	}
}

// TestSaturatedAtRandom compares with a computation for each millisecond, of whole traces and of windows.
func TestSaturatedAtRandom(t *testing.T) {
	const threads, length = 3, 3000
	compared := 0
	defer func() {
		if compared < 100 {
			t.Errorf("only %d times are compared", compared)
		}
	}()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a test that has to be repeatable
		window := selection.Window{}
		if seed%2 == 1 {
			window.Since = time.Duration(1+random.IntN(length/2)) * time.Millisecond
			window.Until = window.Since + time.Duration(1+random.IntN(length/2))*time.Millisecond
		}
		s := newScript(t, window, "main", "web-1", "web-2", "web-3")
		busy := [threads][length]bool{}
		last := [threads]bool{}
		for n := range threads {
			s.does(trace.ThreadKey(n+2), "idle", 0)
		}
		for ms := 1; ms < length; ms++ {
			for n := range threads {
				if random.IntN(60) == 0 || last[n] && random.IntN(80) == 0 {
					what := []string{"run", "run", "block", "sleep", "idle"}[random.IntN(5)]
					last[n] = what != "idle"
					s.does(trace.ThreadKey(n+2), what, ms)
				}
				busy[n][ms] = last[n]
			}
		}
		var want []string
		from := -1
		for ms := range length + 1 {
			at := time.Duration(ms) * time.Millisecond
			inside := ms < length && at >= window.Since && (window.Until == 0 || at < window.Until)
			all := inside && busy[0][ms] && busy[1][ms] && busy[2][ms]
			if all && from < 0 {
				from = ms
			}
			if !all && from >= 0 {
				if ms-from >= 100 {
					want = append(want, fmt.Sprintf("%d-%d", from, ms))
				}
				from = -1
			}
		}
		var got []string
		s.found(length)
		for _, p := range s.finder.Pools() {
			for _, i := range p.Intervals {
				got = append(got, fmt.Sprintf("%d-%d", (i.From-s.start)/1e6, (i.To-s.start)/1e6))
				sum := int64(0)
				for _, d := range i.Did {
					sum += d.Time
				}
				if sum != threads*i.Length() {
					t.Errorf("seed %d: the threads did %d ns, in %d", seed, sum, threads*i.Length())
				}
			}
		}
		compared += len(want)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: saturated %v, want %v", seed, got, want)
		}
	}
}
