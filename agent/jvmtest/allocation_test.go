package jvmtest

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestAllocations proves that a full recording has each object that a program allocates, in whatever way, with its size
// and its place, and each free: after a collection as many objects live as the JVM counts.
func TestAllocations(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, s := range []allocating{
			{"8 threads", 8, 8, []string{"-Xint"}},
			{"alignment", 1, 32, []string{"-Xint", "-XX:ObjectAlignmentInBytes=32"}},
			{"compiled", 1, 8, []string{"-Xcomp", "-XX:-TieredCompilation", "-XX:-DoEscapeAnalysis"}},
			{"1 thread", 1, 8, []string{"-Xint"}},
		}[:some(2, 4)] {
			t.Run(fmt.Sprintf("JDK %d %s", j.Version, s.name), func(t *testing.T) { b.checkAllocations(t, j, s) })
		}
	}
}

// allocating is how a program is run: the number of threads, the JVM's options, and the alignment of objects in bytes.
// Unless an option forbids it, the compilers remove allocations that nobody can see.
type allocating struct {
	name      string
	threads   int
	alignment uint64
	options   []string
}

// recordings is how often a program is recorded until no records are dropped: a busy machine may write too slowly.
const recordings = 4

func (b *bench) checkAllocations(t *testing.T, j testtool.JDK, s allocating) {
	var out outcome
	for range recordings {
		out = outcome{trace: b.traceFile(t), truth: filepath.Join(t.TempDir(), "truth.txt")}
		options := append([]string{"-agentpath:" + b.agent + "=heap=full,stack-depth=16,file=" + out.trace}, s.options...)
		cmd, cancel := b.command(j, append(options, "-cp", b.classes, "Allocations", out.truth, strconv.Itoa(s.threads))...)
		b.finish(t, cmd, &out)
		cancel()
		if !strings.Contains(out.stderr, "records were dropped, because they came faster") {
			break
		}
	}
	if out.status != 0 || out.stdout != "done\n" || out.stderr != "" {
		t.Fatalf("status %d\n%s%s", out.status, out.stdout, out.stderr)
	}
	recorded := readAllocations(t, out.trace)
	truth, err := os.ReadFile(out.truth)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(truth), "\n"); lines < 23 {
		t.Fatalf("the program has written %d lines:\n%s", lines, truth)
	}
	for line := range strings.Lines(string(truth)) {
		recorded.check(t, strings.Fields(line), s.alignment)
	}
	if result, err := Validate(out.trace); err != nil || !result.Valid() {
		t.Errorf("%v: %+v", err, result)
	}
	if recorded.used == 0 {
		t.Error("no collection has the use of the heap")
	}
}

// allocations are the allocations and frees of a trace.
type allocations struct {
	made  map[place]int
	sizes map[place]uint64          // the size of one object
	live  map[trace.ObjectID]string // classes of live objects
	used  int                       // collections with the use of the heap
}

// place is a class and a method on the stack of its allocations.
type place struct{ method, class string }

func readAllocations(t *testing.T, name string) *allocations {
	t.Helper()
	a := &allocations{made: map[place]int{}, sizes: map[place]uint64{}, live: map[trace.ObjectID]string{}}
	enrichTrace(t, name, a)
	return a
}

// Put counts an allocation, or a free.
func (a *allocations) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Allocation:
		a.live[r.Object] = r.Class
		for _, method := range methodsOf(r.Stack) {
			at := place{method, r.Class}
			a.made[at]++
			a.sizes[at] = r.Size
		}
	case *trace.Free:
		delete(a.live, r.Object)
	case *trace.Collection:
		a.used++
	}
	return nil
}

