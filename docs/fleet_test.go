package docs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// prepareForFleet makes the workplace one with trcx-fleet, traces in folders with labels, and a run over them.
func (w *workshop) prepareForFleet(t *testing.T) {
	t.Helper()
	testtool.Fleet(t)
	for release, trace := range map[string]string{"1.4": recorded, "1.5": recordedLater} {
		folder := filepath.Join(w.dir, "traces", "service=shop", "release="+release)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "host1-1.trcxml"), readRecorded(t, trace), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range []string{"run monday.trcxml -o monday", "run tuesday.trcxml -o tuesday",
		"run 'traces/service=*/release=*/*' -o out"} {
		if output, status := w.execute(t, "trcx-fleet "+command); status != 0 {
			t.Fatalf("trcx-fleet %s: exit status %d\n%s", command, status, output)
		}
	}
}

// TestFleetHelpExamples executes the examples of the help of each command of trcx-fleet.
func TestFleetHelpExamples(t *testing.T) {
	w := workplace(t, buildTool(t))
	w.prepareForFleet(t)
	help, _ := w.execute(t, "trcx-fleet --help")
	commands := 0
	for line := range strings.Lines(help) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "trcx-fleet" || strings.ToUpper(words[2]) != words[2] {
			continue // not a command with arguments
		}
		commands++
		text, status := w.execute(t, "trcx-fleet "+words[1]+" --help")
		e := helpExample(text)
		if status != 0 || len(e.commands) == 0 {
			t.Errorf("trcx-fleet %s --help: exit status %d, and no example in\n%s", words[1], status, text)
		}
		w.run(t, e)
	}
	if commands != 4 {
		t.Errorf("%d commands have arguments, want run, stats, diff and report:\n%s", commands, help)
	}
}
