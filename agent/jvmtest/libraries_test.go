package jvmtest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// libraries are the arguments of the program Libraries, which are also the names of the tools whose jars they need,
// with the names of the threads that have nothing to do, and the methods in which these wait.
var libraries = []struct{ name, threads, methods string }{
	{"jdk", `pool-1-thread-1|scheduled|nothing-scheduled|timer|ForkJoinPool-1-worker-1`, "getTask take deactivate|awaitWork mainLoop"},
	{"jetty", `qtp\S+`, "idleJobPoll select reservedWait"},
	{"netty", `nioEventLoopGroup-\S+|defaultEventExecutorGroup-\S+|globalEventExecutor-\S+`, "select takeTask"},
	{"xnio", `XNIO-1 (I/O-\d|Accept)`, "run"},
	{"tomcat", `http-nio-auto-1-(exec-\d+|Poller|Acceptor)|Catalina-utility-\d`, "getTask run"},
	{"hikari", `HikariPool-1 (housekeeper|connection adder)`, "getTask"},
	{"dbcp", `commons-pool-evictor\S*`, "getTask"},
	{"c3p0", `com\.mchange\.v2\.async\.ThreadPoolAsynchronousRunner\S+`, "run"},
}

// waitsForWork has the waits of threads by their names, with whether they are idle and how they look.
type waitsForWork struct {
	names map[trace.ThreadKey]string
	waits map[string][]string // for each open wait at the end, "idle" or its stack
	calls map[string]bool     // the methods on the stacks of idle threads
}

func (w waitsForWork) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		w.names[r.Key] = r.Name
	case *trace.Interval:
		if r.Type != trace.WaitingForObject || !r.Open {
			return nil
		}
		what := "idle"
		if r.Stack == nil || !r.Stack.Idle && r.IO != trace.IOAccept {
			what = fmt.Sprint(r.State(), stackText(r.Stack))
		} else {
			for i := range r.Stack.Frames {
				w.calls[r.Stack.Frames[i].Method.Name] = true
			}
		}
		w.waits[w.names[r.Thread.Key]] = append(w.waits[w.names[r.Thread.Key]], what)
	}
	return nil
}

func stackText(s *trace.Stack) string {
	var text strings.Builder
	for i := range s.Frames {
		text.WriteString("\n  " + s.Frames[i].Method.Class + "." + s.Frames[i].Method.Name)
	}
	return text.String()
}

// TestLibraries proves that threads of pools, event loops and housekeeping that have nothing to do are idle, by the
// table of enrich.WaysToWait.
func TestLibraries(t *testing.T) {
	b := newBench(t)
	for _, j := range b.jdks {
		for _, library := range libraries {
			t.Run(fmt.Sprintf("%v/%s", j, library.name), func(t *testing.T) {
				path := b.classes
				if library.name != "jdk" {
					path += ":" + testtool.Need(t, library.name)
				}
				file, folder := b.traceFile(t), t.TempDir()
				cmd, cancel := b.command(j, "-agentpath:"+b.agent+"=file="+file, "-cp", path, "Libraries", "-", library.name, folder)
				defer cancel()
				out := outcome{trace: file}
				if b.finish(t, cmd, &out); out.status != 0 || !strings.Contains(out.stdout, "done\n") {
					t.Fatalf("status %d\n%s%s", out.status, out.stdout, out.stderr)
				}
				found := waitsForWork{map[trace.ThreadKey]string{}, map[string][]string{}, map[string]bool{}}
				if err := read(file, convert.Options{}, enrich.New(found, enrich.Options{})); err != nil {
					t.Fatal(err)
				}
				found.check(t, library.threads)
				for _, method := range strings.Fields(library.methods) {
					if !slices.ContainsFunc(strings.Split(method, "|"), func(name string) bool { return found.calls[name] }) {
						t.Errorf("no thread waits in %s", method)
					}
				}
			})
		}
	}
}

// check reports threads that should be idle and are not, and parts of the pattern that match no thread.
func (w waitsForWork) check(t *testing.T, pattern string) {
	t.Helper()
	wanted, idle := regexp.MustCompile("^("+pattern+")$"), 0
	var others []string
	for name, waits := range w.waits {
		if !wanted.MatchString(name) {
			others = append(others, name)
			continue
		}
		idle++
		if at := slices.IndexFunc(waits, func(what string) bool { return what != "idle" }); at >= 0 {
			t.Errorf("%s is not idle: %s", name, waits[at])
		}
	}
	if least := len(strings.Split(pattern, "|")) - strings.Count(pattern, "("); idle == 0 || idle < least {
		t.Errorf("%d threads are idle, want %s; others that wait are %q", idle, pattern, others)
	}
}
