package jvmtest

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// monitorBlocks is the blocks on the monitors of a program, each with the owners that the trace names.
type monitorBlocks struct {
	blockings
	all  []*monitorBlock
	last map[string]*monitorBlock // by the ids of their threads
}

type monitorBlock struct {
	class string
	begin trace.Time
	named []*blocking // at the begin, or later
}

func (m *monitorBlocks) Put(e *trace.Event) error {
	if e.Kind == trace.ClassDef || e.Kind == trace.ObjAlloc {
		return m.blockings.Put(e)
	}
	class := m.objects[string(e.Value(trace.AttrObjIDRef))]
	if e.Kind != trace.MonContendedEnter || !strings.HasPrefix(class, "Monitor$") {
		return nil
	}
	id := string(e.Value(trace.AttrThreadIDRef))
	if _, again := annotationOf(e, trace.NoteAgain); !again {
		m.last[id] = &monitorBlock{class: class, begin: e.Time}
		m.all = append(m.all, m.last[id])
	}
	if owner := string(e.Value(trace.AttrThreadOwner)); owner != "" {
		m.last[id].named = append(m.last[id].named, &blocking{begin: e.Time, owner: owner})
	}
	return nil
}

// longHold is how long a thread holds a monitor, while another one is blocked on it, until the trace must name it.
const longHold = 100 * trace.Time(time.Millisecond)

// TestMonitorHolders proves that each owner of a monitor that the trace names held it then; and that the trace names
// the threads that keep others blocked for long, also virtual threads that sleep or park meanwhile.
func TestMonitorHolders(t *testing.T) {
	eachBlocking(t, 5, func(t *testing.T, b *bench, j testtool.JDK, s setup, kind string) {
		p := program{name: "MonitorHolders", args: []string{kind, strconv.Itoa(some(4, 20))}, prints: "done\n"}
		out := b.run(t, j, s, true, p)
		p.check(t, out)
		m := &monitorBlocks{last: map[string]*monitorBlock{},
			blockings: blockings{classes: map[string]string{}, objects: map[string]string{}}}
		if err := read(out.trace, convert.Options{}, m); err != nil {
			t.Fatal(err)
		}
		m.check(t, monitorHolds(t, out.truth))
	})
}

// monitorHolds returns the times of holding monitors of a run of MonitorHolders, by the monitor's class.
func monitorHolds(t *testing.T, file string) map[string][]hold {
	holds := map[string][]hold{}
	for line := range strings.Lines(string(must(os.ReadFile(file))(t))) {
		f := strings.Fields(line)
		at := func(i int) trace.Time { return trace.Time(must(strconv.ParseInt(f[i], 10, 64))(t)) }
		holds[f[0]] = append(holds[f[0]], hold{f[1], at(2), at(3), at(4), at(5)})
	}
	return holds
}

func (m *monitorBlocks) check(t *testing.T, holds map[string][]hold) {
	named, long, missing := 0, 0, 0
	for _, block := range m.all {
		for _, w := range block.named {
			named++
			if wrong := wrongOwner(holds[block.class], w); wrong != "" {
				t.Errorf("%s at %v: owner %s: %s", block.class, w.begin, w.owner, wrong)
			}
		}
		for _, h := range holds[block.class] {
			if h.from+clockError <= block.begin && h.to >= block.begin+longHold {
				long++
				if !m.names(block.class, h) {
					missing++
				}
			}
		}
	}
	t.Logf("%d blocks, %d owners are named; of %d that hold a monitor for long %d are not", len(m.all), named, long,
		missing)
	if len(m.all) < 50 || long == 0 || missing*maxUnknown > long {
		t.Errorf("%d blocks, %d by owners for long, of which %d are not named", len(m.all), long, missing)
	}
}

// names reports whether a block on the monitor names the thread that held it then as the owner. Of several blocks, one
// names the owner for all.
func (m *monitorBlocks) names(class string, h hold) bool {
	for _, block := range m.all {
		if block.class == class && slices.ContainsFunc(block.named, func(w *blocking) bool {
			return w.owner == h.thread && w.begin >= h.asked-clockError && w.begin <= h.gone+clockError
		}) {
			return true
		}
	}
	return false
}
