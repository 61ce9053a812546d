package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/agent/attach"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/convert"
)

// liveDeadlocks finds the deadlocks of a running JVM.
type liveDeadlocks struct {
	pid  int
	dump string // of all threads but virtual ones that wait
}

// dumpThreads makes a thread dump of the process of --pid, and uses it as the standard input.
func (env *environment) dumpThreads(c *cli.Context) (live liveDeadlocks, err error) {
	switch {
	case c.NArg() > 0:
		return live, usage("--pid reads a running JVM, and no input; give one of the two")
	case c.IsSet("from"):
		return live, usage("--pid reads a running JVM; --from is for inputs")
	}
	live.pid = c.Int("pid")
	live.dump, err = attach.ThreadDump(c.Context, live.pid)
	env.stdin = strings.NewReader(live.dump)
	return live, err
}

// virtualThreads begins the line of a thread that JVMs since JDK 24 have once virtual threads have run, which can then
// wait for monitors without a carrier.
const virtualThreads = "\n\"VirtualThread-unblocker\" "

// deadlocks returns the deadlocks of the dump or, if there are none, of a second dump with all virtual threads. That is
// the second choice, since its threads are not of one moment, and it lacks the owners of locks.
func (l liveDeadlocks) deadlocks(a *analysis, ctx context.Context) (*deadlock.Report, error) {
	a.diagnostics.live = true
	report, err := a.deadlocks(ctx)
	if err != nil {
		return nil, err
	}
	report.Live = true
	if len(report.Deadlocks) > 0 || !strings.Contains(l.dump, virtualThreads) {
		return report, nil
	}
	dump, err := attach.ThreadDumpAsJSON(ctx, l.pid)
	if err != nil {
		a.warn("virtual threads that wait are unknown: %v", err)
		return report, nil
	}
	a.inputs.Close()
	a.inputs = convert.NewInputs(strings.NewReader(dump), 0)
	if err := a.open([]string{convert.Stdin}); err != nil {
		return nil, err
	}
	all, err := a.deadlocks(ctx)
	if err != nil {
		return nil, err
	}
	if all.LocksUnknown { // before JDK 25
		return report, nil
	}
	all.Live = true
	return all, nil
}
