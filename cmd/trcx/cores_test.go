package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/trcx/trcx/bench/synthetic"
	"github.com/trcx/trcx/internal/testtool"
)

// outputs are the commands that read a trace, with each of their outputs, but without the names of the traces.
var outputs = []string{
	"validate", "validate --format json", "validate --format sarif", "validate --format junit", "validate --format github",
	"validate --rules none --dtd none --format json",
	"query //monContendedEnter", "query //monWait[@timeout] --format json", "query //threadStart --format count",
	"convert --to trcxml -o out.zip", "convert --to trcxml --normalize -o normal.zip",
	"convert --anonymize --anonymize-key KEY --to json", "convert --to svg", "convert --to png -o out.png",
}

// Further outputs, of a single recording, of a recording with allocations, of a heap dump, and of two traces.
var (
	recordingOutputs  = []string{"convert --to monlog -o out.monlog", "convert --to switchlog", "report -o page.html"}
	allocationOutputs = []string{
		"heap", "heap --format json", "heap --format csv", "heap --by site --callers --format markdown",
		"heap -o allocations.pb.gz", "heap --format collapsed",
	}
	dumpOutputs = []string{
		"heap", "heap --format json", "heap --format csv", "heap --format markdown", "heap --format histogram",
		"heap --dominators --all --format json", "heap --retained-by-class", "heap --duplicates", "heap --fill",
	}
	pathOutputs = []string{"path", "path --format json", "path --since 1ms --format json", "why", "why --format json"}
	diffOutputs = []string{"diff --all", "diff --all --format json", "diff --format markdown"}
)

// stagedOutputs are outputs for which an analysis or an output may run in a goroutine of its own.
var stagedOutputs = []string{
	"stats", "stats --format json", "stats --format csv", "stats --format markdown", "stats --save saved.json",
	"stats contention-by-site --format json", "stats --since 1ms --until 40ms --format json",
	"blame", "blame --all --format json", "blame --format csv", "blame --format markdown", "blame --format collapsed",
	"blame --format pprof -o blame.pb.gz", "methods", "methods --format json --since 1ms --until 40ms",
	"deadlocks --all --max 0", "deadlocks --all --max 0 --format json", "deadlocks --format markdown",
	"convert --to json", "convert --to jsonl", "convert --to perfetto -o out.trace.json",
	"convert --to perfetto -o out.pftrace", "convert --to pprof -o out.pb.gz", "convert --to collapsed", "convert --to dot",
	"convert --to csv -o out.csv",
}

// cores are a value of --jobs and a number of processors. An output must be the same with all of them.
type cores struct {
	jobs, processors int // jobs is 0 without the flag
}

// coresToTry returns a few, only one if others try all outputs, or all combinations if TRCX_CORES=all is set, as
// bench/cores.sh does.
func coresToTry(once bool) (all []cores) {
	switch every := os.Getenv("TRCX_CORES") == "all"; {
	case raceDetector || once && !every:
		return []cores{{0, 4}}
	case !every:
		return []cores{{4, 1}, {0, 4}, {4, 8}}
	}
	for _, jobs := range []int{0, 1, 2, 3, 4, 8} {
		for _, processors := range []int{1, 2, 4, 8} {
			all = append(all, cores{jobs, processors})
		}
	}
	return all
}

// TestAnyCores proves that each command has the same output with any number of processors. Staged outputs are made
// several times, since a race shows only by chance.
func TestAnyCores(t *testing.T) {
	for _, in := range coresInputs(t) {
		t.Run(in.name, func(t *testing.T) {
			for _, output := range in.outputs {
				one := runOn(t, output, in.traces, cores{1, 1})
				if one.status != exitDone && one.status != exitFindings {
					t.Errorf("trcx %s: status %d: %s", output, one.status, one.stderr)
				}
				tries := coresToTry(in.once)
				if in.repeats && slices.Contains(stagedOutputs, output) {
					tries = append(tries, slices.Repeat([]cores{{4, 4}}, 20)...)
				}
				inParallel(tries, func(c cores) {
					if difference := one.differs(runOn(t, output, in.traces, c)); difference != "" {
						t.Errorf("GOMAXPROCS=%d trcx %s --jobs %d: %s", c.processors, output, c.jobs, difference)
					}
				})
			}
		})
	}
}

// coresInput is a trace, or several traces that commands read together.
type coresInput struct {
	name    string
	traces  []string
	outputs []string
	repeats bool
	once    bool // its outputs are tried several times with other inputs
}

// coresInputs are traces of every kind.
func coresInputs(t *testing.T) []coresInput {
	t.Helper()
	folder := t.TempDir()
	recorded := func(name string) string { return absolute(t, filepath.Join("../../testdata/recorded", name)) }
	orders := func(name string) string { return absolute(t, filepath.Join("../../analyze/deadlock/testdata", name)) }
	several := []string{recorded("deadlock-jdk17.trcxml"), orders("inversion-jdk17.trcxml"), orders("sequence-jdk17.trcxml"),
		orders("inversion-jdk25.trcxml"), recorded("deadlock-jdk17.trcxml")}
	freed := []string{synthesized(t, folder, "freed.trcxml", 300<<10)}
	if testing.Short() || raceDetector {
		return []coresInput{{"several", several, stagedOutputs, false, false}, {"freed", freed, stagedOutputs, false, false}}
	}
	every := slices.Concat(outputs, stagedOutputs)
	one := slices.Concat(every, recordingOutputs, pathOutputs)
	allocations := slices.Concat(one, allocationOutputs)
	inputs := []coresInput{
		{"several", several, every, true, false},
		{"freed", freed, allocations, true, false},
		{"zip", []string{zipped(t, filepath.Join(folder, "several.zip"), several)}, every, false, true},
		{"stacks", []string{recorded("warehouse-stacks-jdk25.trcxml")}, one, false, true},
		{"flight", []string{recorded("sample.jfr")}, allocations, false, true},
		{"dump", []string{absolute(t, "../../testdata/scripts/common/shop.hprof")}, dumpOutputs, false, false},
		{"two", []string{recorded("orders-jdk17.trcxml"), recorded("orders-jdk25.trcxml")}, diffOutputs, false, false},
		{"chunks", []string{synthesized(t, folder, "chunks.trcxml", 5<<20)}, stagedOutputs, false, true},
	}
	for name, trace := range liveRecordings(t, folder, os.Getenv("TRCX_CORES") == "all") {
		inputs = append(inputs, coresInput{name, []string{trace}, one, false, true})
		if strings.Contains(name, "full") {
			inputs[len(inputs)-1].outputs = allocations
		}
	}
	return inputs
}

