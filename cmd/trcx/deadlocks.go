package main

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/threaddump"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// The values of --fail-on.
const (
	failOnDeadlock  = "deadlock"
	failOnInversion = "inversion"
)

// shownInversions is the default limit of inversions, and of frames of a stack trace, in the text.
const shownInversions = 10

func deadlocksCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "deadlocks",
		Usage: "which threads are deadlocked, and which lock orders could have led to a deadlock",
		UsageText: "trcx deadlocks INPUT… [--fail-on deadlock,inversion] [--all] [--format text|json|csv|markdown]\n" +
			"trcx deadlocks --pid PID [--fail-on deadlock] [--format text|json|csv|markdown]",
		Description: `A deadlock is a loop of threads at the end of the trace. Each is blocked on a monitor, or on a lock of java.util.concurrent,
that the next one holds. The report has, for each thread, what it holds and wants, where it is in the program, and since
when; then the other threads that are stuck because of the loop. --pid reads a thread dump of a running JVM instead.

A lock-order inversion is a deadlock that did not happen: one thread held A while it was blocked on B, another one held B
while it was blocked on A. It is listed if the trace shows the holders: while the one was blocked, an event of a third
thread named it as the owner. Inversions that can only be supposed are counted; --all lists them.

The exit status is 0 whatever is found, unless --fail-on asks for 1.

Examples:
   trcx deadlocks app.trcxml
   trcx deadlocks app.trcxml --fail-on deadlock,inversion
   trcx deadlocks app.trcxml --format json | jq .`,
		Flags: slices.Concat([]cli.Flag{
			&cli.IntFlag{Name: "pid", Usage: "read a thread dump of the running JVM of the process `PID`",
				DefaultText: "read a trace"},
			&cli.StringFlag{Name: "fail-on",
				Usage: "exit with 1 if there is any of `WHAT`: deadlock, inversion, or both, separated by a comma"},
			&cli.BoolFlag{Name: "all", Usage: "list inversions that can only be supposed, too"},
			atLeast(0, &cli.IntFlag{Name: "max",
				Usage: "show at most `NUMBER` inversions of a kind, and frames of a stack; 0 for all",
				Value: shownInversions}),
		}, answerFlags(answerFormats), []cli.Flag{fromFlag(), skipFlag(), framesFlag()}, readingFlags()),
		Action: func(c *cli.Context) error {
			fails, err := parseFailOn(c)
			if err != nil {
				return err
			}
			names, from, find := c.Args().Slice(), c.String("from"), (*analysis).deadlocks
			if c.IsSet("pid") {
				live, err := env.dumpThreads(c)
				if err != nil {
					return err
				}
				names, from, find = []string{convert.Stdin}, "threaddump", live.deadlocks
			}
			return env.analyse(c, names, from, answerFormats,
				func(ctx context.Context, a *analysis) (*answer.Answer, error) {
					report, err := find(a, ctx)
					if err != nil {
						return nil, err
					}
					a.exceeded = slices.Contains(fails, failOnDeadlock) && len(report.Deadlocks) > 0 ||
						slices.Contains(fails, failOnInversion) && len(report.Seen()) > 0
					return report.Answer(deadlock.Options{All: c.Bool("all"), SeeAll: "; --all shows them", Max: c.Int("max"),
						SeeMore: "; --max 0 shows all, and so does --format json"}).Under(func() []string {
						if len(report.Deadlocks) == 0 {
							return nil
						}
						return diagnosis.Of(&diagnosis.Facts{Deadlocks: report}).Head()
					}), nil
				})
		},
	}
}

// parseFailOn returns the findings that make the exit status 1.
func parseFailOn(c *cli.Context) (fails []string, err error) {
	if !c.IsSet("fail-on") {
		return nil, nil
	}
	for name := range strings.SplitSeq(c.String("fail-on"), ",") {
		if name != failOnDeadlock && name != failOnInversion {
			return nil, usage("--fail-on: invalid value %q: want %s, %s or both, separated by a comma", name,
				failOnDeadlock, failOnInversion)
		}
		fails = append(fails, name)
	}
	return fails, nil
}

// noteLacks returns what the inputs lack, which is known when they have been read.
func (a *analysis) noteLacks() map[trace.Lack]bool {
	lacks := map[trace.Lack]bool{}
	note := a.options.OnUnsupported
	a.options.OnUnsupported = func(document string, lack trace.Lack) {
		lacks[lack] = true
		note(document, lack)
	}
	return lacks
}

// deadlocks reads the inputs and returns their deadlocks and inversions.
func (a *analysis) deadlocks(ctx context.Context) (*deadlock.Report, error) {
	lacks := a.noteLacks()
	finder := deadlock.NewFinder()
	enricher := enrich.New(a.stage(finder),
		enrich.Options{Calls: enrich.WholeStacks, Skips: a.skips, Frames: a.frames, NoActivities: true, Objects: true})
	if err := a.read(ctx, a.inputs.Documents, enricher); err != nil {
		return nil, err
	}
	report := finder.Report()
	report.Scattered, report.OwnersUnknown = lacks[threaddump.NoMoment()], lacks[threaddump.NoOwners()]
	report.LocksUnknown = lacks[threaddump.NoLocks()]
	return report, nil
}
