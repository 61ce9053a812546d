package threaddump_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/threaddump"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// readValid reads an input that may be anything. It fails if the output is not a valid trace, if times go back, or if
// no model can be made of it.
func readValid(t *testing.T, text []byte) reading {
	t.Helper()
	var r reading
	findings := validate.NewFindings(validate.RuleSelection{}, 20)
	checker := validate.NewChecker(func(int) *validate.Findings { return findings })
	enricher := enrich.New(trace.Tee(), enrich.Options{})
	checker.Begin(0)
	enricher.Begin(0)
	last := trace.Time(0)
	ending, err := threaddump.Read(context.Background(), bytes.NewReader(text), builder.Options{
		Report: func(f trace.Finding) {
			if !strings.HasPrefix(f.Rule, "threaddump-") || f.Message == "" || f.Place.Line < 1 ||
				f.Place.Offset > int64(2*len(text)) {
				t.Errorf("the finding is %+v", f)
			}
			r.findings = append(r.findings, f.String())
		},
	}, func(e *trace.Event) error {
		r.elements = append(r.elements, string(emit.Append(nil, e)))
		if e.Timed() && e.Time < last {
			t.Errorf("%s goes back from %d", r.elements[len(r.elements)-1], last)
		}
		last = max(last, e.Time)
		checker.Put(e)
		return enricher.Put(e)
	})
	if err != nil {
		t.Fatal(err)
	}
	r.ending = ending
	checker.End(ending)
	if err := enricher.End(ending); err != nil {
		t.Error(err)
	}
	if result := findings.Result(); result.Errors > 0 {
		t.Errorf("the trace is not valid: %v\n%s", result.Findings, strings.Join(r.elements, ""))
	}
	return r
}

