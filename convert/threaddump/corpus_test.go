package threaddump_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reported matches the line with which a JVM begins a deadlock.
var reported = regexp.MustCompile(`(?mi)Java.level deadlock|Deadlock detected|^Circular \(deadlocked\)`)

// TestRealDumps: dumps of real JVMs are read without an error, and no deadlock that a JVM reports is missed: its
// threads are BLOCKED, each by another one.
func TestRealDumps(t *testing.T) {
	folder := os.Getenv("TRCX_DUMPS")
	if folder == "" {
		t.Skip("SKIPPED: TRCX_DUMPS names no folder; let it name one with thread dumps")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("TRCX_DUMPS: no file is in %s: %v", folder, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, bytes.NewReader(text))
		for _, finding := range got.findings {
			if strings.Contains(finding, ": error: ") || strings.Contains(finding, "[threaddump-deadlock]") {
				t.Errorf("%s: %s", filepath.Base(file), finding)
			}
		}
		blocked := 0
		for _, element := range got.elements {
			if strings.HasPrefix(element, "<monContendedEnter ") && !strings.Contains(element, `threadOwner="0"`) {
				blocked++
			}
		}
		if reported.Match(text) && blocked < 2 {
			t.Errorf("%s: the JVM reports a deadlock, but %d threads are blocked by others", filepath.Base(file),
				blocked)
		}
	}
}
