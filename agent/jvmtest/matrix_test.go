package jvmtest

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/internal/testtool"
)

// program is one of the programs with its arguments and results, which are the same with and without the agent.
type program struct {
	name   string
	args   []string // after the truth's file
	status int
	prints string
}

var programs = []program{
	{"Starts", []string{"platform"}, 0, "no thread starts twice\nstarted 10\n"},
	{"Starts", []string{"virtual"}, 0, "started 9\n"},
	{"Waits", []string{"platform"}, 0, "done\n"},
	{"Waits", []string{"virtual"}, 0, "done\n"},
	{"Joins", []string{"platform"}, 0, "done\n"},
	{"Joins", []string{"virtual"}, 0, "done\n"},
	{"Interrupts", []string{"platform"}, 0, "done\n"},
	{"Interrupts", []string{"virtual"}, 0, "done\n"},
	{"Sleeps", []string{"platform"}, 0, "done\n"},
	{"Sleeps", []string{"virtual"}, 0, "done\n"},
	{"Handoffs", []string{"platform"}, 0, "done\n"},
	{"Handoffs", []string{"virtual"}, 0, "done\n"},
	{"Hot", []string{"platform"}, 0, "done true\n"},
	{"Hot", []string{"virtual"}, 0, "done true\n"},
	{"Mix", []string{"platform", "1"}, 0, "done\n"},
	{"Mix", []string{"platform", "2"}, 0, "done\n"},
	{"Mix", []string{"virtual", "3"}, 0, "done\n"},
	{"Deadlocks", []string{"platform", "0"}, 0, "deadlocked 0\n"},
	{"Deadlocks", []string{"platform", "2"}, 2, "deadlocked 2\n"},
	{"Deadlocks", []string{"platform", "3"}, 3, "deadlocked 3\n"},
	{"Deadlocks", []string{"virtual", "2"}, 2, "deadlocked 2\n"},
	{"Deadlocks", []string{"platform", "2", "locks"}, 2, "deadlocked 2\n"},
	{"Deadlocks", []string{"platform", "2", "mixed"}, 2, "deadlocked 2\n"},
	{"Deadlocks", []string{"platform", "3", "barging"}, 3, "deadlocked 3\n"},
	{"Deadlocks", []string{"virtual", "2", "locks"}, 2, "deadlocked 2\n"},
	{"Deadlocks", []string{"virtual", "2", "mixed"}, 2, "deadlocked 2\n"},
	{"Endings", []string{"platform", "return"}, 0, "ending by return\n"},
	{"Endings", []string{"platform", "exit"}, 7, "ending by exit\n"},
	{"Endings", []string{"platform", "hook"}, 3, "ending by hook\nthe hook ran\n"},
	{"Endings", []string{"platform", "halt"}, 9, "ending by halt\n"},
	{"Endings", []string{"platform", "uncaught"}, 1, "ending by uncaught\n"},
	{"Endings", []string{"platform", "other"}, 11, "ending by other\n"},
	{"Endings", []string{"virtual", "return"}, 0, "ending by return\n"},
	{"Results", nil, 0, strings.Repeat("8572 12000 30 true\n", 3)},
}

// firstVirtual is the first Java version with virtual threads.
const firstVirtual = 21

func (p program) String() string { return p.name + "-" + strings.Join(p.args, "-") }

// runsIn reports whether the JDK can run the program.
func (p program) runsIn(j testtool.JDK) bool {
	return !slices.Contains(p.args, "virtual") || j.Version >= firstVirtual
}

// check compares the results of a run with the expected ones.
func (p program) check(t *testing.T, out outcome) {
	t.Helper()
	if out.status != p.status || out.stdout != p.prints {
		t.Errorf("status %d, stdout %q, want %d and %q\nstderr %s", out.status, out.stdout, p.status, p.prints,
			out.stderr)
	}
}

// scatter is the limit of mistakes of a kind that may be chance. If an interrupt and a notify reach a waiter at the
// same moment, the events do not show which of them the JVM has honored; Mix provokes that.
const scatter = 5

// TestRecordings runs the programs under the agent. Their output and exit status are the same as without it, the trace
// is valid, and its model's claims are true. Without TRCX_JVM_MATRIX each program runs once in each JVM, in varying
// configurations; see testtool.Matrix.
//
// The programs run one at a time: on a busy machine a JVM's behavior is harder to determine from the truth.
func TestRecordings(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		total := Scores{}
		var low []lowRecording
		for i, p := range programs {
			for _, s := range setupsFor(i) {
				if p.runsIn(j) {
					t.Run(fmt.Sprintf("%v/%v/%s", j, p, s.name), func(t *testing.T) {
						record := func(t *testing.T) Scores {
							out := b.run(t, j, s, true, p)
							p.check(t, out)
							if !out.isSilent() && !strings.HasPrefix(out.stderr, "Exception in thread ") {
								t.Errorf("the JVM prints %s", out.stderr)
							}
							return judged(t, out)
						}
						first := record(t)
						total.Add(first)
						if len(first.Below(scatter)) > 0 {
							low = append(low, lowRecording{t.Name(), record, first})
						}
					})
				}
			}
		}
		t.Logf("%v:\n%v", j, total)
		if below := total.Below(scatter); len(below) > 0 && len(low) > 0 {
			t.Logf("%v: %q; what scored low is recorded once more", j, below)
			total.replace(t, low)
		}
		for _, below := range total.Below(scatter) {
			t.Errorf("%v: %s", j, below)
		}
	}
}

// lowRecording is a recording whose own scores are too low. On a busy machine more interrupts and notifies reach a
// waiter at the same moment, which is chance; a mistake of the agent would appear in each run.
type lowRecording struct {
	name   string
	record func(*testing.T) Scores
	scores Scores
}

// replace records the low recordings again, and counts these scores instead of the first ones.
func (s Scores) replace(t *testing.T, low []lowRecording) {
	for _, l := range low {
		t.Run(path.Base(l.name)+" again", func(t *testing.T) {
			again := l.record(t)
			s.Subtract(l.scores)
			s.Add(again)
		})
	}
}

// setupsFor returns the configurations of the program with an index.
func setupsFor(i int) []setup {
	turn := i % len(setups)
	return setups[some(turn, 0):some(turn+1, len(setups))]
}

// judged checks that the trace is valid, and compares it with the program's truth.
func judged(t *testing.T, out outcome) Scores {
	t.Helper()
	result, err := Validate(out.trace)
	if err != nil {
		t.Fatalf("%v\nstderr %s", err, out.stderr)
	}
	if !result.Valid() {
		t.Errorf("%d errors, the first are %v", result.Errors, result.Findings)
	}
	file, err := os.Open(out.truth)
	if err != nil {
		return Scores{} // the program writes no truth
	}
	defer file.Close()
	truth, err := ReadTruth(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := ReadTrace(out.trace)
	if err != nil {
		t.Fatal(err)
	}
	scores, err := Judge(truth, doc)
	if err != nil {
		t.Fatal(err)
	}
	if len(scores.Below(scatter)) > 0 {
		t.Logf("mistakes:\n%s", scores.Mistakes())
	}
	return scores
}

// TestPrograms proves that the programs have the expected results without the agent.
func TestPrograms(t *testing.T) {
	b := newBench(t)
	j := b.jdks[len(b.jdks)-1]
	for i := 0; i < len(programs); i += some(4, 1) {
		p := programs[i]
		if p.runsIn(j) {
			t.Run(p.String(), func(t *testing.T) {
				t.Parallel()
				p.check(t, b.run(t, j, setups[0], false, p))
			})
		}
	}
}
