package perfetto_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/perfetto"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// drawCalls draws a document with its calls, and returns both.
func drawCalls(t *testing.T, format perfetto.Format, document []byte) (text []byte, calls []methods.Call) {
	t.Helper()
	var out bytes.Buffer
	sink := perfetto.NewWriter(&out, perfetto.Options{Format: format, TempDir: t.TempDir()})
	collector := methods.NewCollector(methods.Options{Flow: true})
	enricher := enrich.New(callsFirst{sink, collector}, enrich.Options{})
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, bytes.NewReader(document), 0)
	check(t, err)
	defer inputs.Close()
	check(t, convert.Run(context.Background(), inputs.Documents, convert.Options{}, convert.Tee(enricher, collector)))
	for c := range collector.Calls(nil) {
		calls = append(calls, c)
	}
	check(t, sink.Close())
	check(t, collector.Close())
	return out.Bytes(), calls
}

// callsFirst passes the calls to the sink before the end.
type callsFirst struct {
	*perfetto.Writer
	collector *methods.Collector
}

func (c callsFirst) Put(r trace.Record) error {
	if _, last := r.(*trace.Summary); last {
		if err := c.Calls(c.collector.Calls(nil)); err != nil {
			return err
		}
	}
	return c.Writer.Put(r)
}

// chance is a trace of random calls of three threads. Most have no length, and some have no exit.
func chance(seed uint64) []byte {
	var b strings.Builder
	b.WriteString(`<TRACE><classDef name="app/M" classId="1"/>`)
	for i := range 5 {
		fmt.Fprintf(&b, `<methodDef name="m%d" methodId="%[1]d" classIdRef="1"/>`, i)
	}
	b.WriteString(`<threadStart threadId="1" threadName="main" time="1.0"/>`)
	random, now := rand.New(rand.NewPCG(seed, 1)), 1_000_000_000
	open := [3][]int{}
	for range 300 {
		thread := random.IntN(3)
		if random.IntN(3) == 0 {
			now += random.IntN(1000)
		}
		at, depth := fmt.Sprintf(`time="%d.%09d" threadIdRef="%d"`, now/1e9, now%1e9, thread+1), len(open[thread])
		switch {
		case depth < 8 && random.IntN(2) == 0:
			method := random.IntN(5)
			open[thread] = append(open[thread], method)
			fmt.Fprintf(&b, `<methodEntry %s methodIdRef="%d" stackDepth="%d"/>`, at, method, depth)
		case depth > 0:
			if random.IntN(10) > 0 {
				fmt.Fprintf(&b, `<methodExit %s methodIdRef="%d"/>`, at, open[thread][depth-1])
			}
			open[thread] = open[thread][:depth-1]
		}
	}
	return []byte(b.String() + "</TRACE>")
}

// TestCalls: each call is a slice inside its caller's, on a track of its thread, in both formats and for speedscope.
func TestCalls(t *testing.T) {
	calls, err := os.ReadFile("../../docs/testdata/calls.trcxml")
	check(t, err)
	documents := [][]byte{calls}
	for seed := range uint64(30) {
		documents = append(documents, chance(seed))
	}
	files, folder := []string{}, t.TempDir()
	for i, document := range documents {
		for _, format := range []perfetto.Format{perfetto.JSON, perfetto.Protobuf} {
			text, calls := drawCalls(t, format, document)
			d := fromProtobufOrJSON(t, format, text)
			drawn := map[string]int{}
			for _, s := range append(d.slices, d.instants...) {
				if category, _, _ := strings.Cut(s.category, ","); category == "call" {
					drawn[fmt.Sprintln(d.threads[s.track], s.name, s.at, s.length, flagged(s, "open"),
						flagged(s, "lost"))]++
				}
			}
			start := earliest(d, calls)
			for _, c := range calls {
				if format == perfetto.JSON {
					c.End = max(c.End-1, c.Begin)
				}
				title, _, _ := strings.Cut(c.ThreadTitle, " (")
				key := fmt.Sprintln(title+": calls", c.Method, int64(c.Begin)-start, int64(c.End-c.Begin), c.Open, c.Lost)
				if drawn[key]--; drawn[key] < 0 {
					t.Fatalf("document %d, %s: no slice is %s", i, format, key)
				}
			}
			for key, more := range drawn {
				if more != 0 {
					t.Errorf("document %d, %s: %d slices too many are %s", i, format, more, key)
				}
			}
			if format == perfetto.JSON {
				files = append(files, filepath.Join(folder, fmt.Sprint(i, ".trace.json")))
				check(t, os.WriteFile(files[i], text, 0o600))
			}
		}
	}
	node, speedscope := testtool.Need(t, "node"), testtool.Need(t, "speedscope")
	out, err := exec.Command(node, append([]string{"testdata/speedscope.mjs", filepath.Dir(filepath.Dir(speedscope))},
		files...)...).Output()
	check(t, err)
	imported := 0
	for line := range bytes.Lines(out) {
		var group struct {
			File     string
			Warnings []string
			Profiles []struct{ Name string }
		}
		check(t, json.Unmarshal(line, &group))
		if len(group.Warnings) > 0 || !strings.Contains(fmt.Sprint(group.Profiles), ": calls") {
			t.Errorf("%s: speedscope has %v, and says %s", group.File, group.Profiles, group.Warnings)
		}
		imported++
	}
	if imported != len(files) {
		t.Errorf("speedscope has imported %d of %d files", imported, len(files))
	}
}

