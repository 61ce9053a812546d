package growth

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// The commands of each kind of input. A $ is the input's name, which otherwise is the last argument; % is the folder of
// outputs.
var (
	questions = []string{"validate", "stats", "blame", "deadlocks", "report -o %/p.html"}
	outputs   = []string{
		"path", "diff $ $", "query //threadEnd|//classDef", "serve --duration 1ms",
		"convert --to trcxml -o %/t.zip", "convert --to trcxml --normalize", "convert --to trcxml --anonymize",
		"convert --to json", "convert --to jsonl", "convert --to perfetto -o %/p.trace.json",
		"convert --to perfetto -o %/p.pftrace", "convert --to pprof --states all -o %/p.pb.gz",
		"convert --to collapsed --states all", "convert --to csv -o %/c.csv", "convert --to dot",
		"convert --to monlog -o %/m.monlog", "convert --to switchlog", "convert --to svg",
		"convert --to png -o %/p.png",
	}
	answers = []string{
		"stats --format json", "stats --format csv", "stats --format markdown", "path --format json",
		"blame --format json", "blame --format csv", "blame --format markdown", "blame --format collapsed",
		"blame --format pprof -o %/b.pb.gz", "deadlocks --format json --all", "deadlocks --format markdown --all",
		"diff --format json $ $", "diff --format markdown $ $", "query --format json //threadEnd|//classDef",
	}
	findings = []string{
		"validate --format json", "validate --format sarif", "validate --format junit", "validate --format github",
		"validate --max-findings 1000000",
	}
	allocations = []string{
		"heap --by class", "heap --by site --callers", "heap --by thread --format json",
		"heap --format pprof -o %/h.pb.gz", "heap --format collapsed", "heap --growth", "heap $ $",
	}
	heapQuestions = []string{
		"heap", "heap --dominators", "heap --retained-by-class", "heap --incoming 0x700000000",
		"heap --outgoing 0x700000000", "heap --path 0x700000000", "heap --format json",
		"heap $ $", "validate", "convert --to trcxml",
	}
)

// few is a number of units. Ten times as many are more than the edges of a graph (16,384), and as many as the rows of a
// table.
const few = 2_000

// growth is what was measured of a command on an input.
type growth struct {
	input, command string
	testtool.Growth
}

// TestGrowth proves for every command, output and format that ten times the input is at most twelve times the work, and
// that the memory for a unit grows at most by half. Each command reads some of the inputs, and each input is read by
// some of the commands; with TRCX_GROWTH, which names a file for the table of docs/performance.md, by all of them.
func TestGrowth(t *testing.T) {
	testtool.Long(t)
	var (
		counted = testtool.NewCounted(t)
		file    = os.Getenv("TRCX_GROWTH")
		lock    sync.Mutex
		all     []growth
	)
	t.Run("inputs", func(t *testing.T) {
		for i, in := range slices.Concat(traces, others, dumps) {
			t.Run(in.dimension, func(t *testing.T) {
				t.Parallel()
				measured := grow(t, counted, in, in.commands(i, file != ""))
				lock.Lock()
				defer lock.Unlock()
				all = append(all, measured...)
			})
		}
	})
	if file == "" {
		return
	}
	if err := os.WriteFile(file, []byte(table(all)), 0o644); err != nil {
		t.Error(err)
	}
}

// commands returns those that read the input of the index: all of them, or some, among which are two of the questions.
func (in *input) commands(index int, all bool) []string {
	asked := questions
	switch {
	case in.file == "heap.hprof":
		asked = slices.Concat(heapQuestions, in.more)
	case in.more != nil || all && in.file == "trace.trcxml":
		return slices.Concat(questions, outputs, in.more)
	}
	if all {
		return asked
	}
	return []string{asked[index%len(asked)], asked[(index+2)%len(asked)]}
}

// grow measures the commands on an input.
func grow(t *testing.T, counted *testtool.Counted, in input, commands []string) (measured []growth) {
	folder, few := t.TempDir(), few/max(in.part, 1)
	names := map[int]string{}
	for _, n := range []int{1, few, 10 * few} {
		names[n] = filepath.Join(folder, fmt.Sprint(n), in.file)
		write(t, names[n], func(w *bufio.Writer) { in.units(w, n) })
	}
	for _, command := range commands {
		t.Run(command, func(t *testing.T) {
			grown := counted.Grow(t, folder, few, func(n int) []string {
				return arguments(command, names[n], folder)
			})
			measured = append(measured, growth{in.dimension, command, grown})
		})
	}
	return measured
}

// write writes an input, in the folder that its name has.
func write(t *testing.T, name string, units func(w *bufio.Writer)) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	units(out)
	if err := cmp.Or(out.Flush(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// arguments returns the arguments of the command for the input.
func arguments(command, name, folder string) []string {
	args := strings.Fields(strings.ReplaceAll(command, "%", folder))
	if !slices.Contains(args, "$") {
		args = append(args, "$")
	}
	for i := range args {
		if args[i] == "$" {
			args[i] = name
		}
	}
	return append(args, "-q")
}
