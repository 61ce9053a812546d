package pipeline_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/pipeline"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/storage"
	"github.com/trcx/trcx/fleet/tables"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init() // ends here in a worker
	os.Exit(m.Run())
}

// corpus writes generated traces, recorded ones and broken files into folders with labels, and returns their names.
func corpus(t *testing.T) []string {
	t.Helper()
	folder := t.TempDir()
	put := func(name string, text []byte) {
		t.Helper()
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	generated := 60
	if testing.Short() {
		generated = 15
	}
	for seed := range generated {
		text := enrichtest.Simulate(uint64(seed), 100).XML
		if seed%3 == 1 {
			text = zipped(t, text)
		}
		put(fmt.Sprintf("service=s%d/release=%d/trace-%d", seed%3, seed%2, seed), text)
	}
	recorded, err := filepath.Glob("../../testdata/recorded/*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range recorded {
		if ending := filepath.Ext(name); ending != ".trcxml" && ending != ".jfr" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		put("service=recorded/release=0/"+filepath.Base(name), text)
		for i, broken := range brokenOf(t, text) {
			put(fmt.Sprintf("service=broken/release=0/%s-%d", filepath.Base(name), i), broken)
		}
	}
	for i, text := range []string{"", "no trace", "<TRACE", `<TRACE><gcStart time="1"/><gcFinish time="2"/><traceEnd traceIdRef="1" time="2"/></TRACE>`, "PK\x03\x04", "\x1f\x8b\x08", "PAR1PAR1", "{}",
		`{"format":"trcx-statistics","version":1`, "FLR\x00\x00\x02", "JAVA PROFILE 1.0.2\x00", "\x28\xb5\x2f\xfd"} {
		put(fmt.Sprintf("service=broken/release=1/broken-%d", i), []byte(text))
	}
	if err := os.MkdirAll(filepath.Join(folder, "service=broken/release=1/a-folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	files, err := storage.List(context.Background(), filepath.Join(folder, "**"))
	if err != nil || len(files) < generated+20 {
		t.Fatal(len(files), err)
	}
	return append(files, filepath.Join(folder, "service=broken/release=1/vanished"),
		filepath.Join(folder, "service=broken/release=1/a-folder"))
}

func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// brokenOf returns a text that is cut, changed in the middle, cut when compressed, and in a zip beside what is no trace.
func brokenOf(t *testing.T, text []byte) [][]byte {
	t.Helper()
	changed := slices.Clone(text)
	copy(changed[len(text)/2:], "<<<\x00>>>")
	compressed := zipped(t, text)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range map[string][]byte{"a.xml": text} {
		entry, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	entry, err := w.Create("note.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := entry.Write([]byte("a note")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return [][]byte{text[:len(text)*2/3], changed, compressed[:len(compressed)/2], out.Bytes()}
}

func options(t *testing.T, by ...string) pipeline.Options {
	t.Helper()
	return pipeline.Options{Options: analyse.Options{By: by}, Folder: t.TempDir(), Shards: 3, Parallel: 2, MaxKeys: 1 << 20}
}

// files returns the files of rows by their names.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(name)] = string(text)
	}
	return found
}

// all returns the rows of a folder.
func all(t *testing.T, folder string) []rows.Row {
	t.Helper()
	var set rows.Set
	for name, text := range files(t, folder) {
		_, part, err := rows.ReadParquet(strings.NewReader(text))
		if err != nil {
			t.Fatal(name, err)
		}
		for _, row := range part {
			set.Add(row.Key, row.Value)
		}
	}
	return set.Sorted()
}

// same fails unless the folders have the same files of rows.
func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%s: %d files of rows, want %d", what, len(got), len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s differs from that of the plain loop", what, name)
		}
	}
}

// TestPartitions compares the rows of the plain loop with those of prism with 1, 2 and 8 goroutines, of the files in
// other orders, and of rows that two half runs have merged. Each listed file is accounted for.
func TestPartitions(t *testing.T) {
	names, ctx := corpus(t), context.Background()
	o := options(t, "service", "release", "host")
	if err := pipeline.Loop(ctx, names, o); err != nil {
		t.Fatal(err)
	}
	want := files(t, o.Folder)
	totals := tables.TotalsOf(all(t, o.Folder))
	for _, name := range names {
		if !totals.Has(name) {
			t.Errorf("%s is lost", name)
		}
	}
	if totals.Files != len(names) || totals.Complete+totals.Partial+totals.Empty+totals.Dead != len(names) ||
		totals.Dead < 10 || totals.Partial < 10 || totals.Empty == 0 {
		t.Errorf("of %d files, the totals are %+v", len(names), totals)
	}
	shuffled := slices.Clone(names)
	slices.Reverse(shuffled)
	for _, parallel := range []int{1, 2, 8} {
		o := o
		o.Folder, o.Parallel = t.TempDir(), parallel
		if err := pipeline.Run(ctx, shuffled, o, pipeline.Embedded); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprint(parallel, " goroutines"), files(t, o.Folder), want)
	}
	for _, batch := range []int{7, len(names)/2 + 1} {
		var parts []string
		for part := range slices.Chunk(shuffled, batch) {
			half := o
			half.Folder, half.Shards = t.TempDir(), 2
			if err := pipeline.Loop(ctx, part, half); err != nil {
				t.Fatal(err)
			}
			made, err := storage.List(ctx, filepath.Join(half.Folder, "*"))
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, made...)
		}
		merged := o
		merged.Folder = t.TempDir()
		if err := pipeline.Run(ctx, parts, merged, pipeline.Embedded); err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprint("batches of ", batch), files(t, merged.Folder), want)
	}
}

