package convert

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// listing is a Sink that lists its calls, and fails after a number of elements.
type listing struct {
	bytes.Buffer
	elements, failAfter int
}

var errFull = errors.New("the disk is full")

func (l *listing) Begin(session int) error {
	fmt.Fprintf(l, "begin %d\n", session)
	return nil
}

func (l *listing) Put(e *trace.Event) error {
	if l.elements++; l.elements == l.failAfter {
		return errFull
	}
	fmt.Fprintf(l, "%s\n", e.Name())
	return nil
}

func (l *listing) End(ending trace.Ending) error {
	fmt.Fprintf(l, "end %v\n", ending.Truncated)
	return nil
}

func (l *listing) Finish() error {
	l.WriteString("finish\n")
	return nil
}

// run converts a file with the content.
func run(t *testing.T, content []byte, limit int64, sink *listing) (findings []string, err error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	inputs, err := OpenInputs([]string{name}, nil, limit)
	if err != nil {
		return nil, err
	}
	defer inputs.Close()
	err = Run(context.Background(), inputs.Documents, Options{OnFinding: func(document string, f trace.Finding) {
		findings = append(findings, filepath.Base(document)+":"+f.String())
	}}, sink)
	return findings, err
}

func zipped(t *testing.T, entries ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for i, text := range entries {
		w, err := archive.Create(fmt.Sprintf("entry-%d.xml", i))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestEntriesAreSessions(t *testing.T) {
	var sink listing
	findings, err := run(t, zipped(t, "<TRACE><gcStart time='1'/>", "no trace", "<gcFinish time='2'/>"), 0, &sink)
	if err != nil {
		t.Fatal(err)
	}
	if want := "begin 0\nTRACE\ngcStart\nend false\nbegin 1\ngcFinish\nend false\nfinish\n"; sink.String() != want {
		t.Errorf("got %s, want %s", sink.String(), want)
	}
	if len(findings) != 1 || !strings.HasPrefix(findings[0], "input!entry-1.xml:1:1: error: no known format") {
		t.Errorf("findings %q", findings)
	}
}

// TestMetadataInZip: the metadata of a log in a zip is not a separate document if it has the name and content of
// metadata. TestOverlappingEntries: a zip in which two entries have the same bytes is refused: a small one could have
// any number of large entries.
func TestOverlappingEntries(t *testing.T) {
	var content bytes.Buffer
	archive := zip.NewWriter(&content)
	for _, name := range []string{"a", "b"} {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(w, "<TRACE/>")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	const offset = 42 // where a central header has the local header's offset
	central := []byte("PK\x01\x02")
	first := bytes.Index(content.Bytes(), central)
	second := first + 4 + bytes.Index(content.Bytes()[first+4:], central)
	copy(content.Bytes()[second+offset:][:4], content.Bytes()[first+offset:][:4])
	_, err := run(t, content.Bytes(), 0, &listing{})
	if err == nil || !strings.Contains(err.Error(), `the entries "a" and "b" of the zip overlap`) {
		t.Errorf("the zip is read: %v", err)
	}
}

func TestMetadataInZip(t *testing.T) {
	const log, metadata = "1.000000000,ThreadSleep,0A1B2C01,1,1F,0\n", "1F,run,()V,Lapp/Main;,-1\n"
	for _, c := range []struct {
		entries  []string // names and contents
		logs     string   // the documents
		methods  int
		findings int
	}{
		{[]string{"app.meta.log", metadata, "app.log", log}, "app.log", 1, 0},
		{[]string{"app.log", log, "meta.txt", metadata}, "app.log", 1, 1},
		{[]string{"x/app.log", log, "x/app.meta", metadata, "app.meta", metadata}, "x/app.log app.meta", 1, 1},
		{[]string{"app.log", log, "app.meta", log}, "app.log app.meta", 0, 0},
		{[]string{"app.xml", "<TRACE/>", "app.meta", metadata}, "app.xml app.meta", 0, 1},
		{[]string{"app.log", log, "other.log", log, "meta.log", metadata}, "app.log other.log", 2, 2},
		{[]string{"other.csv", metadata, "app.log", log}, "other.csv app.log", 0, 1},
	} {
		var content bytes.Buffer
		archive := zip.NewWriter(&content)
		for at := 0; at < len(c.entries); at += 2 {
			w, err := archive.Create(c.entries[at])
			if err == nil {
				_, err = io.WriteString(w, c.entries[at+1])
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		var sink listing
		findings, err := run(t, content.Bytes(), 0, &sink)
		if err != nil || len(findings) != c.findings || strings.Count(sink.String(), "methodDef") != c.methods {
			t.Errorf("%q: %v, %q\n%s", c.entries, err, findings, &sink)
		}
		inputs, err := OpenInputs([]string{"-"}, bytes.NewReader(content.Bytes()), 0)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, document := range inputs.Documents {
			names = append(names, strings.TrimPrefix(document.Name, "-!"))
		}
		if got := strings.Join(names, " "); got != c.logs {
			t.Errorf("%q: the documents are %s, want %s", c.entries, got, c.logs)
		}
		inputs.Close()
	}
}

// TestSkippableFrames: skippable frames can be anywhere in zstd data. pzstd writes one of four bytes in front.
func TestSkippableFrames(t *testing.T) {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	begin, end := encoder.EncodeAll([]byte("<TRACE><gcStart time='1'/>"), nil), encoder.EncodeAll([]byte("</TRACE>"), nil)
	skipped := func(number byte, size int) []byte {
		head := binary.LittleEndian.AppendUint32([]byte{0x50 + number, 0x2a, 0x4d, 0x18}, uint32(size))
		return append(head, bytes.Repeat([]byte("<"), size)...)
	}
	const whole, cutOff = "begin 0\nTRACE\ngcStart\nend false\nfinish\n", "begin 0\nTRACE\ngcStart\nend true\nfinish\n"
	for _, c := range []struct {
		frames [][]byte
		want   string // of the sink, or the error
	}{
		{[][]byte{skipped(0, 4), begin, end}, whole},
		{[][]byte{skipped(15, 0), skipped(7, 300_000), begin, end}, whole},
		{[][]byte{begin, skipped(3, 1), end}, whole},
		{[][]byte{begin, end, skipped(9, 70_000)}, whole},
		{[][]byte{begin, end, skipped(9, 70_000)[:500]}, cutOff},
		{[][]byte{skipped(1, 3)}, "the input is empty"},
		{[][]byte{skipped(1, 300)[:100]}, "the compressed data is damaged or cut off: unexpected EOF"},
		{[][]byte{skipped(1, 3), []byte("no frame")}, "the compressed data is damaged or cut off: invalid input: magic " +
			"number mismatch"},
		{[][]byte{encoder.EncodeAll(append(skipped(1, 3), begin...), nil)}, "the input is compressed twice; unpack the " +
			"outer one first"},
	} {
		var sink listing
		_, err := run(t, slices.Concat(c.frames...), 0, &sink)
		got := sink.String()
		if err != nil {
			got = errors.Unwrap(err).Error()
		}
		if got != c.want {
			t.Errorf("%.40q: got %s, want %s", c.frames, got, c.want)
		}
	}
}

func TestDamageKeepsWhatIsGood(t *testing.T) {
	whole := gzipped(t, "<TRACE>\n"+strings.Repeat("<gcStart time='1'/>\n", 5000)+"</TRACE>")
	var sink listing
	findings, err := run(t, whole[:len(whole)-9], 0, &sink)
	if err != nil || len(findings) == 0 || !strings.Contains(findings[len(findings)-1], "[damaged-input]") {
		t.Fatalf("%v %q", err, findings)
	}
	if !strings.HasSuffix(sink.String(), "end true\nfinish\n") || sink.elements < 2 {
		t.Errorf("%d elements, and at the end %s", sink.elements, sink.String()[max(0, sink.Len()-40):])
	}
}

// TestBombs: the bound holds for all entries of a zip together.
func TestBombs(t *testing.T) {
	testtool.Long(t)
	much := "<TRACE>" + strings.Repeat("<line/>"+strings.Repeat("\n", 57), 3<<17)
	for name, content := range map[string][]byte{"gzip": gzipped(t, strings.Repeat(much, 3)),
		"zip": zipped(t, much, much, much, much)} {
		_, err := run(t, content, 0, &listing{})
		var large *tooLarge
		if !errors.As(err, &large) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := run(t, content, 1<<30, &listing{}); err != nil {
			t.Errorf("%s, allowed: %v", name, err)
		}
		if _, err := run(t, content, 1<<20, &listing{}); !errors.As(err, &large) {
			t.Errorf("%s, forbidden: %v", name, err)
		}
	}
}

// TestNothingIsReadWhenItIsOver: if reading ends early, no goroutine continues to read the closed input.
func TestNothingIsReadWhenItIsOver(t *testing.T) {
	var text, compressed bytes.Buffer
	if err := synthetic.Generate(&text, 24<<20, 1, synthetic.Style{}); err != nil {
		t.Fatal(err)
	}
	w, err := zstd.NewWriter(&compressed)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(text.Bytes())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range testtool.Times(10) {
		sink := &listing{failAfter: 100_000 + i*7_000}
		if _, err := run(t, compressed.Bytes(), 0, sink); !errors.Is(err, errFull) {
			t.Fatal(err)
		}
	}
}

// TestReplacedFile: a file that has replaced an added one is not read in its place.
func TestReplacedFile(t *testing.T) {
	folder := t.TempDir()
	name, other := filepath.Join(folder, "app.trcxml"), filepath.Join(folder, "other.trcxml")
	for _, file := range []string{name, other} {
		if err := os.WriteFile(file, []byte("<TRACE></TRACE>"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inputs, err := OpenInputs([]string{name}, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer inputs.Close()
	if err := os.Rename(other, name); err != nil {
		t.Fatal(err)
	}
	_, _, err = inputs.Documents[0].Open()
	var failed *InputError
	if !errors.As(err, &failed) || !errors.Is(err, errReplaced) || failed.Document != name {
		t.Errorf("the error is %v", err)
	}
}
