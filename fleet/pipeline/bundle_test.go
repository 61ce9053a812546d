package pipeline

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/fleet/rows"
)

// analysed returns what a bundle of the files emits, merged by keys.
func analysed(t *testing.T, f *analyseFn, names []string) map[string]string {
	t.Helper()
	var sum rows.Set
	emit := func(_ int, batch []byte) {
		all, err := rows.ParseForms(batch)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range all {
			sum.Add(row.Key, row.Value)
		}
	}
	f.StartBundle(context.Background(), emit)
	for _, name := range names {
		if err := f.ProcessElement(context.Background(), name, emit); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.FinishBundle(context.Background(), emit); err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, row := range sum.Sorted() {
		sums[string(row.AppendKey(nil))] = string(row.AppendValue(nil))
	}
	return sums
}

// TestStages: no function has side inputs, and each has an output, because prism waits for others in busy loops.
func TestStages(t *testing.T) {
	p, s := beam.NewPipelineWithRoot()
	build(s, []string{"a"}, Options{Folder: t.TempDir(), Shards: 2, Parallel: 1, MaxKeys: 1})
	edges, _, err := p.Build()
	if err != nil || len(edges) < 10 {
		t.Fatal(len(edges), err)
	}
	for _, edge := range edges {
		if edge.Op == "ParDo" && (len(edge.Input) != 1 || len(edge.Output) == 0) {
			t.Errorf("%s has %d inputs and %d outputs", edge.Name(), len(edge.Input), len(edge.Output))
		}
	}
}

// TestBundleTwice: a bundle emits the same when it is run again, by the same worker or another one, also after an attempt
// that failed while its files were being read; and its files of rows are the same.
func TestBundleTwice(t *testing.T) {
	var names []string
	folder := t.TempDir()
	for seed := range 8 {
		name := filepath.Join(folder, string(rune('a'+seed)))
		if err := os.WriteFile(name, enrichtest.Simulate(uint64(seed), 200).XML, 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	made := func() *analyseFn {
		f := &analyseFn{Options: Options{Shards: 2, Parallel: 3}}
		if err := f.Setup(); err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := made()
	want := analysed(t, f, names)
	if len(want) < 50 {
		t.Fatalf("%d rows", len(want))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	lost := func(int, []byte) {}
	f.StartBundle(ctx, lost)
	for i, name := range names {
		if i == 4 {
			cancel()
		}
		if err := f.ProcessElement(ctx, name, lost); err != nil {
			break
		}
	}
	// The runner drops the bundle without its end, and files of it may still be read.
	for what, again := range map[string]*analyseFn{"the same worker": f, "another worker": made()} {
		if got := analysed(t, again, names); !maps.Equal(got, want) {
			t.Errorf("%s emits other rows in a second attempt", what)
		}
	}
	f.StartBundle(ctx, lost)
	if f.ProcessElement(ctx, names[0], lost); f.FinishBundle(ctx, lost) == nil {
		t.Error("a bundle that was cancelled has no error")
	}

	var texts [2]string
	out := t.TempDir()
	for i := range texts {
		var all []rows.Row
		for key, value := range want { // in any order
			k, err := rows.ParseKey([]byte(key))
			if err != nil {
				t.Fatal(err)
			}
			v, err := rows.ParseValue([]byte(value))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, rows.Row{Key: k, Value: v})
		}
		w := &writeFn{Options: Options{Folder: out, Shards: 1, MaxKeys: len(all)}}
		at := 0
		_, n, err := w.ProcessElement(context.Background(), 0, func(form *[]byte) bool {
			if at == len(all) {
				return false
			}
			*form = rows.AppendForms(nil, all[at].AppendKey(nil), all[at].AppendValue(nil))
			at++
			return true
		})
		if err != nil || n != len(all) {
			t.Fatal(n, err)
		}
		text, err := os.ReadFile(filepath.Join(out, FileName(0, 1)))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 1 || texts[0] != texts[1] {
		t.Errorf("a file of rows that is written again differs, or %d files are there: %v", len(entries), err)
	}
}
