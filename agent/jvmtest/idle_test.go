package jvmtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// TestIdleThreads compares which threads are idle, and for how long, with what the program says about its waits:
// workers wait for tasks at a queue, clients for replies at objects of their own, and a client in a selector, which
// only seems to be idle.
func TestIdleThreads(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(fmt.Sprint(j), func(t *testing.T) {
			t.Parallel()
			out := b.run(t, j, setup{}, true, program{name: "Idle"})
			logged := map[string]uint64{}
			for line := range strings.Lines(out.stdout) {
				var pool string
				var length uint64
				if n, err := fmt.Sscan(line, &pool, &length); n != 2 {
					t.Fatalf("the program prints %q: %v", line, err)
				}
				logged[pool] = length
			}
			checkIdle(t, out.trace, logged)
		})
	}
}

func checkIdle(t *testing.T, file string, logged map[string]uint64) {
	collector, recorder := contention.NewCollector(file, contention.DefaultRows), critical.NewRecorder()
	defer recorder.Close()
	putModel(t, file, trace.Tee(collector, recorder))
	statistics := collector.Statistics()
	for _, p := range statistics.Pools {
		want, known := logged[p.Name]
		if !known {
			continue
		}
		delete(logged, p.Name)
		idle, other := p.Idle.Total, p.Waits.Monitor.Total
		if p.Name == "server" || p.Name == "client-*" {
			idle, other = other, idle
		}
		if idle > want || idle < want/2 || other != 0 {
			t.Errorf("%s waited %d ns, of which %d are idle; it says %d", p.Name, idle+other, p.Idle.Total, want)
		}
	}
	if len(logged) > 0 {
		t.Errorf("the statistics have no pools %v", logged)
	}
	blamed := must(blame.Of(recorder, blame.Options{WithoutIdle: true}))(t)
	for _, text := range []string{strings.Join(statistics.Answer(contention.Views()[0], contention.Order{}).Report().Remarks, " "), blamed.Idle()} {
		_, idle, found := strings.Cut(text, "Idle, as far as the trace shows: ")
		if !found || !strings.Contains(idle, "worker-*") || !strings.Contains(idle, "asker") ||
			strings.Contains(idle, "client-") || strings.Contains(idle, "server") {
			t.Errorf("idle are %q, want the workers and the asker", text)
		}
	}
	all := must(blame.Of(recorder, blame.Options{}))(t)
	if all.Total <= blamed.Total || blamed.Total == 0 {
		t.Errorf("with idle waits %d ns are counted, without %d", all.Total, blamed.Total)
	}
}
