package hprof_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/convert/hprof"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// command returns a command with a limit of a minute.
func command(t *testing.T, name string, arguments ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return exec.CommandContext(ctx, name, arguments...)
}

// output returns the output of a command.
func output(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	out, err := command(t, name, arguments...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, arguments, err, out)
	}
	return string(out)
}

// total has the number of a class's objects and their bytes.
type total struct{ count, bytes uint64 }

// histogram returns jmap's histogram of a JVM with the option. Classes of one name are added up.
func histogram(t *testing.T, j testtool.JDK, pid, option string) map[string]total {
	t.Helper()
	totals := map[string]total{}
	for line := range strings.Lines(output(t, j.Tool("jmap"), option, pid)) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasSuffix(fields[0], ":") {
			continue
		}
		count, _ := strconv.ParseUint(fields[1], 10, 64)
		bytes, err := strconv.ParseUint(fields[2], 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		add(totals, fields[3], total{count, bytes})
	}
	return totals
}

func add(totals map[string]total, name string, more total) {
	name = external.Replace(name)
	totals[name] = total{totals[name].count + more.count, totals[name].bytes + more.bytes}
}

// external unifies the names of classes in dumps and in jmap's output: hidden classes have a + in dumps where jmap has
// a slash.
var external = strings.NewReplacer("/", ".", "+", ".", "jdk.internal.vm.FillerArray", "[I",
	"[Ljdk.internal.vm.FillerElement;", "[I")

// dumped returns the totals in a heap dump, and what it lacks.
func dumped(t *testing.T, file string) (totals map[string]total, lacks []string) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	totals = map[string]total{}
	names := map[string]string{}
	options := builder.Options{
		Report:        func(f trace.Finding) { t.Errorf("%s%s", file, f) },
		OnUnsupported: func(l trace.Lack) { lacks = append(lacks, l.What+": "+l.Means) },
	}
	ending, err := hprof.Read(t.Context(), in, options, func(e *trace.Event) error {
		switch e.Kind {
		case trace.ClassDef:
			names[string(e.Value(trace.AttrClassID))] = e.Text(trace.AttrName)
		case trace.ObjAlloc:
			size, err := strconv.ParseUint(string(e.Value(trace.AttrSize)), 10, 64)
			if err != nil {
				t.Fatalf("an object has no size: %v", err)
			}
			add(totals, names[string(e.Value(trace.AttrClassIDRef))], total{1, size})
		}
		return nil
	})
	if err != nil || ending.Truncated {
		t.Fatal(ending, err)
	}
	return totals, lacks
}

// setups are flags of JVMs that change the layout of objects, each with the layout that must be detected.
var setups = []struct {
	flags         []string
	since, until  int // versions of the JDK
	header, refs  int
	align         int
	fillsWithInts bool // the collector fills gaps with any number of arrays
	rarely        bool // it is run only with the whole matrix
}{
	{[]string{"-XX:+UseParallelGC"}, 17, 25, 12, 4, 8, true, true},
	{[]string{"-XX:+UseG1GC"}, 17, 25, 12, 4, 8, true, false},
	{[]string{"-XX:+UseSerialGC"}, 17, 25, 12, 4, 8, true, true},
	{[]string{"-XX:+UseZGC"}, 17, 25, 12, 8, 8, false, false},
	{[]string{"-XX:+UseG1GC", "-XX:-UseCompressedOops"}, 17, 25, 12, 8, 8, true, true},
	{[]string{"-XX:+UseG1GC", "-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers"}, 17, 17, 16, 8, 8, true,
		false},
	{[]string{"-XX:+UseG1GC", "-XX:ObjectAlignmentInBytes=16"}, 17, 25, 12, 4, 16, true, true},
	{[]string{"-XX:+UseSerialGC", "-XX:ObjectAlignmentInBytes=32"}, 17, 25, 12, 4, 32, true, false},
	{[]string{"-XX:+UseParallelGC", "-XX:ObjectAlignmentInBytes=256"}, 17, 17, 12, 4, 256, true, false},
	{[]string{"-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders"}, 25, 25, 8, 4, 8, true, false},
	{[]string{"-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders"}, 25, 25, 8, 4, 8, true, true},
	{[]string{"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-XX:-UseCompressedOops"}, 25, 25, 8, 8, 8, true,
		true},
	{[]string{"-XX:+UseZGC", "-XX:+UseCompactObjectHeaders"}, 25, 25, 8, 8, 8, false, false},
}

