package testtool

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Counted is a trcx that counts the blocks of statements it executes, as coverage does. Their number does not depend on
// the machine, or on what else runs on it. Blocks of this module are counted, and of the packages in countedLibraries;
// the memory that Go moves, clears and collects is not.
type Counted struct {
	trcx, measure string
	counters      string // the folder for the files of counters
}

// countedLibraries are packages of Go that have loops over what they are given.
const countedLibraries = "slices,sort,maps,strings,bytes"

// Work is what the execution of a command takes.
type Work struct {
	Blocks uint64        // of statements that are executed
	CPU    time.Duration // user and system time
	Peak   int64         // of memory, in bytes, as the kernel counts it
}

// Growth is what the work grows by, from some units of the input to ten times as many.
type Growth struct {
	Times float64       // how many times as many blocks of statements are executed
	Bytes float64       // of memory for each of the many units
	CPU   time.Duration // for each of the many units
}

const (
	// leastBlocks are reckoned for the few units: those that do not depend on the units are not counted exactly.
	leastBlocks = 400_000
	// leastMemory is reckoned for the few units, in bytes: it is not known exactly when memory is collected.
	leastMemory = 4 << 20
	// mostMemory is how many times as much memory a unit may take if the units are ten times as many.
	mostMemory = 1.5
)

// NewCounted builds a counted trcx. Only Linux counts a command's peak memory by itself, so other systems skip the
// test.
func NewCounted(t testing.TB) *Counted {
	t.Helper()
	if !exists("/proc/self/status") {
		t.Skip("SKIPPED: peak memory is measured by Linux; run the test there")
	}
	readSources(t)
	c := &Counted{counters: t.TempDir()}
	var err error
	if c.trcx, err = countedTrcx(); err != nil {
		t.Fatal(err)
	}
	if c.measure, err = measure(); err != nil {
		t.Fatal(err)
	}
	return c
}

var (
	countedTrcx = sync.OnceValues(func() (string, error) {
		return built("trcx-counted", func(file string) error {
			return run("go", "build", "-C", root, "-buildvcs=false", "-cover", "-covermode=count",
				"-coverpkg=./...,"+countedLibraries, "-o", file, "./cmd/trcx")
		})
	})
	measure = sync.OnceValues(func() (string, error) {
		return built("measure", func(file string) error {
			return run("go", "build", "-C", root, "-buildvcs=false", "-o", file, "./internal/testtool/measure")
		})
	})
)

// readSources opens all folders of the sources: go test runs a test again if files have changed that it has opened.
func readSources(t testing.TB) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != root && (entry.Name()[0] == '.' || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Run executes trcx in the folder, on one core, and returns its work. Findings in the input (status 1) are no failure.
func (c *Counted) Run(t testing.TB, folder string, args ...string) Work {
	t.Helper()
	counters, err := os.MkdirTemp(c.counters, "counters")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(counters)
	run := exec.Command(c.measure, append([]string{c.trcx}, args...)...)
	var stderr bytes.Buffer
	run.Dir, run.Stderr = folder, &stderr
	run.Env = append(os.Environ(), "GOCOVERDIR="+counters, "GOMAXPROCS=1", "GOGC=", "GOMEMLIMIT=")
	out, err := run.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("trcx %s: %v: %s", strings.Join(args, " "), err, stderr.String())
	}
	var work Work
	if _, err := fmt.Sscan(string(out), &work.CPU, &work.Peak); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	work.Peak <<= 10
	if work.Blocks, err = executed(counters); err != nil {
		t.Fatal(err)
	}
	return work
}

// Grow executes trcx on inputs of one unit, of few, and of ten times as many. The work must be in proportion to the
// units: at most twelve times the statements, and at most fifteen times the memory. arguments returns the arguments for
// an input of that number of units.
func (c *Counted) Grow(t testing.TB, folder string, few int, arguments func(units int) []string) Growth {
	t.Helper()
	many := 10 * few
	base, small, large := c.Run(t, folder, arguments(1)...), c.Run(t, folder, arguments(few)...),
		c.Run(t, folder, arguments(many)...)
	least := max(small.Blocks, base.Blocks+leastBlocks) - base.Blocks
	g := Growth{
		Times: float64(large.Blocks-base.Blocks) / float64(least),
		Bytes: max(float64(large.Peak-base.Peak)/float64(many), 0),
		CPU:   max(large.CPU-base.CPU, 0) / time.Duration(many),
	}
	if g.Times > mostGrowth {
		t.Errorf("%d units take %.1f times as many statements as %d: %d and %d", many, g.Times, few, large.Blocks,
			small.Blocks)
	}
	if few := max(small.Peak-base.Peak, leastMemory); float64(large.Peak-base.Peak) > 10*mostMemory*float64(few) {
		t.Errorf("%d units take %d KiB more than one, and a tenth of them %d KiB more", many,
			(large.Peak-base.Peak)>>10, (small.Peak-base.Peak)>>10)
	}
	return g
}

// executed returns the sum of the counters in a folder of one execution. They are read here, since Go's covdata takes
// longer than most of the executions.
func executed(counters string) (sum uint64, err error) {
	names, err := filepath.Glob(filepath.Join(counters, "covcounters.*"))
	if err != nil || len(names) != 1 {
		return 0, fmt.Errorf("%d files of counters: %w", len(names), err)
	}
	file, err := os.ReadFile(names[0])
	if err != nil {
		return 0, err
	}
	const header, segment, flavor, uleb128 = 32, 16, 24, 2
	if len(file) < header+segment || file[flavor] != uleb128 {
		return 0, fmt.Errorf("%s: another version of Go's counters", names[0])
	}
	functions := binary.LittleEndian.Uint64(file[header:])
	strings, arguments := binary.LittleEndian.Uint32(file[header+8:]), binary.LittleEndian.Uint32(file[header+12:])
	at := (header + segment + int(strings) + int(arguments) + 3) &^ 3
	next := func() uint64 {
		n, size := binary.Uvarint(file[min(at, len(file)):])
		if size <= 0 {
			err = fmt.Errorf("%s: the counters end too early", names[0])
		}
		at += size
		return n
	}
	for range functions {
		blocks := next()
		next() // the package
		next() // the function
		for ; blocks > 0 && err == nil; blocks-- {
			sum += next()
		}
		if err != nil {
			return 0, err
		}
	}
	return sum, nil
}
