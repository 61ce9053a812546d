package jfr

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/trcx/trcx/internal/testtool"
)

// TestVersions reads recordings of other JDKs, made by
//
//	java -XX:StartFlightRecording:filename=jdk8.jfr,settings=events.jfc Workers
//
// and compares their events with the output of the tool jfr, kept in the file of the same name. -update writes it anew.
func TestVersions(t *testing.T) {
	files, err := filepath.Glob("testdata/recordings/*.jfr.gz")
	if err != nil || len(files) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			recording := unzipped(t, file)
			printedFile := strings.TrimSuffix(file, ".jfr.gz") + ".printed"
			if *update {
				printAnew(t, recording, printedFile)
			}
			o := readAll(t, recording, limits{})
			for _, f := range o.findings {
				t.Error(f)
			}
			events, intervals := parsePrinted(t, printedFile)
			compare(t, "events", eventsOf(o), events)
			compare(t, "intervals", tallied(t, recording), intervals)
			noObjectTwice(t, o)
		})
	}
}

// noObjectTwice checks that an objAlloc precedes all elements that refer to the object.
func noObjectTwice(t *testing.T, o outcome) {
	seen := map[string]string{}
	for _, e := range o.elements {
		if id := valueOf(e, "objId"); strings.HasPrefix(e, "<objAlloc ") && id != "" && seen[id] != "" {
			t.Errorf("%s comes after %s", e, seen[id])
		}
		for _, name := range []string{"objId", "objIdRef"} {
			if id := valueOf(e, name); id != "" {
				seen[id] = e
			}
		}
	}
}

func unzipped(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(in); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// printAnew lets a JDK print a recording's events, and keeps their sums.
func printAnew(t *testing.T, recording []byte, file string) {
	t.Helper()
	all := testtool.FindJDKs(testtool.Oldest)
	if len(all) == 0 {
		t.Fatal("printing needs a JDK")
	}
	newest := all[len(all)-1]
	name := filepath.Join(t.TempDir(), "recording.jfr")
	if err := os.WriteFile(name, recording, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for what, sums := range map[string]map[string]int64{"events": summary(t, newest, name),
		"intervals": printed(t, newest, name)} {
		for key, n := range sums {
			fmt.Fprintf(&out, "%s: %s = %d\n", what, key, n)
		}
	}
	lines := slices.Sorted(strings.Lines(out.String()))
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func parsePrinted(t *testing.T, file string) (events, intervals map[string]int64) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]map[string]int64{"events": {}, "intervals": {}}
	for line := range strings.Lines(string(content)) {
		what, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		at := strings.LastIndex(rest, " = ")
		n, err := strconv.ParseInt(rest[max(at, 0)+3:], 10, 64)
		if err != nil || sums[what] == nil {
			t.Fatalf("%s: %q", file, line)
		}
		sums[what][rest[:at]] = n
	}
	return sums["events"], sums["intervals"]
}

// TestCutInBetween cuts a recording anywhere; the complete recording after it in the same file must be read.
func TestCutInBetween(t *testing.T) {
	testtool.Long(t)
	first, second := unzipped(t, "testdata/recordings/jdk11.jfr.gz"), unzipped(t, "testdata/recordings/jdk21.jfr.gz")
	whole := intervalsIn(readAll(t, second, limits{}))
	for cut := 68; cut < len(first); cut += 1237 {
		o := readAll(t, slices.Concat(first[:cut], second), limits{})
		if n := intervalsIn(o); n < whole {
			t.Errorf("cut off at %d: %d of %d intervals; findings %v", cut, n, whole, o.findings)
		}
		if len(o.findings) == 0 {
			t.Errorf("cut off at %d: nothing is found", cut)
		}
	}
}

// intervalsIn counts the ends of intervals.
func intervalsIn(o outcome) (n int) {
	for _, e := range o.elements {
		if strings.HasPrefix(e, "<monWaited ") || strings.HasPrefix(e, "<monContendedEntered ") {
			n++
		}
	}
	return n
}

// TestRepeated: chunks that occur twice are counted once.
func TestRepeated(t *testing.T) {
	once := unzipped(t, "testdata/recordings/jdk27.jfr.gz")
	twice := readAll(t, slices.Concat(once, once), limits{})
	if want := readAll(t, once, limits{}); !slices.Equal(twice.elements, want.elements) {
		t.Error("what is read twice is not the same as once")
	}
	if len(twice.findings) != 1 || twice.findings[0].Rule != ruleRepeated ||
		twice.findings[0].Place.Offset != int64(len(once)) {
		t.Error(twice.findings)
	}
}
