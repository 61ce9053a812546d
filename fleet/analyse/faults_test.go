package analyse

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/fleet/rows"
)

// fileRow returns the row of the file, and its stage if it is dead.
func fileRow(t *testing.T, all *rows.Set) (row rows.Row, stage string) {
	t.Helper()
	found := 0
	for _, of := range all.Sorted() {
		switch {
		case of.Table == rows.Dead:
			stage = of.Name
		case of.Table == rows.Trace && of.Time == "":
			row = of
			found++
		}
	}
	if found != 1 {
		t.Fatalf("the file has %d rows of its own, want 1", found)
	}
	return row, stage
}

// TestBrokenFiles: each kind of broken file is counted, with a reason.
func TestBrokenFiles(t *testing.T) {
	whole := enrichtest.Simulate(3, 400).XML
	recording, err := os.ReadFile("../../testdata/recorded/sample.jfr")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(whole); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	changed := func(text []byte, at int) []byte {
		text = bytes.Clone(text)
		text[at] ^= 0x55
		return text
	}
	half := len(whole) / 2
	for _, of := range []struct {
		name   string
		text   []byte
		status string
		stage  string
		reason string
	}{
		{"nothing", nil, rows.StatusOfDead, stageRead, "empty"},
		{"a note", []byte("no trace"), rows.StatusOfDead, stageRead, "format"},
		{"another document", []byte("<html/>"), rows.StatusOfDead, stageRead, "not a TPTP trace"},
		{"JSON", []byte("{}"), rows.StatusOfDead, stageRead, "format"},
		{"no rows", []byte("PAR1PAR1"), rows.StatusOfDead, stageOpen, "rows are damaged"},
		{"cut statistics", []byte(`{"format":"trcx-statistics","version":1`), rows.StatusOfDead, stageRead, ""},
		{"an empty gzip", []byte("\x1f\x8b\x08"), rows.StatusOfDead, stageRead, ""},
		{"an empty zip", []byte("PK\x03\x04"), rows.StatusOfDead, stageOpen, "zip"},
		{"an empty zstd", []byte("\x28\xb5\x2f\xfd"), rows.StatusOfDead, stageRead, ""},
		{"the head of a JFR file", []byte("FLR\x00\x00\x02"), rows.Partial, "", "missing"},
		{"no thread", []byte("<TRACE></TRACE>"), rows.Empty, "", ""},
		{"a cut trace", whole[:half], rows.Partial, "", ""},
		{"a damaged trace", append(append(bytes.Clone(whole[:half]), "<<<\x00>>>"...), whole[half:]...), rows.Partial, "", ""},
		{"a cut gzip", packed.Bytes()[:packed.Len()/2], rows.Partial, "", ""},
		{"a wrong checksum", changed(packed.Bytes(), packed.Len()-6), rows.Partial, "", "checksum"},
		{"a cut JFR file", recording[:len(recording)*2/3], rows.Partial, "", "complete events are used"},
		{"a damaged JFR file", changed(recording, 70), rows.Partial, "", ""},
		{"two traces", append(bytes.Clone(whole), whole...), rows.Partial, "", ""},
	} {
		name := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(name, of.text, 0o666); err != nil {
			t.Fatal(err)
		}
		a, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := a.File(context.Background(), name)
		if err != nil {
			t.Fatal(of.name, err)
		}
		row, stage := fileRow(t, all)
		if row.Status != of.status || stage != of.stage || !strings.Contains(row.Text, of.reason) ||
			(row.Text == "") != (of.status == rows.Empty) || strings.Contains(row.Text, "goroutine") {
			t.Errorf("%s is %s %q: %q, want %s %q: %q", of.name, row.Status, stage, row.Text, of.status, of.stage, of.reason)
		}
	}
}

// TestSecondAttempt: a panic in the first attempt changes no row; one in each attempt makes the file dead, and nothing
// else.
func TestSecondAttempt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(name, enrichtest.Simulate(3, 400).XML, 0o666); err != nil {
		t.Fatal(err)
	}
	var want []rows.Row
	for _, failing := range []int{0, 1, attempts} {
		a, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		tried := 0
		a.first = func(_ string, attempt int) {
			if tried = attempt; attempt <= failing {
				panic("out of luck")
			}
		}
		all, err := a.File(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		row, stage := fileRow(t, all)
		if failing == attempts {
			if row.Status != rows.StatusOfDead || stage != stageBug || !strings.Contains(row.Text, "out of luck") {
				t.Errorf("the file is %s %s: %s", row.Status, stage, row.Text)
			}
			continue
		}
		if tried != failing+1 || row.Status != rows.Complete {
			t.Errorf("after %d panics and %d attempts the file is %s", failing, tried, row.Status)
		}
		got := all.Sorted()
		if want == nil {
			want = got
		}
		if len(got) != len(want) || len(got) < 10 {
			t.Fatalf("%d rows, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i].Key != want[i].Key || !bytes.Equal(got[i].AppendValue(nil), want[i].AppendValue(nil)) {
				t.Errorf("the row is %+v, want %+v", got[i], want[i])
			}
		}
	}
}
