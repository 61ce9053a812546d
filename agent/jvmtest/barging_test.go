package jvmtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// hold is a time in which a thread of the program Barging held the lock: certainly between the two inner times, and
// certainly not before it asked for the lock or after it was gone.
type hold struct {
	thread                string
	asked, from, to, gone trace.Time
}

// await is a time in which a thread waited for a signal.
type await struct {
	thread, signaller string
	from, to          trace.Time
}

// clockError is the limit of the difference between the clocks of a program's log and of its trace.
const clockError = 100_000

// bargingTruth returns the times of holding the lock and the waits of a run of Barging.
func bargingTruth(t *testing.T, file string) (holds []hold, awaits []await) {
	t.Helper()
	for line := range strings.Lines(string(must(os.ReadFile(file))(t))) {
		f := strings.Fields(line)
		at := func(i int) trace.Time { return trace.Time(must(strconv.ParseInt(f[i], 10, 64))(t)) }
		if f[0] == "hold" {
			holds = append(holds, hold{f[1], at(2), at(3), at(4), at(5)})
			continue
		}
		awaits = append(awaits, await{f[1], f[4], at(2), at(3)})
	}
	return holds, awaits
}

// maxUnknown is the limit of unknown owners: one in this number. On a busy machine more locks have just been released.
const maxUnknown = 20

// mostWrong is the limit of wrong owners and signallers: one in this number. A thread can lose the processor after it
// has read the lock's owner and before its record gets the time. A signal can remove a waiter that has not parked yet,
// and then its permit can end the thread's next wait for the same condition; drain.mark has more.
const mostWrong = 1000

// TestBarging proves for a contended lock that is not fair: when a thread is blocked, the owner in the trace held the
// lock, few owners are unknown, and each signalled wait has its signaller.
func TestBarging(t *testing.T) {
	eachBlocking(t, 3, func(t *testing.T, b *bench, j testtool.JDK, s setup, kind string) {
		p := program{name: "Barging", args: []string{kind, strconv.Itoa(some(300, 2000))}, prints: "done\n"}
		out := b.run(t, j, s, true, p)
		p.check(t, out)
		holds, awaits := bargingTruth(t, out.truth)
		recorded := readBlockings(t, out.trace)
		blocks, unknown, signals, mistakes := 0, 0, 0, []string(nil)
		for thread, waits := range recorded.waits {
			for _, w := range waits {
				switch {
				case w.lock:
					blocks++
					if w.owner == "" || w.owner == "0" {
						unknown++
					} else if wrong := wrongOwner(holds, w); wrong != "" {
						mistakes = append(mistakes, fmt.Sprintf("thread %s was blocked at %v by %s: %s", thread, w.begin,
							w.owner, wrong))
					}
				case w.end == "signal":
					signals++
					if wrong := wrongSignaller(awaits, thread, w); wrong != "" {
						mistakes = append(mistakes, fmt.Sprintf("thread %s waited from %v to %v: %s", thread, w.begin,
							w.finished, wrong))
					}
				}
			}
		}
		t.Logf("%d blocks, of %d of them the owner is unknown; %d signals; mistakes: %q", blocks, unknown, signals, mistakes)
		if limit := 1 + (blocks+signals)/mostWrong; len(mistakes) > limit {
			t.Errorf("%d mistakes, more than %d:\n%s", len(mistakes), limit, strings.Join(mistakes, "\n"))
		}
		if blocks < 250 || signals < len(awaits)*8/10 {
			t.Errorf("the trace has %d blocks, and %d of %d signals", blocks, signals, len(awaits))
		}
		if unknown*maxUnknown > blocks {
			t.Errorf("of %d of %d blocks the owner is unknown", unknown, blocks)
		}
	})
}

// wrongOwner returns what is wrong with the owner of the lock when the thread was blocked, or ""; owner 0 is nobody.
func wrongOwner(holds []hold, w *blocking) string {
	held := w.owner == "0"
	for i := range holds {
		switch h := &holds[i]; {
		case h.thread == w.owner:
			held = held || w.begin >= h.asked-clockError && w.begin <= h.gone+clockError
		case w.begin > h.from+clockError && w.begin < h.to-clockError:
			return h.thread + " held it"
		}
	}
	if !held {
		return "it had not asked for it"
	}
	return ""
}

// wrongSignaller returns what is wrong with the signaller of the wait, or "".
func wrongSignaller(awaits []await, thread string, w *blocking) string {
	for i := range awaits {
		a := &awaits[i]
		if a.thread == thread && w.begin >= a.from-clockError && w.finished <= a.to+clockError {
			if a.signaller != w.by {
				return fmt.Sprintf("the signaller is %q, want %q", w.by, a.signaller)
			}
			return ""
		}
	}
	return "the program waited at another time"
}
