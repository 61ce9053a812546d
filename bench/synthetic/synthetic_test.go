package synthetic

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

const testSize = 2 << 20

func generated(t *testing.T, seed uint64, s Style) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Generate(&b, testSize, seed, s); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// elementsOf parses a document with encoding/xml and returns the elements in its root.
func elementsOf(t *testing.T, document []byte) []xml.StartElement {
	t.Helper()
	var elements []xml.StartElement
	decoder := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return elements
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local != trace.Root.String() {
			elements = append(elements, start.Copy())
		}
	}
}

func TestSameSeedSameTrace(t *testing.T) {
	if !bytes.Equal(generated(t, 7, Style{}), generated(t, 7, Style{})) {
		t.Error("two traces of one seed differ")
	}
	if bytes.Equal(generated(t, 7, Style{}), generated(t, 8, Style{})) {
		t.Error("the traces of two seeds are equal")
	}
}

func TestForm(t *testing.T) {
	document := string(generated(t, 1, Style{}))
	if size := len(document); math.Abs(float64(size-testSize)) > testSize/100 {
		t.Errorf("the trace has %d bytes, want %d", size, testSize)
	}
	head := "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE TRACE SYSTEM \"trace.dtd\">\n<TRACE>\n<node "
	if !strings.HasPrefix(document, head) || !strings.HasSuffix(document, "/>\n</TRACE>\n") {
		t.Errorf("the trace begins %.120q", document)
	}
	if elements := elementsOf(t, []byte(document)); strings.Count(document, "\n") != len(elements)+4 {
		t.Errorf("%d elements are not one a line", len(elements))
	}
}

func TestAttributesAreInTheTablesOrder(t *testing.T) {
	for _, e := range elementsOf(t, generated(t, 1, Style{})) {
		element := trace.Lookup([]byte(e.Name.Local)).Element()
		last := -1
		for _, a := range e.Attr {
			position, proper := element.Find([]byte(a.Name.Local))
			if !proper || position <= last {
				t.Fatalf("%v: %s is unknown or out of order", e, a.Name.Local)
			}
			last = position
		}
	}
}

func TestMix(t *testing.T) {
	var counts [shares]float64
	elements := elementsOf(t, generated(t, 1, Style{}))
	for _, e := range elements {
		counts[shareOf(trace.Lookup([]byte(e.Name.Local)))]++
	}
	for s, want := range percent {
		if got := counts[s] / float64(len(elements)) * 100; math.Abs(got-float64(want)) > 2 {
			t.Errorf("share %d is %.1f %%, want %d %%", s, got, want)
		}
	}
}

func TestStylesHaveTheSameElements(t *testing.T) {
	plain := elementsOf(t, generated(t, 3, Style{}))
	for _, s := range []Style{{Hostile: true}, {OneLine: true}, {Hostile: true, OneLine: true}} {
		document := generated(t, 3, s)
		styled := elementsOf(t, document)
		if !slices.EqualFunc(plain, styled, sameElement) {
			t.Errorf("%+v: the elements differ", s)
		}
		single, double := bytes.Count(document, []byte("='")), bytes.Count(document, []byte(`="`))
		if share := float64(single) / float64(single+double); s.Hostile && math.Abs(share-0.3) > 0.01 {
			t.Errorf("%+v: %.1f %% of the values are in single quotes", s, share*100)
		}
		if lines := bytes.Count(document, []byte("\n")); s.OneLine && lines != 4 {
			t.Errorf("%+v: %d line feeds", s, lines)
		}
	}
}

// sameElement compares elements, in any order of their attributes.
func sameElement(a, b xml.StartElement) bool {
	byName := func(x, y xml.Attr) int { return strings.Compare(x.Name.Local, y.Name.Local) }
	return a.Name == b.Name && slices.Equal(slices.SortedFunc(slices.Values(a.Attr), byName),
		slices.SortedFunc(slices.Values(b.Attr), byName))
}

func TestTraceIsPossible(t *testing.T) {
	for seed := range testtool.Times(uint64(5)) {
		r := newReader()
		for _, e := range elementsOf(t, generated(t, seed, Style{})) {
			if err := r.read(e); err != nil {
				t.Fatalf("seed %d: %v: %v", seed, e, err)
			}
		}
		if len(r.threads) > 0 || r.ended < Default.Threads+4 {
			t.Errorf("seed %d: %d threads are left, %d have ended", seed, len(r.threads), r.ended)
		}
	}
}

func TestLiveSetIsBounded(t *testing.T) {
	r := newReader()
	var b bytes.Buffer
	if err := Generate(&b, 4*testSize, 1, Style{}); err != nil {
		t.Fatal(err)
	}
	for _, e := range elementsOf(t, b.Bytes()) {
		if err := r.read(e); err != nil {
			t.Fatal(err)
		}
	}
	if r.mostThreads > Default.Threads || r.mostObjects > liveObjects+Default.Threads+Default.monitors() ||
		len(r.methods) > int(programMethods) {
		t.Errorf("at most %d threads and %d objects lived; %d methods", r.mostThreads, r.mostObjects, len(r.methods))
	}
	if r.reused == 0 {
		t.Error("no object id was used again")
	}
}

func TestAgainstTheDTD(t *testing.T) {
	xmllint := testtool.Need(t, "xmllint")
	for _, s := range []Style{{}, {Hostile: true, OneLine: true}} {
		file := filepath.Join(t.TempDir(), "trace.trcxml")
		for name, text := range map[string][]byte{file: generated(t, 1, s), filepath.Join(filepath.Dir(file),
			DTDName): []byte(dtd.TraceText())} {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := exec.Command(xmllint, "--stream", "--valid", "--noout", file).CombinedOutput(); err != nil ||
			len(out) > 0 {
			t.Errorf("%+v: %v: %s", s, err, out)
		}
	}
}

func TestWriteErrorsAreReported(t *testing.T) {
	if err := Generate(fullDisk{}, testSize, 1, Style{}); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// TestEverythingHappens proves that a trace has all kinds of events that the machine simulates.
func TestEverythingHappens(t *testing.T) {
	seen := map[string]int{}
	for _, e := range elementsOf(t, generated(t, 1, Style{})) {
		seen[e.Name.Local]++
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "isTimedOut", "isNotifyAll":
				seen[fmt.Sprint(a.Name.Local, a.Value)]++
			case "objIdRef":
				if a.Value == noObject {
					seen["sleep"]++
				}
			}
		}
	}
	for _, want := range []string{"isTimedOut0", "isTimedOut1", "isNotifyAll0", "isNotifyAll1", "sleep",
		"monContendedEntered",
		"callInterrupt", "threadInterrupted", "callStart", "threadEnd", "objFree", "gcFinish", "classDef",
		"methodDef"} {
		if seen[want] == 0 {
			t.Errorf("%s does not occur", want)
		}
	}
}
