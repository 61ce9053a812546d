package jvmtest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestSampledHolders proves that the samples of a monitor's and a lock's holder name the thread that held it, and its
// place, though that thread posts no event when it takes it again; and that these samples give the right share of the
// time in which the holder blocked others, and what it did.
func TestSampledHolders(t *testing.T) {
	eachBlocking(t, 1, func(t *testing.T, b *bench, j testtool.JDK, s setup, kind string) {
		for _, what := range []string{"monitor", "lock"} {
			t.Run(what, func(t *testing.T) {
				millis := strconv.Itoa(some(5000, 30_000))
				out := b.run(t, j, s, true, program{name: "Greedy", args: []string{kind, what, millis}, prints: "done\n"})
				truth := greedyHolds(t, out.truth)
				recorded := &sampledOwners{methods: map[string]string{}, blocked: map[string]*sampledBlock{}}
				if err := read(out.trace, convert.Options{}, recorded); err != nil {
					t.Fatal(err)
				}
				recorded.checkEach(t, truth)
				recorded.checkShares(t, truth)
			})
		}
	})
}

// TestSampledPlaces proves that the statistics name the places of a holder that moves on, weighted by time, and not the
// place where it took the monitor or lock.
func TestSampledPlaces(t *testing.T) {
	eachBlocking(t, 2, func(t *testing.T, b *bench, j testtool.JDK, s setup, kind string) {
		for _, what := range []string{"monitor", "lock"} {
			t.Run(what, func(t *testing.T) {
				millis := strconv.Itoa(some(5000, 30_000))
				p := program{name: "Greedy", args: []string{kind, what, millis, "moves"}, prints: "done\n"}
				out := b.run(t, j, s, true, p)
				recorded := &sampledOwners{methods: map[string]string{}, blocked: map[string]*sampledBlock{}}
				if err := read(out.trace, convert.Options{}, recorded); err != nil {
					t.Fatal(err)
				}
				recorded.checkPlaces(t, greedyHolds(t, out.truth), out.trace)
			})
		}
	})
}

// greedyHold is a time in which a thread of the program Greedy held what the others want, in one of its methods.
type greedyHold struct {
	method, thread string
	from, to       trace.Time
}

// greedyHolds returns the holds in the order of their times.
func greedyHolds(t *testing.T, file string) (all []greedyHold) {
	for line := range strings.Lines(string(must(os.ReadFile(file))(t))) {
		f := strings.Fields(line)
		at := func(i int) trace.Time { return trace.Time(must(strconv.ParseInt(f[i], 10, 64))(t)) }
		all = append(all, greedyHold{f[0], f[1], at(2), at(3)})
	}
	slices.SortFunc(all, func(a, b greedyHold) int { return cmp.Compare(a.from, b.from) })
	return all
}

// sampledOwners are the owners that a trace names, and the blocks in which it does.
type sampledOwners struct {
	blockings
	methods map[string]string // the names of the program's methods, by id
	object  string            // that all threads want
	named   []named
	blocked map[string]*sampledBlock // by thread
	blocks  []*sampledBlock
}

// named is an owner from a time on; "" if the owner is unknown. The method is "" if no stack was sampled.
type named struct {
	owner, method string
	at            trace.Time
	sampled       bool
}

type sampledBlock struct{ begin, end trace.Time }

func (s *sampledOwners) Put(e *trace.Event) error {
	value := func(a trace.Attr) string { return string(e.Value(a)) }
	thread, object := value(trace.AttrThreadIDRef), value(trace.AttrObjIDRef)
	switch e.Kind {
	case trace.MethodDef:
		s.methods[value(trace.AttrMethodID)] = value(trace.AttrName)
	case trace.MonContendedEnter:
		stack, _ := annotationOf(e, trace.NoteStack)
		if s.object == "" && s.method(stack) == "" || s.object != "" && s.object != object {
			return nil
		}
		s.object = object
		ownerStack, _ := annotationOf(e, trace.NoteOwnerStack)
		_, again := annotationOf(e, trace.NoteAgain)
		owner := value(trace.AttrThreadOwner)
		if again || owner != "" {
			s.named = append(s.named, named{owner, s.method(ownerStack), e.Time, again && s.blocked[thread] != nil})
		}
		if s.blocked[thread] == nil {
			s.blocked[thread] = &sampledBlock{begin: e.Time}
			s.blocks = append(s.blocks, s.blocked[thread])
		}
	case trace.MonContendedEntered:
		if s.object != object || s.blocked[thread] == nil {
			return nil
		}
		s.named = append(s.named, named{owner: thread, at: e.Time})
		s.blocked[thread].end = e.Time
		delete(s.blocked, thread)
	}
	return nil
}

// method returns the program's own method that is on the stack of a thread that holds or wants the object, or "".
func (s *sampledOwners) method(stack string) string {
	for frame := range strings.FieldsSeq(stack) {
		id, _, _ := strings.Cut(frame, ":")
		switch name := s.methods[id]; name {
		case "computes", "sleeps", "reads", "prepares", "uploads", "brief", "holdOnce":
			return name
		}
	}
	return ""
}