// TestHistogram compares the objects and sizes of each class in a heap dump with those that the JVM reports.
func TestHistogram(t *testing.T) {
	for _, j := range testtool.JDKs(t, testtool.Oldest) {
		classes := testtool.Javac(t, j, nil, "testdata/java/Heap.java")
		for _, s := range setups {
			if j.Version < s.since || j.Version > s.until || s.rarely && !testtool.Matrix() {
				continue
			}
			t.Run(fmt.Sprintf("%d %s", j.Version, strings.Join(s.flags, " ")), func(t *testing.T) {
				t.Parallel()
				pid := startHeap(t, j, classes, s.flags)
				want := fmt.Sprintf(
					"headers of %d bytes, references of %d and an alignment of %d, as the distances between objects show", s.header, s.refs, s.align)
				folder, err := os.MkdirTemp("", "hprof") // because jcmd takes a path with a = for an option
				if err != nil {
					t.Fatal(err)
				}
				defer os.RemoveAll(folder)
				file := filepath.Join(folder, "all.hprof")
				output(t, j.Tool("jcmd"), pid, "GC.heap_dump", "-all", file)
				got, lacks := dumped(t, file)
				if !strings.Contains(strings.Join(lacks, "\n"), want) {
					t.Errorf("before a collection, the sizes are described as\n%s\nwant\n%s",
						strings.Join(lacks, "\n"), want)
				}
				if wrong := otherSizes(got, histogram(t, j, pid, "-histo")); len(wrong) > 0 {
					t.Errorf("before a collection, instances of classes have other sizes than jmap says:\n%s",
						strings.Join(wrong, "\n"))
				}
				var wrong []string
				// because the JVM itself may change the heap between the dump and the histogram
				for try := range 3 {
					output(t, j.Tool("jcmd"), pid, "GC.run")
					time.Sleep(300 * time.Millisecond)
					file := filepath.Join(folder, fmt.Sprintf("%d.hprof", try))
					output(t, j.Tool("jcmd"), pid, "GC.heap_dump", file)
					expected := histogram(t, j, pid, "-histo:live")
					got, lacks := dumped(t, file)
					if !strings.Contains(strings.Join(lacks, "\n"), want) {
						t.Fatalf("the sizes are described as\n%s\nwant\n%s", strings.Join(lacks, "\n"), want)
					}
					if wrong = differences(got, expected, s.fillsWithInts); len(wrong) == 0 {
						return
					}
				}
				t.Errorf("the dump is not what jmap counts:\n%s", strings.Join(wrong, "\n"))
			})
		}
	}
}

// otherSizes lists the classes whose instances have different sizes in both. Their numbers may have changed in between.
func otherSizes(got, want map[string]total) (wrong []string) {
	compared := 0
	for name, g := range got {
		w := want[name]
		if strings.HasPrefix(name, "[") || name == "java.lang.Class" && w.count != g.count || w.count == 0 {
			continue
		}
		compared++
		if g.bytes*w.count != w.bytes*g.count {
			wrong = append(wrong, fmt.Sprintf("%s: the dump has %v, jmap %v", name, g, w))
		}
	}
	if compared < 200 {
		wrong = append(wrong, fmt.Sprintf("only %d classes are in both", compared))
	}
	return wrong
}

// startHeap starts the program Heap, and returns its process id when it is ready. It ends with the test.
func startHeap(t *testing.T, j testtool.JDK, classes string, flags []string) string {
	t.Helper()
	program := command(t, j.Tool("java"), append(flags, "-Xmx256m", "-Xshare:off", "-cp", classes, "Heap")...)
	in, err := program.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		program.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "ready" {
			return strconv.Itoa(program.Process.Pid)
		}
	}
	t.Fatal("the program did not come so far")
	return ""
}

// differences lists the classes that differ in both.
func differences(got, want map[string]total, fillsWithInts bool) (wrong []string) {
	names := map[string]bool{}
	for name := range got {
		names[name] = true
	}
	for name := range want {
		names[name] = true
	}
	for name := range names {
		if got[name] != want[name] && !(name == "[I" && fillsWithInts) {
			wrong = append(wrong, fmt.Sprintf("%s: the dump has %v, jmap %v", name, got[name], want[name]))
		}
	}
	return wrong
}
