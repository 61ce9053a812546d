package threaddump_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/builder/buildertest"
	"github.com/trcx/trcx/convert/threaddump"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write what is read now into the .golden files")

// reading is the outcome of Read.
type reading struct {
	elements []string
	findings []string
	lacks    []string
	ending   trace.Ending
}

func read(t testing.TB, in io.Reader) reading {
	t.Helper()
	var r reading
	var err error
	r.ending, err = threaddump.Read(context.Background(), in, builder.Options{
		Report:        func(f trace.Finding) { r.findings = append(r.findings, f.String()) },
		OnUnsupported: func(l trace.Lack) { r.lacks = append(r.lacks, l.What+": "+l.Means) },
	}, func(e *trace.Event) error {
		r.elements = append(r.elements, strings.TrimSpace(string(emit.Append(nil, e))))
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return r
}

func (r reading) String() string {
	var b strings.Builder
	for _, part := range [][]string{r.elements, r.findings, r.lacks} {
		for _, line := range part {
			fmt.Fprintln(&b, line)
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprintf(&b, "truncated %v at %v\n", r.ending.Truncated, r.ending.Place)
	return b.String()
}

// TestDumps reads the dumps of testdata/dumps, written by hand in the forms of all JVMs from Java 1.4 to 25, whole and
// broken. Each trace is in a file next to its dump.
func TestDumps(t *testing.T) {
	files, err := filepath.Glob("testdata/dumps/*.*")
	if err != nil || len(files) == 0 {
		t.Fatal("no dumps", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !threaddump.Recognises(text[:min(len(text), 512)]) && filepath.Ext(file) != ".log" {
				t.Error("it is not recognised")
			}
			got := read(t, bytes.NewReader(text)).String()
			golden := file + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// TestNotTaken: an error of put ends the reading at once, whichever element it is for, and is returned.
func TestNotTaken(t *testing.T) {
	for _, name := range []string{"series.txt", "jdk25.json"} {
		text, err := os.ReadFile("testdata/dumps/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all := len(read(t, bytes.NewReader(text)).elements)
		buildertest.CheckPutError(t, all, func() buildertest.Log {
			return func(options builder.Options, put func(*trace.Event) error) (trace.Ending, error) {
				return threaddump.Read(context.Background(), bytes.NewReader(text), options, put)
			}
		})
	}
}
