package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

// analyses are all commands that answer in numbers.
var analyses = []string{
	"stats", "path", "blame --all", "why", "deadlocks --all --max 0", "heap", "heap --by site", "heap --growth",
	"methods",
	"heap --dominators --all --weak", // a trace does not say which references are weak
}

// TestNumbersStay proves that all analyses have the same numbers after a trace is anonymized, normalized, written and
// read again, or compressed. TRCX_TRACES names a folder of further traces.
func TestNumbersStay(t *testing.T) {
	for _, name := range tracesWithNumbers(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			before := numbersOf(t, name)
			again := asTrace(t, name, "again.trcxml")
			checkAnnotations(t, again)
			forms := map[string]string{
				"written":    again,
				"anonymized": asTrace(t, name, "anonymized.trcxml", "--anonymize"),
				"normalized": asTrace(t, name, "normalized.trcxml", "--normalize"),
				"gzip":       compressed(t, again),
				"zip":        zipped(t, filepath.Join(t.TempDir(), "again.zip"), []string{again}),
			}
			for form, trace := range forms {
				after := numbersOf(t, trace)
				for _, analysis := range analyses {
					if before[analysis] != after[analysis] {
						t.Errorf("%s: %s: %s", form, analysis, firstDifference(before[analysis], after[analysis]))
					}
				}
			}
		})
	}
}

// tracesWithNumbers are recordings, dumps and logs of each format.
func tracesWithNumbers(t *testing.T) []string {
	patterns := []string{
		"../../testdata/recorded/*.trcxml", "../../testdata/recorded/*.jfr", "../../docs/testdata/*.trcxml",
		"../../docs/testdata/*.hprof.txt", "../../docs/testdata/pool.monlog", "../../docs/testdata/pool.switchlog",
		"../../docs/testdata/deadlock-dump.txt", "../../convert/hprof/testdata/deadlock.hprof.txt",
		"../../convert/threaddump/testdata/dumps/jdk25.json", "../../convert/jfr/testdata/recordings/*.jfr.gz",
		"../../testdata/scripts/common/shop.hprof",
	}
	if folder := os.Getenv("TRCX_TRACES"); folder != "" {
		patterns = []string{filepath.Join(folder, "*")}
	}
	var names []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no trace matches %s: %v", pattern, err)
		}
		names = append(names, found...)
	}
	if !testing.Short() && os.Getenv("TRCX_TRACES") == "" {
		for _, trace := range liveRecordings(t, t.TempDir(), os.Getenv("TRCX_TRIALS") == "all") {
			names = append(names, trace)
		}
	}
	return names
}

// asTrace converts the trace to trcxml.
func asTrace(t *testing.T, name, to string, flags ...string) string {
	t.Helper()
	to = filepath.Join(t.TempDir(), to)
	args := append([]string{"trcx", "convert", name, "-o", to, "--quiet"}, flags...)
	var stderr bytes.Buffer
	if status := Main(args, strings.NewReader(""), io.Discard, &stderr); status != exitDone && status != exitFindings {
		t.Fatalf("%v: status %d: %s", args, status, stderr.String())
	}
	return to
}

// compressed compresses the file.
func compressed(t *testing.T, name string) string {
	t.Helper()
	var text bytes.Buffer
	w := gzip.NewWriter(&text)
	if _, err := w.Write(readFile(t, name)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name += ".gz"
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// numbersOf returns the numbers in the answers of all analyses in ascending order, because rows with equal numbers
// change their order with their names. If the trace has no answer, there are no numbers.
func numbersOf(t *testing.T, name string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, analysis := range analyses {
		words := strings.Fields(analysis)
		args := slices.Concat([]string{"trcx", words[0], name}, words[1:], []string{"--format", "json", "--quiet"})
		var stdout, stderr bytes.Buffer
		if status := Main(args, strings.NewReader(""), &stdout, &stderr); status == exitFailed {
			t.Fatalf("%v: %s", args, stderr.String())
		}
		text := stdout.Bytes()
		if len(text) > 0 && !json.Valid(text) {
			t.Fatalf("%v: the answer is not JSON", args)
		}
		numbers := numbersIn(text)
		slices.Sort(numbers)
		all[analysis] = strings.Join(numbers, " ")
	}
	return all
}

// numbersIn returns the numbers in a JSON text, without those in strings.
func numbersIn(text []byte) (numbers []string) {
	const digits = "-+.0123456789eE"
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case c == '-' || '0' <= c && c <= '9':
			begin := i
			for i < len(text) && strings.IndexByte(digits, text[i]) >= 0 {
				i++
			}
			numbers = append(numbers, string(text[begin:i]))
		}
	}
	return numbers
}

// checkAnnotations reports annotations that trcx has written but does not have in its table.
func checkAnnotations(t *testing.T, name string) {
	t.Helper()
	unknown := map[string]bool{}
	_, err := trcxml.Read(context.Background(), bytes.NewReader(readFile(t, name)), trcxml.Options{},
		func(e *trace.Event) error {
			if e.Kind == trace.Annotation && trace.AnnotationInside(e.Text(trace.AttrName), trace.Annotation) == nil {
				unknown[e.Text(trace.AttrName)] = true
			}
			if e.Extra == nil || e.Kind.Element().Content != trace.AnnotationsOf {
				return nil
			}
			for name := range e.Extra.AllAnnotations() {
				if trace.AnnotationInside(name, e.Kind) == nil {
					unknown[fmt.Sprintf("%s in %s", name, e.Kind)] = true
				}
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	for what := range unknown {
		t.Errorf("the table of annotations lacks %s", what)
	}
}
