package docs

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/enrich"
)

// TestWaysToWait proves that idle.md has the table of enrich.
func TestWaysToWait(t *testing.T) {
	want := waysToWait()
	if *update {
		if err := os.WriteFile("idle.md", []byte(want), 0o644); err != nil { //nolint:gosec // a page of the documentation
			t.Fatal(err)
		}
	}
	if read(t, "idle.md") != want {
		t.Error("idle.md is not current; write it with: go test ./docs -update")
	}
}

func waysToWait() string {
	var p strings.Builder
	p.WriteString(`<!-- Written by the tests from enrich.WaysToWait and docs/idle_test.go: go test ./docs -update -->

# Which threads wait for work?

A thread is idle while it waits for its next task, event or connection. One that waits for an answer to what it asked
for itself is not: at a future, a latch, a queue of its own, or for a reply.

A wait is known to be idle if its call stack has one of these calls, with only frames of the JDK or of that library inside
of it. ` + "`ForkJoinPool.runWorker`" + ` and ` + "`RequestProcessor$Processor.run`" + `, which also call tasks, must wait or park themselves. A
library may have Netty under a package of its own. *Tested* says that the tests run the library, in a version that Debian
has; the other rows are from the libraries' sources and from thread dumps. [stats](stats.md) has the other rules.

| library | call | a thread that waits so | tested |
|---|---|---|---|
`)
	ways := slices.Clone(enrich.WaysToWait())
	slices.SortStableFunc(ways, func(a, b enrich.WayToWait) int { return cmp.Compare(a.Library, b.Library) })
	for _, way := range ways {
		tested := ""
		if way.Tested {
			tested = "yes"
		}
		class := strings.ReplaceAll(way.Class, "/", ".")
		fmt.Fprintf(&p, "| %s | `%s.%s` | `%s` | %s |\n", way.Library, class, strings.Join(way.Methods, "`, `"), way.Thread, tested)
	}
	return p.String()
}