// check compares the trace with a line of the program, which has sizes that are aligned to 8 bytes.
func (a *allocations) check(t *testing.T, line []string, alignment uint64) {
	switch line[0] {
	case "made":
		at := place{line[1], line[2]}
		count, _ := strconv.Atoi(line[3])
		size, _ := strconv.ParseUint(line[4], 10, 64)
		size = (size + alignment - 1) / alignment * alignment
		if a.made[at] != count || size > 0 && a.sizes[at] != size {
			t.Errorf("%s in %s: %d objects of %d bytes, want %d of %d", at.class, at.method, a.made[at], a.sizes[at],
				count,
				size)
		}
	case "live":
		count, _ := strconv.Atoi(line[2])
		live := 0
		for _, class := range a.live {
			if class == line[1] {
				live++
			}
		}
		if live != count {
			t.Errorf("%d objects of %s live, want %d", live, line[1], count)
		}
	}
}

// methodsOf returns the methods of the program on the stack, each once.
func methodsOf(stack *trace.Stack) (methods []string) {
	if stack == nil {
		return nil
	}
	for _, frame := range stack.Frames {
		if strings.HasPrefix(frame.Method.Class, "Allocations") && !slices.Contains(methods, frame.Method.Name) {
			methods = append(methods, frame.Method.Name)
		}
	}
	return methods
}

// TestSamples proves that the estimates of sampled recordings, and their errors, are right: the true number and the
// true bytes of a class lie within two standard errors about as often as in a normal distribution, 95 times of 100.
// With all runs the share is 90 to 99 %; with few it varies more.
func TestSamples(t *testing.T) {
	b := newBench(t)
	least, most := 0.8, 1.0
	if testtool.Matrix() {
		least, most = 0.9, 0.99
	}
	for _, j := range b.jdks {
		t.Run(fmt.Sprintf("JDK %d", j.Version), func(t *testing.T) {
			within, rows := 0, 0
			for range some(8, 200) {
				good, all := b.sample(t, j)
				within, rows = within+good, rows+all
			}
			share := float64(within) / float64(rows)
			t.Logf("%d of %d estimates are within two standard errors", within, rows)
			if share < least || share > most {
				t.Errorf("%.1f %% of the estimates are within two standard errors, want %.0f to %.0f %%", 100*share,
					100*least, 100*most)
			}
		})
	}
}

// minSamples is the number of samples from which an estimate is judged.
const minSamples = 30

// sample runs the program once, and returns how many of its estimates are within two standard errors.
func (b *bench) sample(t *testing.T, j testtool.JDK) (within, rows int) {
	out := outcome{trace: b.traceFile(t), truth: filepath.Join(t.TempDir(), "truth.txt")}
	cmd, cancel := b.command(j, "-agentpath:"+b.agent+"=heap=sampled,file="+out.trace, "-Xmx256m", "-cp", b.classes,
		"Samples", out.truth)
	defer cancel()
	b.finish(t, cmd, &out)
	truth, err := os.ReadFile(out.truth)
	if err != nil || out.status != 0 || out.stderr != "" {
		t.Fatalf("status %d, %v\n%s%s", out.status, err, out.stdout, out.stderr)
	}
	c := allocation.NewCollector(allocation.Options{})
	enrichTrace(t, out.trace, c)
	estimates := map[string]allocation.Estimate{}
	for _, row := range c.Rows(allocation.Classes) {
		estimates[row.Title] = row.Allocated
	}
	for line := range strings.Lines(string(truth)) {
		part := strings.Fields(line)
		e, known := estimates[part[0]]
		if !known {
			t.Errorf("%s has no samples", part[0])
		}
		if e.Seen < minSamples {
			continue
		}
		count, _ := strconv.ParseFloat(part[1], 64)
		bytes, _ := strconv.ParseFloat(part[2], 64)
		rows += 2
		for _, off := range []float64{(e.Count - count) / e.CountError(), (e.Bytes - bytes) / e.BytesError()} {
			if math.Abs(off) <= 2 {
				within++
			}
		}
	}
	return within, rows
}

// fullCollections counts the full collections of a trace.
type fullCollections struct {
	full    map[uint64]bool
	unknown int // collections that may be full or not
}

