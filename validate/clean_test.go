package validate_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/validate"
)

// recording is a trace without defects.
type recording struct {
	name string
	text []byte
	// warnings are the rules whose warnings the trace has by its nature.
	warnings []string
}

// cleanRecordings are traces that JVMs wrote, and that simulated JVMs wrote.
func cleanRecordings(t testing.TB) (all []recording) {
	recorded, err := filepath.Glob("../testdata/recorded/*.trcxml")
	if err != nil || len(recorded) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, name := range recorded {
		all = append(all, recording{name: filepath.Base(name), text: mustRead(t, name)})
	}
	for seed := range testtool.Times(uint64(300)) {
		if simulated := enrichtest.Simulate(seed, 400); simulated.Faithful {
			all = append(all, recording{"simulated", simulated.XML, []string{"trace-unfinished"}})
		}
	}
	for _, style := range []synthetic.Style{{}, {Hostile: true}, {OneLine: true}} {
		var text bytes.Buffer
		if err := synthetic.Generate(&text, 1<<20, 3, style); err != nil {
			t.Fatal(err)
		}
		all = append(all, recording{name: "synthetic", text: text.Bytes()})
	}
	return all
}

func mustRead(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestCleanTraces proves that nothing is found in traces without defects.
func TestCleanTraces(t *testing.T) {
	for _, r := range cleanRecordings(t) {
		clean(t, r)
	}
}

func clean(t *testing.T, r recording) {
	t.Helper()
	result := judged(t, r.text)
	for _, finding := range result.Findings {
		if !contains(r.warnings, finding.Rule) || !result.Valid() {
			t.Errorf("%s: %v", r.name, finding)
		}
	}
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

// TestSamples proves that traces of real programs have no errors. This includes files that Workbenches saved, which
// may have one warning: Workbenches do not end their files.
func TestSamples(t *testing.T) {
	folder := os.Getenv("TRCX_SAMPLES")
	if folder == "" {
		t.Skip("SKIPPED: TRCX_SAMPLES names no folder; let it name one whose folders hold traces, *.trcxml")
	}
	names, err := filepath.Glob(filepath.Join(folder, "*", "*.trcxml"))
	if err != nil || len(names) == 0 {
		t.Fatalf("TRCX_SAMPLES: no trace matches %s/*/*.trcxml: %v", folder, err)
	}
	for _, name := range names {
		for _, text := range documents(t, name) {
			clean(t, recording{filepath.Base(name), text, []string{"trace-unfinished"}})
		}
	}
}

// documents are the entries of a zip, or the file itself.
func documents(t *testing.T, name string) (texts [][]byte) {
	t.Helper()
	archive, err := zip.OpenReader(name)
	if errors.Is(err, zip.ErrFormat) {
		return [][]byte{mustRead(t, name)}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, entry := range archive.File {
		in, err := fs.FS(archive).Open(entry.Name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// TestPieces proves that a recording which began in the middle or was cut off between two elements has only warnings
// about the missing beginning or end.
func TestPieces(t *testing.T) {
	testtool.Long(t)
	random := rand.New(rand.NewPCG(1, 1))
	beginning := []string{"preamble-missing", "thread-undefined", "class-undefined", "method-undefined",
		"object-undefined",
		"owner-undefined", "bad-annotation", "entered-without-enter", "waited-without-wait", "stack-unbalanced"}
	for _, r := range cleanRecordings(t) {
		elements := elementsOf(r.text)
		for range 4 {
			from, to := 1+random.IntN(len(elements)-2), 1+random.IntN(len(elements)-2)
			clean(t, recording{r.name + " without its end", bytes.Join(elements[:to], nil),
				[]string{"trace-unfinished"}})
			clean(t, recording{r.name + " without its beginning",
				append([]byte("<TRACE>"), bytes.Join(elements[from:], nil)...), append(beginning, "trace-unfinished")})
		}
	}
}

// elementsOf cuts a trace after each element; the first one includes the text before it.
func elementsOf(text []byte) [][]byte {
	if !bytes.Contains(text, []byte("<annotation")) {
		return bytes.SplitAfter(text, []byte("/>"))
	}
	const before = 2 // the XML declaration and <TRACE>
	lines := bytes.SplitAfter(text, []byte("\n"))
	return append([][]byte{bytes.Join(lines[:before+1], nil)}, lines[before+1:]...)
}

// TestSessions proves that nothing of a recording is left when the next begins.
func TestSessions(t *testing.T) {
	var all []*validate.Findings
	c := validate.NewChecker(func(session int) *validate.Findings {
		if session != len(all) {
			t.Errorf("session %d is opened after %d others", session, len(all))
		}
		all = append(all, validate.NewFindings(validate.RuleSelection{}, 10))
		return all[session]
	})
	example := validate.Lookup("thread-dead").Example
	for session := range 3 {
		read(t, c, session, []byte(example), nil)
	}
	for session, findings := range all {
		if got := findings.Result().Counts["thread-dead"]; got != 1 {
			t.Errorf("session %d has %d findings of thread-dead, want 1", session, got)
		}
	}
	if !strings.Contains(example, "threadEnd") {
		t.Fatal("the example has changed")
	}
}