// checkEach compares each sample with the hold at its time.
func (s *sampledOwners) checkEach(t *testing.T, truth []greedyHold) {
	owners, places, wrongOwners, wrongPlaces := 0, 0, 0, 0
	for _, n := range s.named {
		i, _ := slices.BinarySearchFunc(truth, n.at, func(h greedyHold, at trace.Time) int { return cmp.Compare(h.from, at) })
		if !n.sampled || i == 0 || n.at > truth[i-1].to { // nobody held it for certain
			continue
		}
		h := truth[i-1]
		owners++
		if n.owner != h.thread {
			wrongOwners++
		} else if n.method != "" && n.method != "holdOnce" {
			places++
			if n.method != h.method {
				wrongPlaces++
			}
		}
	}
	t.Logf("%d samples, %d have a wrong owner; of %d places %d are wrong", owners, wrongOwners, places, wrongPlaces)
	if owners < 5 || wrongOwners*50 > owners || wrongPlaces*20 > places {
		t.Errorf("%d samples, %d have a wrong owner; of %d places %d are wrong", owners, wrongOwners, places, wrongPlaces)
	}
}

// longBlock is the length of a block from which on samples name the holder.
const longBlock = 20 * trace.Time(time.Millisecond)

// checkShares compares each holder's share of the time in which threads were blocked for long. On a busy machine there
// are few samples, and the share may be wrong by the time of one to three samples.
func (s *sampledOwners) checkShares(t *testing.T, truth []greedyHold) {
	greedy := greedyThread(truth)
	var total, want, got trace.Time
	samples := s.samples()
	for _, b := range s.blocks {
		if b.end-b.begin < longBlock {
			continue
		}
		total += b.end - b.begin
		for _, h := range truth {
			if h.thread == greedy {
				want += max(0, min(h.to, b.end)-max(h.from, b.begin))
			}
		}
		for i, n := range s.named {
			to := b.end
			if i+1 < len(s.named) {
				to = min(to, s.named[i+1].at)
			}
			if n.owner == greedy {
				got += max(0, to-max(n.at, b.begin))
			}
		}
	}
	if total == 0 {
		t.Fatalf("no thread was blocked for %v", longBlock)
	}
	share := func(part trace.Time) float64 { return 100 * float64(part) / float64(total) }
	within := 4 + 100*float64(min(busyness(), 3))/float64(max(samples, 1))
	result := fmt.Sprintf("of %v in which threads were blocked the greedy thread held it for %.1f %%, want %.1f ± %.1f %% by %d samples",
		time.Duration(total), share(got), share(want), within, samples)
	t.Log(result)
	if math.Abs(share(got)-share(want)) > within {
		t.Error(result)
	}
}

// samples counts the samples.
func (s *sampledOwners) samples() (count int) {
	for _, n := range s.named {
		if n.sampled {
			count++
		}
	}
	return count
}

// greedyThread returns the thread that takes the monitor or lock again at once.
func greedyThread(truth []greedyHold) string {
	i := slices.IndexFunc(truth, func(h greedyHold) bool { return h.method == "computes" || h.method == "uploads" })
	return truth[max(i, 0)].thread
}

// checkPlaces compares the places at which the statistics of the trace show the greedy thread while others were
// blocked. On a busy machine samples are further apart, and less exact.
func (s *sampledOwners) checkPlaces(t *testing.T, truth []greedyHold, file string) {
	greedy, want, wanted := greedyThread(truth), map[string]trace.Time{}, trace.Time(0)
	for _, b := range s.blocks {
		for _, h := range truth {
			if overlap := min(h.to, b.end) - max(h.from, b.begin); h.thread == greedy && overlap > 0 {
				want[h.method] += overlap
				wanted += overlap
			}
		}
	}
	collector := contention.NewCollector("", contention.DefaultRows)
	enricher := enrich.New(collector, enrich.Options{Calls: enrich.CallersOnly})
	if err := errors.Join(read(file, convert.Options{}, enricher), enricher.Finish()); err != nil {
		t.Fatal(err)
	}
	got, total := map[string]uint64{}, uint64(0)
	for _, m := range collector.Statistics().Monitors {
		for _, o := range m.Owners {
			if o.ID != greedy || m.ID != s.object {
				continue
			}
			total += o.Total
			for _, p := range o.Places {
				got[p.Method] += p.Total
			}
		}
	}
	apart := (truth[len(truth)-1].to - truth[0].from) / trace.Time(max(s.samples(), 1))
	within := 3 * max(1, float64(apart)/float64(15*time.Millisecond))
	for _, method := range []string{"prepares", "uploads"} {
		is, should := 100*float64(got[method])/float64(max(total, 1)), 100*float64(want[method])/float64(wanted)
		result := fmt.Sprintf("%s: %.1f %% of the greedy thread's time, want %.1f ± %.1f %%; samples are %v apart", method, is,
			should, within, time.Duration(apart))
		t.Log(result)
		if !(math.Abs(is-should) <= within) {
			t.Error(result)
		}
	}
}