// synthesized writes a trace of the given size, with objects that are allocated and freed.
func synthesized(t *testing.T, folder, name string, size int64) string {
	t.Helper()
	var trace bytes.Buffer
	if err := synthetic.Generate(&trace, size, 1, synthetic.Style{}); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(folder, name)
	if err := os.WriteFile(name, trace.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// zipped writes a zip of the files.
func zipped(t *testing.T, name string, files []string) string {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for i, file := range files {
		entry, err := w.Create(strconv.Itoa(i) + "-" + filepath.Base(file))
		if err == nil {
			_, err = entry.Write(readFile(t, file))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, archive.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// liveRecordings records programs: all allocations, samples of them, parks, and virtual threads. With each, every JDK
// records each program; else the oldest JDK records all allocations, and newer ones the others.
func liveRecordings(t *testing.T, folder string, each bool) map[string]string {
	t.Helper()
	agent, jdks := testtool.Agent(t), testtool.JDKs(t, testtool.Oldest)
	var sources []string
	for _, name := range []string{"Latch", "Barging", "Monitor", "Truth"} {
		sources = append(sources, filepath.Join("../../agent/jvmtest/programs", name+".java"))
	}
	classes, traces := testtool.Javac(t, jdks[0], []string{"--release", "17"}, sources...), map[string]string{}
	for _, jdk := range jdks {
		programs := map[string]string{"full": "heap=full Latch platform 50", "parks": "stack-depth=16 Barging platform 20"}
		if jdk.Version >= 21 {
			programs["virtual"] = "heap=sampled Latch virtual 150"
		}
		for name, program := range programs {
			if !each && len(jdks) > 1 && (name == "full") != (jdk == jdks[0]) {
				continue
			}
			name, words := fmt.Sprintf("%v-%s", jdk, name), strings.Fields(program)
			traces[name] = filepath.Join(folder, name+".trcxml")
			args := slices.Concat([]string{"-agentpath:" + agent + "=file=" + traces[name] + "," + words[0], "-cp", classes,
				words[1], filepath.Join(folder, "truth.txt")}, words[2:])
			if out, err := exec.Command(jdk.Tool("java"), args...).CombinedOutput(); err != nil {
				t.Fatalf("java %v: %v: %s", args, err, out)
			}
		}
	}
	return traces
}

// inParallel calls work for each element, two at a time.
func inParallel[T any](elements []T, work func(T)) {
	var running sync.WaitGroup
	places := make(chan struct{}, 2)
	for _, element := range elements {
		places <- struct{}{}
		running.Go(func() {
			work(element)
			<-places
		})
	}
	running.Wait()
}

// outcome is everything that a command leaves.
type outcome struct {
	status         int
	stdout, stderr string
	files          map[string]string // by name
}

// differs describes the difference from the other outcome; "" if there is none.
func (o outcome) differs(other outcome) string {
	if o.status != other.status || o.stderr != other.stderr {
		return fmt.Sprintf("status %d, stderr %.300q, with one core %d, %.300q", other.status, other.stderr, o.status, o.stderr)
	}
	if o.stdout != other.stdout {
		return "another standard output: " + firstDifference(o.stdout, other.stdout)
	}
	if len(o.files) != len(other.files) {
		return fmt.Sprintf("%d files, with one core %d", len(other.files), len(o.files))
	}
	for name, content := range o.files {
		if content != other.files[name] {
			return "another " + name + ": " + firstDifference(content, other.files[name])
		}
	}
	return ""
}

func firstDifference(a, b string) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return fmt.Sprintf("from byte %d on %.100q, with one core %.100q", at, b[at:], a[at:])
}

// timestamps are the times at which JUnit reports were made.
var timestamps = regexp.MustCompile(` timestamp="[^"]*"`)

// runOn runs the command for the output in a folder of its own.
func runOn(t *testing.T, output string, inputs []string, c cores) outcome {
	folder, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Error(err)
	}
	defer os.RemoveAll(folder)
	words := strings.Fields(output)
	args := slices.Concat(words[:1], inputs, words[1:])
	if words[0] == "query" {
		args = slices.Concat(words[:2], inputs, words[2:])
	}
	if c.jobs > 0 {
		args = append(args, "--jobs", strconv.Itoa(c.jobs))
	}
	for i, arg := range args {
		if arg == "KEY" {
			args[i] = absolute(t, "../../go.mod")
		}
	}
	command := exec.Command("trcx", args...)
	command.Dir = folder
	command.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(c.processors))
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	command.Run() // its status is in the outcome
	o := outcome{command.ProcessState.ExitCode(), timestamps.ReplaceAllString(stdout.String(), ""), stderr.String(),
		map[string]string{}}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Error(err)
	}
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Error(err)
		}
		o.files[entry.Name()] = string(content)
	}
	return o
}

func absolute(t *testing.T, name string) string {
	t.Helper()
	name, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return name
}