// dumps are the dumps of testdata, by name.
func dumps(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/dumps/*.*")
	if err != nil || len(files) == 0 {
		t.Fatal("no dumps", err)
	}
	texts := map[string][]byte{}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		if texts[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// FuzzRead proves that any bytes become a valid trace.
func FuzzRead(f *testing.F) {
	for _, text := range dumps(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { readValid(t, text) })
}

// TestCut cuts dumps off at some 2000 places each: the trace is valid, nothing is invented for the missing part, and
// the loss of a dump's end is reported.
func TestCut(t *testing.T) {
	testtool.Long(t)
	for name, text := range dumps(t) {
		whole := readValid(t, text)
		for cut := 0; cut < len(text); cut += 1 + len(text)/2000 {
			got := readValid(t, text[:cut])
			if len(got.elements) > len(whole.elements)+len(whole.elements)/2 {
				t.Errorf("%s: cut off at %d it has %d elements, and whole %d", name, cut, len(got.elements),
					len(whole.elements))
			}
			begun, ended := bytes.Count(text[:cut], []byte("sharing):\n")),
				bytes.Count(text[:cut], []byte("JNI global ref"))
			if name == "series.txt" && begun > ended && len(got.findings) == 0 {
				t.Fatalf("%s: nothing is said of what was cut off at %d: …%q", name, cut, text[max(0, cut-30):cut])
			}
		}
	}
}

// TestCutAtEveryLine: a dump that has lost its end is reported as truncated, wherever the cut is, unless nothing shows
// it: between two threads of a plain dump, before its head, and after the last line of a printed one, with or without
// deadlocks to come. A cut in the list of deadlocks leaves all threads intact, so that they stay as certain.
func TestCutAtEveryLine(t *testing.T) {
	for name, text := range map[string][]byte{"deadlocks": dumps(t)["jdk8_deadlock.txt"],
		"json": dumps(t)["jdk25.json"], "plain": dumps(t)["jdk21_plain.txt"]} {
		if whole := readValid(t, text); whole.ending.Truncated {
			t.Errorf("%s: whole it is truncated", name)
		}
		at, begun := 0, false
		for line := range bytes.Lines(text) {
			at += len(line)
			before := bytes.TrimSpace(line)
			begun = begun || bytes.HasPrefix(before, []byte("Full thread dump")) ||
				bytes.HasPrefix(before, []byte("{")) || name == "plain" && bytes.HasPrefix(before, []byte("21"))
			switch rest := bytes.TrimSpace(text[at:]); {
			case len(rest) == 0 || !begun:
			case name == "plain" && bytes.Contains(text[:at], []byte("\n#")) && len(before) == 0:
			case bytes.HasPrefix(before, []byte("JNI global")) || len(before) == 0 &&
				bytes.HasPrefix(rest, []byte("Found one")):
			default:
				got, listed := readValid(t, text[:at]), bytes.Contains(text[:at], []byte("Found one"))
				if said := strings.Join(got.findings, "\n"); got.ending.Truncated == listed ||
					!strings.Contains(said, "[threaddump-truncated]") {
					t.Errorf("%s: after %q the cut is not noticed, or said to cut the threads", name, before)
				}
			}
		}
	}
}

// TestPieces reads dumps byte by byte: the result is the same.
func TestPieces(t *testing.T) {
	for name, text := range dumps(t) {
		if whole, pieces := read(t, bytes.NewReader(text)),
			read(t, iotest.OneByteReader(bytes.NewReader(text))); whole.String() != pieces.String() {
			t.Errorf("%s becomes\n%s\nand in pieces\n%s", name, whole, pieces)
		}
	}
}

// TestInterleaved mixes two dumps line by line at random: the trace is valid, each of its threads is in one of the
// dumps, and there are findings.
func TestInterleaved(t *testing.T) {
	one, other := dumps(t)["series.txt"], dumps(t)["jdk8_deadlock.txt"]
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var mixed []byte
		sources := [][][]byte{slices.Collect(bytes.Lines(one)), slices.Collect(bytes.Lines(other))}
		for len(sources[0])+len(sources[1]) > 0 {
			i := random.IntN(2)
			if n := min(len(sources[i]), 1+random.IntN(4)); n > 0 {
				for _, line := range sources[i][:n] {
					mixed = append(mixed, line...)
				}
				sources[i] = sources[i][n:]
			}
		}
		got := readValid(t, mixed)
		if len(got.findings) == 0 {
			t.Errorf("nothing is wrong with\n%s", mixed)
		}
		for _, e := range got.elements {
			if _, rest, ok := strings.Cut(e, `threadName="`); ok {
				name, _, _ := strings.Cut(rest, `"`)
				if !bytes.Contains(one, []byte(`"`+name+`"`)) && !bytes.Contains(other, []byte(`"`+name+`"`)) {
					t.Errorf("thread %q is of neither dump", name)
				}
			}
		}
	}
}

// TestUTF16 reads a dump as the PowerShell of Windows redirects it to a file.
func TestUTF16(t *testing.T) {
	text := dumps(t)["jdk8_deadlock.txt"]
	want := read(t, bytes.NewReader(text))
	for _, order := range []struct {
		mark      string
		high, low int
	}{{"\xFF\xFE", 1, 0}, {"\xFE\xFF", 0, 1}, {"", 1, 0}, {"", 0, 1}} {
		wide := []byte(order.mark)
		for _, c := range text {
			pair := [2]byte{}
			pair[order.low], pair[order.high] = c, 0
			wide = append(wide, pair[:]...)
		}
		if !threaddump.Recognises(wide[:512]) {
			t.Error("it is not recognised")
		}
		if got := read(t, bytes.NewReader(wide)); got.String() != want.String() {
			t.Errorf("it becomes\n%s", got)
		}
	}
}

// TestBounds: endless lines, strings, names and stacks take limited memory, and are reported.
func TestBounds(t *testing.T) {
	head := "2024-05-06 07:08:09\nFull thread dump X (1):\n\n"
	thread := "\"a\" #1 prio=5 tid=0x1 nid=0x1 runnable\n   java.lang.Thread.State: RUNNABLE\n"
	for name, text := range map[string]string{
		"a long line": head + thread + "\tat " + strings.Repeat("x", 3<<20) +
			".y(Z.java:1)\n\tat app.Main.main(Main.java:5)\n\nJNI global refs: 1\n",
		"a deep stack": head + thread + strings.Repeat("\tat app.Main.main(Main.java:5)\n", 5000) +
			"\nJNI global refs: 1\n",
		"a long string": `{"threadDump": {"threadContainers": [{"threads": [{"tid": "1", "name": "` +
			strings.Repeat("x", 3<<20) + `"}, {"tid": "2", "stack": ["app.Main.main(Main.java:5)"]}]}]}}`,
		"a deep value": `{"threadDump": {"x": ` + strings.Repeat("[", 1<<20) +
			`, {"tid": "2", "stack": ["app.Main.main(Main.java:5)"]}`,
		"a long number": `{"threadDump": {"threadContainers": [{"threads": [{"tid": ` + strings.Repeat("1", 1<<20) +
			`}, {"tid": "2", "stack": ["app.Main.main(Main.java:5)"]}]}]}}`,
		"no end of name": head + "\"a\n" + strings.Repeat("b\n", 1<<18) + thread +
			"\tat app.Main.main(Main.java:5)\n\nJNI global refs: 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			got := readValid(t, []byte(text))
			if len(got.findings) == 0 || len(got.findings) > 3 {
				t.Errorf("the findings are %q", got.findings)
			}
			if !strings.Contains(strings.Join(got.elements, ""), `name="main"`) {
				t.Errorf("what comes after is lost: %q", got.elements)
			}
			for _, finding := range got.findings {
				if len(finding) > 1000 {
					t.Errorf("a finding of %d bytes", len(finding))
				}
			}
		})
	}
}
