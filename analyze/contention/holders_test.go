package contention_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// convoy returns a trace of many threads that are blocked on one or two monitors most of the time. Its times may go
// back.
func convoy(seed uint64, size int) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	threads, disorder := 3+r.IntN(20), r.Int64N(3)*900
	monitors := []int{901, 902}[:1+r.IntN(2)]
	moved := 1000
	blocked := map[int]int{} // monitors by thread
	now := int64(1_700_000_000_000_000)
	var text strings.Builder
	add := func(element string, object int, more string) {
		at := now - r.Int64N(disorder+1)
		fmt.Fprintf(&text, `<%s time="%d.%06d" objIdRef="%d"%s>`, element, at/1e6, at%1e6, object, more)
		for _, name := range []string{"stack", "ownerStack"} {
			if r.IntN(3) == 0 && (name == "stack" || element == "monContendedEnter") {
				fmt.Fprintf(&text, `<annotation name="%s" value="%d:%d %d"/>`, name, 1+r.IntN(3), 1+r.IntN(4), 1+r.IntN(3))
			}
		}
		if strings.Contains(more, "\t") {
			text.WriteString(`<annotation name="park" value="lock"/><annotation name="again" value="1"/>`)
		}
		fmt.Fprintf(&text, "</%s>\n", element)
	}
	text.WriteString("<TRACE>\n")
	for i, class := range []string{"app/A", "java/util/B", "app/C"} {
		fmt.Fprintf(&text, `<classDef name="%s" classId="%[2]d"/><methodDef name="m" methodId="%[2]d" classIdRef="%[2]d"/>`,
			class, i+1)
	}
	for range size {
		now += r.Int64N(1000)
		thread := 1 + r.IntN(threads)
		named := fmt.Sprintf(` threadIdRef="%d"`, thread)
		object, waits := blocked[thread]
		switch m := r.IntN(len(monitors)); {
		case waits && r.IntN(4) == 0:
			add("monContendedEnter", object, named+fmt.Sprintf("\tthreadOwner=\"%d\"", 1+r.IntN(threads)))
		case waits && r.IntN(3) > 0: // most threads stay blocked for long
		case waits:
			delete(blocked, thread)
			add("monContendedEntered", object, named)
		case r.IntN(60) == 0:
			moved++
			add("objMove", monitors[m], fmt.Sprintf(` newObjId="%d"`, moved))
			for t, object := range blocked {
				if object == monitors[m] {
					blocked[t] = moved
				}
			}
			monitors[m] = moved
		case r.IntN(60) == 0:
			add("objFree", monitors[m], "")
		case r.IntN(20) == 0:
			add("callNotify", monitors[m], strings.Replace(named, "Ref", "", 1))
		case r.IntN(20) == 0:
			add("monWait", monitors[m], named)
		default:
			blocked[thread] = monitors[m]
			if r.IntN(3) > 0 {
				named += fmt.Sprintf(` threadOwner="%d"`, 1+r.IntN(threads))
			}
			add("monContendedEnter", monitors[m], named)
		}
	}
	text.WriteString("</TRACE>")
	return []byte(text.String())
}

// naive cuts the interval of every blocked thread at every change of the owner, one by one.
type naive struct {
	threads map[trace.ThreadKey]string
	owners  map[trace.MonitorKey]trace.ThreadKey
	blocked map[trace.ThreadKey]*naiveWait
	longest map[string]int64 // by the ids of the monitor and of the owner
}

type naiveWait struct {
	monitor trace.MonitorKey
	parts   []naivePart
}

type naivePart struct {
	owner trace.ThreadKey
	end   trace.Time
}

func (n *naive) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		n.threads[r.Key] = r.ID.String()
	case *trace.ModelEvent:
		if r.Monitor != 0 {
			if !slices.ContainsFunc(slices.Collect(maps.Values(n.blocked)), func(w *naiveWait) bool {
				return w.monitor == r.Monitor
			}) {
				n.owners[r.Monitor] = r.HeldBy
			}
			n.blocked[r.Thread.Key] = &naiveWait{r.Monitor, []naivePart{{0, r.Time}}}
		}
	case *trace.MonitorOwner:
		if r.Stays {
			return nil
		}
		for _, w := range n.blocked {
			if r.Absorbed == 0 && w.monitor == r.Monitor {
				w.cut(n.owners[r.Monitor], r.Time)
			} else if w.monitor == r.Absorbed {
				w.monitor = r.Monitor
			}
		}
		if r.Absorbed == 0 {
			n.owners[r.Monitor] = r.Owner
		}
	case *trace.Interval:
		if w := n.blocked[r.Thread.Key]; w != nil && r.Monitor != 0 {
			delete(n.blocked, r.Thread.Key)
			w.cut(n.owners[w.monitor], r.End)
			n.count(r, w.parts)
		}
	}
	return nil
}

// cut ends a part of the owner.
func (w *naiveWait) cut(owner trace.ThreadKey, at trace.Time) {
	if at > w.parts[len(w.parts)-1].end {
		w.parts = append(w.parts, naivePart{owner, at})
	}
}

// count counts the parts of the interval up to its end. Successive parts of one owner count together.
func (n *naive) count(i *trace.Interval, parts []naivePart) {
	from := i.Time
	for at, p := range parts[1:] {
		if p.owner != parts[at].owner {
			from = parts[at].end
		}
		if length := int64(min(p.end, i.End) - from); length > 0 {
			key := i.Object.String() + " " + n.threads[p.owner]
			n.longest[key] = max(n.longest[key], length)
		}
	}
}

// TestHoldersOfConvoys compares the owners of monitors with the naive count, for any limit of compaction.
func TestHoldersOfConvoys(t *testing.T) {
	for seed := range testtool.Times(uint64(200)) {
		document := convoy(seed, 60+int(seed)*4)
		if seed%4 == 3 {
			document = enrichtest.Chaos(seed, 400).XML
		}
		doc, err := enrichtest.Model(document)
		sinktest.Check(t, err)
		want := bruteForce(doc)
		for _, parts := range []int{1 << 12, 40, 7} {
			collector := contention.NewCollector("test", contention.DefaultRows)
			collector.CompactFrom(parts)
			each := &naive{map[trace.ThreadKey]string{}, map[trace.MonitorKey]trace.ThreadKey{},
				map[trace.ThreadKey]*naiveWait{}, map[string]int64{}}
			sinktest.ReadFollowing(t, enrich.NoCalls, trace.Tee(collector, each), document)
			name, got := fmt.Sprintf("seed %d, compacted from %d", seed, parts), collector.Statistics()
			compareOwners(t, name, answerOf(t, got), want)
			if longest := longestOf(got); parts == 1<<12 && !maps.Equal(longest, each.longest) {
				t.Fatalf("%s: longest:\n%s", name, cmp.Diff(each.longest, longest))
			}
		}
	}
}

// longestOf returns the longest times in which owners blocked others, by the ids of monitor and owner.
func longestOf(s *contention.Statistics) map[string]int64 {
	longest := map[string]int64{}
	for _, m := range s.Monitors {
		for _, o := range m.Owners {
			key := m.ID + " " + o.ID
			longest[key] = max(longest[key], o.Max)
		}
	}
	return longest
}
