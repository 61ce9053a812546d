package jvmtest

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// cpuTimes is the CPU times of a trace, in nanoseconds, by thread id.
type cpuTimes map[string][]int64

func (c cpuTimes) Put(r trace.Record) error {
	if used, is := r.(*trace.CPUTime); is {
		c[used.Thread.ID.String()] = append(c[used.Thread.ID.String()], used.Used)
	}
	return nil
}

// TestCPUTimes proves that the trace has the CPU time of a thread, as the JVM measures it, at its start, at the ends of
// its waits, and at its end or the recording's.
func TestCPUTimes(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			p := program{name: "CpuTimes", prints: "done\n"}
			out := b.run(t, j, setup{"G1", []string{"-XX:+UseG1GC"}}, true, p)
			p.check(t, out)
			times := cpuTimes{}
			if err := read(out.trace, convert.Options{}, enrich.New(times, enrich.Options{})); err != nil {
				t.Fatal(err)
			}
			truth, err := os.ReadFile(out.truth)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(truth)) {
				f := strings.Fields(line)
				last, _ := strconv.ParseInt(f[2], 10, 64)
				if used := times[f[1]]; f[0] == "cpu" {
					checkCPU(t, f[1], used, last)
				} else if len(used) != 2 || used[1] < last {
					t.Errorf("thread %s, which never waits, has the CPU times %v, want its first and one from %d on", f[1],
						used, last)
				}
			}
		})
	}
}

// checkCPU checks the CPU times of a thread: at its start, at the ends of three sleeps, and at its end, when it has
// used little more than before its last sleep. On a busy machine it can also wait for another thread that loads a class.
func checkCPU(t *testing.T, id string, used []int64, last int64) {
	t.Helper()
	const turn, little = 30_000_000, 10_000_000
	turns := 0
	for i := range max(len(used)-1, 0) {
		switch more := used[i+1] - used[i]; {
		case more >= turn:
			turns++
		case more < 0 || more > little:
			t.Errorf("thread %s has the CPU times %v", id, used)
		}
	}
	if turns != 3 || len(used) < 5 {
		t.Errorf("thread %s has the CPU times %v", id, used)
		return
	}
	for _, end := range used[len(used)-2:] {
		if end < last || end > last+little {
			t.Errorf("thread %s has used %d at its end, and %d before its last sleep", id, end, last)
		}
	}
}
