package heap

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/internal/testtool"
)

// maxChecked is the number of objects of a dump up to which each object is checked.
const maxChecked = 20_000

// checkEveryObject compares what each object and each class of the graph retains with what becomes unreachable without
// it, and the totals with what is reachable.
func checkEveryObject(t *testing.T, name string, g *Graph) {
	t.Helper()
	d := g.Dominators()
	all := reached(g, func(uint32) bool { return false })
	retained := map[*Class][]bool{}
	var total uint64
	for o := range uint32(g.Size()) {
		if d.Reachable(Object(o)) != all[o] {
			t.Fatalf("%s: a root reaches object %d: %v", name, g.ID(Object(o)), all[o])
		}
		if !all[o] {
			continue
		}
		total += g.Bytes(Object(o))
		class, bytes := g.ClassOf(Object(o)), uint64(0)
		if retained[class] == nil {
			retained[class] = make([]bool, g.Size())
		}
		for x, left := range reached(g, func(x uint32) bool { return x == o }) {
			if all[x] && !left {
				bytes += g.Bytes(Object(x))
				retained[class][x] = true
			}
		}
		if got := d.Retained(Object(o)); got != bytes {
			t.Fatalf("%s: object %d retains %d bytes, want %d", name, g.ID(Object(o)), got, bytes)
		}
	}
	if got, _ := d.Total(); got != total {
		t.Errorf("%s: the roots retain %d bytes, want %d", name, got, total)
	}
	for _, row := range g.Classes(d) {
		var want uint64
		for x, is := range retained[row.Class] {
			if is {
				want += g.Bytes(Object(x))
			}
		}
		if row.Retained != want {
			t.Errorf("%s: the objects of %s retain %d bytes, want %d", name, row.Class.ClassName(), row.Retained, want)
		}
	}
}

// readDump reads a file, and returns the collected dump; nil if it is no trace, or has no dump.
func readDump(t *testing.T, text []byte) *contentCollector {
	t.Helper()
	inputs, err := convert.OpenInputs([]string{convert.Stdin}, bytes.NewReader(text), 0)
	if err != nil {
		return nil
	}
	defer inputs.Close()
	c := &contentCollector{}
	err = convert.Run(context.Background(), inputs.Documents, convert.Options{}, c)
	if err != nil && !errors.Is(err, convert.ErrDamaged) || c.Dumps == 0 {
		return nil
	}
	return c
}

// eachFile calls the function for the files of the project's test data, of its scripts, and of the folder that
// TRCX_SAMPLES names.
func eachFile(t *testing.T, do func(name string, text []byte)) {
	t.Helper()
	folders := []string{"../../testdata", "../../docs/testdata", "../../convert", "testdata"}
	samples := os.Getenv("TRCX_SAMPLES")
	if samples != "" {
		folders = append(folders, samples)
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || folder != samples && !strings.Contains(name, "testdata") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if !strings.HasSuffix(name, ".txtar") {
				do(name, text)
				return nil
			}
			for _, file := range txtar.Parse(text).Files {
				do(name+"/"+file.Name, file.Data)
			}
			return nil
		})
		check(t, err)
	}
}

// TestEveryObjectOfTheTestData checks each object of each dump in the project's test data.
func TestEveryObjectOfTheTestData(t *testing.T) {
	dumps, objects := 0, 0
	eachFile(t, func(name string, text []byte) {
		for _, weak := range []bool{false, true} {
			c := readDump(t, text)
			if c == nil || c.ids.Len() == 0 || c.ids.Len() > maxChecked {
				return
			}
			g, err := c.Graph(weak)
			check(t, err)
			checkEveryObject(t, name, g)
			dumps++
			objects += g.Size()
		}
	})
	t.Logf("%d graphs with %d objects", dumps, objects)
	if dumps < 16 {
		t.Errorf("%d graphs are checked, want 16 or more", dumps)
	}
}

// TestEveryObjectOfASmallProgram checks each object of a dump that a JVM writes of the smallest program. Without the
// classes that JVMs share, it has fewer objects.
func TestEveryObjectOfASmallProgram(t *testing.T) {
	for _, jdk := range testtool.JDKs(t, 17) {
		t.Run(jdk.String(), func(t *testing.T) {
			text, err := os.ReadFile(dumpFile(t, jdk, "Empty", "-Xshare:off"))
			check(t, err)
			c := readDump(t, text)
			if n := c.ids.Len(); n < 1000 || n > maxChecked {
				t.Fatalf("the dump has %d objects, want 1,000 to %d", n, maxChecked)
			}
			g, err := c.Graph(false)
			check(t, err)
			checkEveryObject(t, "the program", g)
		})
	}
}

// ask asks all questions about the first object of a dump, as trcx heap does, in all formats.
func ask(t *testing.T, c *contentCollector, weak bool) {
	t.Helper()
	g, err := c.Graph(weak)
	check(t, err)
	q := Question{Dominators: true, RetainedByClass: true, Duplicates: true, Fill: true, Top: 20}
	if g.Size() > 0 {
		id := g.ID(0)
		q.Path, q.Incoming, q.Outgoing = &id, &id, &id
	}
	r, err := NewReport(g, q)
	check(t, err)
	r.SetContents(&c.Contents, c.ClassName)
	check(t, answers.WriteText(io.Discard, r.Answer(), answers.Options{}))
	check(t, answers.WriteMarkdown(io.Discard, r.Answer(), answers.Options{}))
	check(t, answers.WriteJSON(io.Discard, r.Answer()))
	check(t, answers.WriteCSV(io.Discard, r.Answer()))
	check(t, answers.WriteHistogram(io.Discard, r.Histogram()))
	check(t, answers.WriteValue(io.Discard, r.Extract(1000)))
}

// TestCutDumps proves that all questions about a dump are answered wherever it is cut.
func TestCutDumps(t *testing.T) {
	shop, err := os.ReadFile("../../testdata/scripts/common/shop.hprof")
	check(t, err)
	cut := 0
	for end := 0; end < len(shop); end += 5 {
		if c := readDump(t, shop[:end]); c != nil {
			if !c.Truncated {
				t.Errorf("cut at %d of %d the dump is not truncated", end, len(shop))
			}
			ask(t, c, end%2 == 0)
			cut++
		}
	}
	if cut < 200 {
		t.Errorf("%d dumps are cut, want 200 or more", cut)
	}
}

// FuzzQuestions asks all questions about any dump.
func FuzzQuestions(f *testing.F) {
	shop, err := os.ReadFile("../../testdata/scripts/common/shop.hprof")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(shop, false)
	for name, text := range hostile() {
		if !strings.Contains(name, "wrong") && len(text) < 4096 {
			f.Add([]byte(text), true)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, weak bool) {
		if c := readDump(t, text); c != nil && c.ids.Len() < 1000 {
			ask(t, c, weak)
		}
	})
}