// Put counts a pause once for its collection.
func (f *fullCollections) Put(r trace.Record) error {
	if c, is := r.(*trace.Collection); is {
		if !c.FullKnown {
			f.unknown++
		} else if c.Full > 0 {
			f.full[c.Full] = true
		}
	}
	return nil
}

// TestFullCollections proves that a trace has as many full collections as the JVM's management interface counts.
func TestFullCollections(t *testing.T) {
	b := newBench(t)
	beans := []string{"MarkSweepCompact", "PS MarkSweep", "G1 Old Generation", "ZGC Cycles", "ZGC Major Cycles"}
	for _, j := range b.jdks {
		for _, collector := range []string{"Serial", "Parallel", "G1", "Z"} {
			t.Run(fmt.Sprintf("JDK %d %s", j.Version, collector), func(t *testing.T) {
				out := outcome{trace: b.traceFile(t)}
				cmd, cancel := b.command(j, "-agentpath:"+b.agent+"=heap=sampled,file="+out.trace, "-Xmx96m",
					"-XX:+Use"+collector+"GC", "-cp", b.classes, "Collections")
				defer cancel()
				b.finish(t, cmd, &out)
				if out.status != 0 || out.stderr != "" {
					t.Fatalf("status %d\n%s%s", out.status, out.stdout, out.stderr)
				}
				counted := -1
				for line := range strings.Lines(out.stdout) {
					if bean, count, _ := strings.Cut(strings.TrimSpace(line), ":"); slices.Contains(beans, bean) {
						counted, _ = strconv.Atoi(count)
					}
				}
				recorded := &fullCollections{full: map[uint64]bool{}}
				enrichTrace(t, out.trace, recorded)
				if len(recorded.full) != counted || counted < 4 || recorded.unknown > 0 {
					t.Errorf("the trace has %d full collections and %d that are unknown, want %d:\n%s", len(recorded.full),
						recorded.unknown, counted, out.stdout)
				}
			})
		}
	}
}

// enrichTrace reads a trace into the sink, with its allocations.
func enrichTrace(t *testing.T, name string, sink trace.Sink) {
	t.Helper()
	inputs := convert.NewInputs(nil, 0)
	defer inputs.Close()
	if err := inputs.Add(name); err != nil {
		t.Fatal(err)
	}
	enricher := enrich.New(sink, enrich.Options{Calls: enrich.WholeStacks, Allocations: true})
	if err := convert.Run(t.Context(), inputs.Documents, convert.Options{}, enricher); err != nil {
		t.Fatal(err)
	}
}

// TestHeapAttached proves that a JVM that allocates fast goes on after all its allocations were recorded several times:
// with ZGC, or with each collector if TRCX_JVM_MATRIX=1.
func TestHeapAttached(t *testing.T) {
	b := newBench(t)
	collectors := []string{"-XX:+UseZGC", "-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseParallelGC"}
	for _, j := range b.jdks {
		for _, collector := range collectors[:some(1, len(collectors))] {
			t.Run(fmt.Sprintf("%v/%s", j, collector), func(t *testing.T) {
				cmd, cancel := b.command(j, "-Xmx256m", collector, "-XX:+EnableDynamicAgentLoading",
					"-XX:+IgnoreUnrecognizedVMOptions", "-cp", b.classes, "Allocating")
				defer cancel()
				p := startProgram(t, cmd)
				p.await("ready")
				for n := range 4 {
					file := filepath.Join(t.TempDir(), fmt.Sprint(n, ".trcxml"))
					b.countDropped(t, file)
					for _, request := range []string{"heap=full,file=" + file, "ready"} {
						p.load(b.agent, request)
					}
					time.Sleep(300 * time.Millisecond)
					p.load(b.agent, "stop")
					if result, err := Validate(file); err != nil || !result.Valid() {
						t.Errorf("%v: %+v", err, result)
					}
				}
				if err := errors.Join(p.stdin.Close(), cmd.Wait()); err != nil {
					t.Errorf("%v\n%s", err, p.stderr.String())
				}
			})
		}
	}
}