// TestHours compares sums over hours with those without hours, on traces that are stretched over several hours.
func TestHours(t *testing.T) {
	folder, ctx := t.TempDir(), context.Background()
	var names []string
	for seed := range 12 {
		text := stretch(enrichtest.Simulate(uint64(seed), 150).XML)
		name := filepath.Join(folder, fmt.Sprint("trace-", seed))
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	whole, byHour := options(t), options(t, "hour")
	for _, o := range []pipeline.Options{whole, byHour} {
		if err := pipeline.Loop(ctx, names, o); err != nil {
			t.Fatal(err)
		}
	}
	hours := map[string]bool{}
	for _, row := range all(t, byHour.Folder) {
		if row.Table == rows.Class {
			hours[row.Labels] = true
		}
	}
	if len(hours) < 3 {
		t.Fatalf("the traces have only %d hours", len(hours))
	}
	// Threads, monitors and traces are counted in each hour.
	strip := func(all []rows.Row) (kept []rows.Row) {
		for _, row := range all {
			if row.Table != rows.Hour {
				row.Monitors, row.Threads, row.Traces = 0, 0, 0
				if row.Table == rows.Blame {
					row.Count = 0 // waits count in each hour that they are in
				}
				kept = append(kept, row)
			}
		}
		return kept
	}
	got := strip(tables.Merge(all(t, byHour.Folder), []string{"hour"}, nil))
	want := strip(all(t, whole.Folder))
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	split := 0
	for i := range want {
		if got[i].Key != want[i].Key || !bytes.Equal(got[i].AppendValue(nil), want[i].AppendValue(nil)) {
			t.Errorf("the hours sum to\n%+v, want\n%+v", got[i], want[i])
		}
		if want[i].Table == rows.Class {
			split++
		}
	}
	if split == 0 {
		t.Error("there are no classes")
	}
}

// stretch makes a second of a simulated trace 28 hours: only times are decimal seconds.
func stretch(text []byte) []byte {
	const begin = 1_700_000_000
	var out bytes.Buffer
	for i, part := range strings.Split(string(text), `time="1700000`) {
		if i == 0 {
			out.WriteString(part)
			continue
		}
		number, rest, _ := strings.Cut(part, `"`)
		var seconds, fraction int64
		digits, _ := fmt.Sscanf(number, "%3d.%d", &seconds, &fraction)
		at := strings.IndexByte(number, '.')
		scale := int64(1_000_000_000)
		if digits == 2 {
			for range len(number) - at - 1 {
				scale /= 10
			}
		}
		nanos := (seconds*1_000_000_000 + fraction*scale) * 100_000
		fmt.Fprintf(&out, `time="%d.%09d"%s`, begin+nanos/1_000_000_000, nanos%1_000_000_000, rest)
	}
	return out.Bytes()
}

// TestTooManyKeys: the limit is one of all rows, whatever the number of files, the error names the label that has too many
// values, and nothing is written.
func TestTooManyKeys(t *testing.T) {
	names := corpus(t)
	for _, of := range []struct {
		shards int
		by     []string
		want   string
	}{
		{1, []string{"service", "release"}, "more than 300: the label service has"},
		{16, []string{"service", "release"}, "more than 300: the label service has"},
		{3, nil, "more than 300: raise max-keys"},
	} {
		o := options(t, of.by...)
		o.MaxKeys, o.Shards = 300, of.shards
		for what, err := range map[string]error{"loop": pipeline.Loop(context.Background(), names, o),
			"prism": pipeline.Run(context.Background(), names, o, pipeline.Embedded)} {
			if err == nil || !strings.Contains(err.Error(), of.want) || !strings.HasPrefix(err.Error(), "there are ") {
				t.Errorf("%s, %d files of rows: the error is %v", what, of.shards, err)
			}
		}
		if made := files(t, o.Folder); len(made) > 0 {
			t.Errorf("%d files were written", len(made))
		}
	}
}
