package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestPlaces proves that the innermost call of each recorded stack is the right one, in the right line, where objects
// are allocated and monitors entered: in interpreted code and in each compiler's code.
func TestPlaces(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, options := range []string{"-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-Xint",
			"-XX:+TieredCompilation"}[:some(3, 4)] {
			rounds := 20_000 // C2 compiles after 10,000
			switch options {
			case "-Xint":
				rounds = 1000
			case "-XX:TieredStopAtLevel=1":
				rounds = 5000
			}
			t.Run(fmt.Sprintf("JDK %d %s", j.Version, options), func(t *testing.T) {
				out := outcome{trace: b.traceFile(t)}
				cmd, cancel := b.command(j, "-agentpath:"+b.agent+"=heap=full,no-parks,file="+out.trace, options, "-cp",
					b.classes, "Sites", strconv.Itoa(rounds))
				defer cancel()
				b.finish(t, cmd, &out)
				if out.status != 0 || out.stdout != fmt.Sprintln(6*rounds) {
					t.Fatalf("status %d\n%s%s", out.status, out.stdout, out.stderr)
				}
				recorded := places{}
				enrichTrace(t, out.trace, recorded)
				recorded.check(t)
			})
		}
	}
}

// places counts the lines of the program at which objects of a class were allocated or entered.
type places map[string]map[string]int

// Put counts the innermost call of an allocation, or of an attempt to enter a monitor.
func (p places) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Allocation:
		p.count("allocates "+r.Class, r.Stack)
	case *trace.ModelEvent:
		if r.Type == trace.WaitingForLock {
			p.count("enters "+r.Class, r.Stack)
		}
	}
	return nil
}

func (p places) count(what string, stack *trace.Stack) {
	if stack == nil || len(stack.Frames) == 0 || !strings.HasPrefix(stack.Frames[0].Method.Class, "Sites") {
		return
	}
	if p[what] == nil {
		p[what] = map[string]int{}
	}
	p[what][fmt.Sprint("line ", stack.Frames[0].Line)]++
}

// check compares them with the comments in the program. Most rounds of a thread are not blocked. The compilers may
// remove allocations.
func (p places) check(t *testing.T) {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("programs", "Sites.java"))
	if err != nil {
		t.Fatal(err)
	}
	comment, checked := regexp.MustCompile(`// ((?:allocates|enters) \S+)$`), 0
	for i, line := range strings.Split(string(source), "\n") {
		found := comment.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		checked++
		here := fmt.Sprint("line ", i+1)
		if got := p[strings.TrimSpace(found[1])]; len(got) != 1 || got[here] == 0 {
			t.Errorf("%s: the trace has %v, want all in %s", found[1], got, here)
		}
	}
	if checked != 6 {
		t.Errorf("the program has %d comments", checked)
	}
}
