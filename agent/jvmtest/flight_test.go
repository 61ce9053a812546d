package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
)

// TestFlightRecording proves that statistics, blame and the path of a flight recording attribute the blocking that the
// program logged itself: each kind to its thread, and who kept it waiting.
func TestFlightRecording(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			recording := filepath.Join(t.TempDir(), "recorded.jfr")
			out := b.run(t, j, setup{flags: []string{"-XX:StartFlightRecording:settings=profile,filename=" + recording}}, false,
				program{name: "Kinds"})
			if out.status != 0 {
				t.Fatalf("the program ended with %d\n%s%s", out.status, out.stdout, out.stderr)
			}
			logged := loggedBlocks(t, out.truth)
			checkAttributed(t, recording, logged)
			recorder := critical.NewRecorder()
			defer recorder.Close()
			putModel(t, recording, recorder)
			// A recording names a monitor's owner only when the monitor is handed over, so the thread to blame for a
			// block is unknown.
			for waiter, guilty := range map[string]string{"waiter": "notifier", "joiner": "sleeper"} {
				checkGuilty(t, recorder, waiter, guilty)
			}
			checkChain(t, recorder.Path(recorder.Last()), logged[block{"run", "main"}])
		})
	}
}

// threshold is the length from which the settings profile record a wait. On a busy machine a thread can begin to wait when
// it is woken already.
const threshold = 10 * time.Millisecond

// block is a kind of blocking of a thread, by its name.
type block struct{ kind, thread string }

// loggedBlocks reads the lines of Kinds.
func loggedBlocks(t *testing.T, file string) map[block]time.Duration {
	t.Helper()
	logged := map[block]time.Duration{}
	for line := range strings.Lines(string(must(os.ReadFile(file))(t))) {
		var b block
		var nanos int64
		if _, err := fmt.Sscan(line, &b.kind, &b.thread, &nanos); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		logged[b] = time.Duration(nanos)
	}
	if len(logged) != 12 {
		t.Errorf("the program has logged %d times, want 12: %v", len(logged), logged)
	}
	return logged
}

// checkAttributed proves that statistics have at least 95 % of the blocking that the program logged, each kind in its
// thread, and no more than that.
func checkAttributed(t *testing.T, recording string, logged map[block]time.Duration) {
	t.Helper()
	collector := contention.NewCollector(recording, contention.DefaultRows)
	putModel(t, recording, collector)
	threads := map[string]*contention.Thread{}
	for _, thread := range collector.Statistics().Threads {
		threads[thread.Name] = thread
	}
	kinds := map[string]contention.Kind{"blocked": contention.Blocked, "waited": contention.Waited,
		"joined": contention.Joined, "slept": contention.Slept, "parked": contention.Parked, "io": contention.IO}
	var real, found time.Duration
	slack := beside * time.Duration(busyness()-1)
	for b, length := range logged {
		kind, ok := kinds[b.kind]
		if !ok {
			continue
		}
		var seen time.Duration
		if thread := threads[b.thread]; thread != nil {
			seen = time.Duration(thread.Times.Of(kind).Total)
		}
		if length > threshold && seen < length/2-slack || seen > length+length/50 {
			t.Errorf("%s was %s for %v, and the statistics have %v", b.thread, b.kind, length, seen)
		}
		real, found = real+length, found+min(seen, length)
	}
	if found < real*95/100-slack {
		t.Errorf("the statistics have %v of %v", found, real)
	}
	t.Logf("statistics have %.1f %% of %v", 100*float64(found)/float64(real), real)
}

// checkGuilty proves that the waits of a thread are mostly blamed on another one.
func checkGuilty(t *testing.T, recorder *critical.Recorder, waiter, guilty string) {
	t.Helper()
	blamed := must(blame.Of(recorder, blame.Options{Threads: []string{waiter}}))(t)
	part := time.Duration(0)
	for _, row := range blamed.Rows() {
		if row.Thread.Name == guilty {
			part += time.Duration(row.Total)
		}
	}
	if total := time.Duration(blamed.Total); total == 0 || part < total*9/10 {
		t.Errorf("%s has %v of the blame for %s, of %v", guilty, part, waiter, total)
	}
}

// checkChain proves that the path has the run as the program logged it, and leads through the thread that held the lock
// and the one that was blocked on it, which slept afterwards.
func checkChain(t *testing.T, path *critical.Path, run time.Duration) {
	t.Helper()
	chain := time.Duration(0)
	for piece := range path.Pieces() {
		if name := piece.Thread.Name; name == "holder" || name == "blocked" {
			chain += time.Duration(piece.Length())
		}
	}
	slack := beside * time.Duration(busyness()-1)
	if length := time.Duration(path.Length()); length < run*9/10 || chain < run*8/10-slack {
		t.Errorf("the path has %v of a run of %v, and %v of the threads that it depended on\n%s", length, run, chain,
			path.Verdict())
	}
}