// flagged reports whether a call has a flag, which is an argument or, in JSON, a category.
func flagged(s drawn, name string) bool {
	return s.values[name] == true || strings.Contains(s.category, ","+name)
}

func fromProtobufOrJSON(t *testing.T, format perfetto.Format, text []byte) *drawing {
	if format == perfetto.JSON {
		return fromJSON(t, text)
	}
	return fromProtobuf(t, text)
}

// earliest returns the time of the trace that is 0 in the drawing.
func earliest(d *drawing, calls []methods.Call) int64 {
	first := int64(1) << 62
	for _, s := range append(d.slices, d.instants...) {
		if strings.HasPrefix(s.category, "call") {
			first = min(first, s.at)
		}
	}
	begin := int64(calls[0].Begin)
	for _, c := range calls {
		begin = min(begin, int64(c.Begin))
	}
	return begin - first
}

// TestSamples: both formats have the samples of RUNNABLE threads, those on a processor if there are such, once for each
// that the trace counts, up to a limit.
func TestSamples(t *testing.T) {
	const begin = `<TRACE><classDef name="app/M" classId="1"/><methodDef name="f" methodId="1" classIdRef="1"/>` +
		`<methodDef name="-init-" methodId="2" classIdRef="1"/><threadStart threadId="1" threadName="main" time="1.0"/>`
	sample := func(value string) string { return `<annotation name="sample" value="` + value + `"/>` }
	moments := sample("1 1.3 RUNNABLE 2 0 1:7") + sample("1 1.4 SLEEPING 5 0 1") + sample("1 1.5 RUNNABLE 9 0")
	for name, c := range map[string]struct {
		samples string
		want    []sampled
	}{
		"none":    {"", nil},
		"moments": {moments, []sampled{{1, 3e8, "app.M.f"}, {1, 3e8, "app.M.f"}}},
		"on CPU": {moments + sample("1 1.2 RUNNABLE 1 10 2:5 1:4 1:3") + sample("1 1.6 RUNNABLE 1 10 2:5 1:4 1:3") + sample("1 1.1 RUNNABLE 1001 10 2"),
			append(slices.Repeat([]sampled{{1, 1e8, "app.M.<init>"}}, 1000), sampled{1, 2e8, "app.M.f;app.M.f;app.M.<init>"},
				sampled{1, 6e8, "app.M.f;app.M.f;app.M.<init>"})},
	} {
		for _, format := range []perfetto.Format{perfetto.JSON, perfetto.Protobuf} {
			d := fromProtobufOrJSON(t, format, draw(t, format, nil, []byte(begin+c.samples+"</TRACE>")))
			if !slices.Equal(d.samples, c.want) {
				t.Errorf("%s, %v: got %d samples, want %d: %.300v", name, format, len(d.samples), len(c.want), d.samples)
			}
		}
	}
}
