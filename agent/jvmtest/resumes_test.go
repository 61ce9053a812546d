package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestResumesAttached proves for threads that wait when a recording begins, and go on, that the trace has what they do
// next, at once: each wait of the program Resumes, and each thread that they wake. The agent polls for the ends of some
// of the first waits, so these can come later than the begins of the second ones.
func TestResumesAttached(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		t.Run(j.String(), func(t *testing.T) {
			t.Parallel()
			file, truth := b.traceFile(t), filepath.Join(t.TempDir(), "truth.txt")
			cmd, cancel := b.command(j, "-XX:+EnableDynamicAgentLoading", "-cp", b.classes, "Resumes", truth)
			defer cancel()
			p := startProgram(t, cmd)
			p.await("ready")
			p.load(b.agent, "file="+file)
			p.load(b.agent, "ready")
			p.answer("\n")
			p.await("done")
			if err := cmd.Wait(); err != nil || p.stderr.Len() > 0 {
				t.Errorf("%v\n%s", err, p.stderr.String())
			}
			checkResumes(t, file, truth)
			if result, err := Validate(file); err != nil || !result.Valid() {
				t.Errorf("%v: %+v", err, result)
			}
		})
	}
}

// checkResumes compares the trace with the log of Resumes.
func checkResumes(t *testing.T, file, truth string) {
	t.Helper()
	all, waits := readIntervals(t, file), readBlockings(t, file).waits
	lines := 0
	for line := range strings.Lines(string(must(os.ReadFile(truth))(t))) {
		lines++
		var kind, id, by, first string
		var begin, end trace.Time
		if _, err := fmt.Sscanf(line, "woken %s %s %s", &id, &by, &first); err == nil {
			if w := waits[id]; len(w) != 1 || w[0].end != "unparked" || w[0].by != by {
				t.Errorf("%s: the trace has %d waits of the thread", strings.TrimSpace(line), len(w))
			}
			continue
		}
		if _, err := fmt.Sscanf(line, "call %s %s %d %d %s", &kind, &id, &begin, &end, &first); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		var sum trace.Time
		for _, i := range all[id] {
			if i.kind == kind {
				sum += i.overlap(begin, end)
			}
		}
		if sum < (end-begin)/2 {
			t.Errorf("%s: the trace has %v", strings.TrimSpace(line), all[id])
		}
		if w := waits[id]; (kind == "lock" || kind == "latch") && (len(w) == 0 || w[len(w)-1].by == "") {
			t.Errorf("%s: the trace has not what ended the last of %d waits", strings.TrimSpace(line), len(w))
		}
	}
	if lines < 42 {
		t.Errorf("the truth has %d lines", lines)
	}
}
