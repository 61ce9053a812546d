package heap

import (
	"bufio"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/internal/testtool"
)

// dumpFile returns a heap dump that the JDK's jcmd writes of a program in a JVM with the flags, including unreachable
// objects.
func dumpFile(t *testing.T, jdk testtool.JDK, name string, flags ...string) string {
	t.Helper()
	classes := testtool.Javac(t, jdk, nil, "testdata/"+name+".java")
	program := exec.CommandContext(t.Context(), jdk.Tool("java"), append(flags, "-Xmx64m", "-cp", classes, name)...)
	in, err := program.StdinPipe()
	check(t, err)
	out, err := program.StdoutPipe()
	check(t, err)
	check(t, program.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the program printed %q, %v", line, err)
	}
	file := filepath.Join(t.TempDir(), "heap.hprof")
	if text, err := exec.CommandContext(t.Context(), jdk.Tool("jcmd"), strconv.Itoa(program.Process.Pid), "GC.heap_dump",
		"-all", file).CombinedOutput(); err != nil {
		t.Fatalf("jcmd: %v\n%s", err, text)
	}
	check(t, in.Close())
	check(t, program.Wait())
	return file
}

// graphOf returns the graph of a dump, and the collector.
func graphOf(t *testing.T, file string) (*Graph, *contentCollector) {
	t.Helper()
	inputs, err := convert.OpenInputs([]string{file}, os.Stdin, 0)
	check(t, err)
	defer inputs.Close()
	c := &contentCollector{}
	check(t, convert.Run(context.Background(), inputs.Documents, convert.Options{}, c))
	if c.Dumps != 1 || c.Truncated {
		t.Fatalf("the file has %d dumps; truncated: %v", c.Dumps, c.Truncated)
	}
	g, err := c.Graph(false)
	check(t, err)
	return g, c
}

// contentCollector collects a dump with the contents of its objects.
type contentCollector struct {
	Collector
	Contents
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRealDump compares what objects of a JVM retain with what becomes unreachable without them, and with what the
// program knows about itself.
func TestRealDump(t *testing.T) {
	for _, jdk := range testtool.JDKs(t, 17) {
		t.Run(jdk.String(), func(t *testing.T) {
			g, collected := graphOf(t, dumpFile(t, jdk, "Heap"))
			d := g.Dominators()
			all := reached(g, func(uint32) bool { return false })
			r := rand.New(rand.NewPCG(1, 1))
			chosen, _ := d.Largest(20, func(Object) bool { return true })
			for range 30 {
				chosen = append(chosen, Object(r.Uint32N(uint32(g.Size()))))
			}
			for _, o := range chosen {
				want := lost(g, all, func(x uint32) bool { return x == uint32(o) })
				if got := d.Retained(o); got != want {
					t.Errorf("%s %d retains %d bytes, want %d", g.ClassOf(o).ClassName(), g.ID(o), got, want)
				}
			}
			knows(t, g, d)
			knowsContents(t, collected)
			check(t, answers.WriteHistogram(io.Discard, (&Report{graph: g}).Histogram()))
		})
	}
}

// knows checks the graph against what the program knows about itself.
func knows(t *testing.T, g *Graph, d *Dominators) {
	t.Helper()
	const entry = 1016 + 16 // an array of 1,000 bytes, and the object with its reference
	var rows int
	for _, row := range g.Classes(d) {
		if row.Class.Name == "Heap$Entry" {
			rows++
			if row.Count != 500 || row.Retained != 500*entry {
				t.Errorf("%d entries retain %d bytes, want 500 and %d", row.Count, row.Retained, 500*entry)
			}
		}
	}
	if rows != 1 {
		t.Errorf("Heap$Entry has %d rows", rows)
	}
	var large, weak, caches int
	for o := range g.Size() {
		switch bytes := g.Bytes(Object(o)); {
		case g.ClassOf(Object(o)).Name == "[B" && bytes == 100_016:
			path, roots := g.RootPath(Object(o))
			if len(path) < 2 || len(roots) == 0 || g.classIn(path[len(path)-2]).ClassName() != "Heap" {
				t.Errorf("the path to the large array is %v", path)
			}
			large++
		case g.ClassOf(Object(o)).Name == "[B" && bytes == 70_016:
			if d.Reachable(Object(o)) {
				t.Error("a weak reference keeps its referent")
			}
			weak++
		case g.ClassOf(Object(o)).Name == "java/util/HashMap" && d.Retained(Object(o)) > 500*entry:
			if above, is := d.Dominator(Object(o)); !is || g.classIn(above).ClassName() != "Heap" {
				t.Error("the cache is not dominated by the class Heap")
			}
			caches++
		}
	}
	if large != 1 || weak != 1 || caches != 1 {
		t.Errorf("%d large arrays, %d weak ones, %d caches, want 1 each", large, weak, caches)
	}
}

// knowsContents checks the contents against what the program knows: equal objects, and nearly empty containers.
func knowsContents(t *testing.T, c *contentCollector) {
	t.Helper()
	found := map[string]Duplicate{}
	for _, d := range c.Duplicates(c.ClassName) {
		if d.Copies == 30 {
			found[d.Class+d.Content] = d
		}
	}
	for name, want := range map[string]Duplicate{
		"java.lang.Stringtwin": {Copies: 30, Size: 48, Wasted: 29 * 48}, "java.lang.Stringt\u20ac": {Copies: 30, Size: 48,
			Wasted: 29 * 48}, "[J": {Copies: 30, Size: 40, Wasted: 29 * 40},
	} {
		if got := found[name]; got.Copies != want.Copies || got.Size != want.Size || got.Wasted != want.Wasted {
			t.Errorf("%s has the duplicates %+v, want %+v", name, got, want)
		}
	}
	containers, arrays := c.Fills(c.ClassName)
	for name, want := range map[string]Fill{
		"Heap$Sparse": {"Heap$Sparse", 30, 0, 30 * 1000, 30, 30 * (4000 - 4)},
		"Heap$Table":  {"Heap$Table", 30, 0, 30 * 1024, 60, 30 * (4096 - 8)},
	} {
		if i := slices.IndexFunc(containers, func(f Fill) bool { return f.Class == name }); i < 0 || containers[i] != want {
			t.Errorf("%s is missing or not %+v in %+v", name, want, containers)
		}
	}
	longs := slices.IndexFunc(arrays, func(f Fill) bool { return f.Class == "[J" })
	if longs < 0 || arrays[longs].Count < 30 || arrays[longs].Used < 60 {
		t.Errorf("arrays of longs are missing in %+v", arrays)
	}
}
