package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/jfr"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/convert/threaddump"
)

func whyCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "why",
		Usage: "what is wrong, who and where, in a few lines",
		UsageText: "trcx why INPUT… [--since TIME] [--until TIME] [--format text|json|csv|markdown]\n" +
			"trcx why PID… [--for TIME] [-o FOLDER] [--format text|json|csv|markdown]\n" +
			"trcx why --all [--for TIME] [-o FOLDER] [--format text|json|markdown]",
		Description: `The findings of all analyses, the worst first: deadlocks, locks and who held them, waits and who ended them, pauses of the
garbage collector, and processors that were lacking. Each names the thread or pool, its place, the time that it cost
others, and the command that shows more.

Of a process, a JVM is recorded for the time of --for, and runs on as before. Where it cannot load the agent, three thread
dumps are diagnosed instead. Nothing is kept; with -o FOLDER the trace, the thread dumps and a page are. Several processes, or
with --all all JVMs of this user, are recorded at the same time; each has its own paragraph.

Several thread dumps are a series: threads that did not move are named with their places.

The exit status is 1 if something was found that kept others waiting or stopped the program.

Examples:
   trcx why 4711 || echo found
   trcx why 4711 --for 10s -o stall || echo found
   trcx why app.trcxml || echo found
   trcx why dump-1.txt dump-2.txt dump-3.txt || echo found
   trcx why app.trcxml --since 10s --until 11s --json | jq '.findings[0].summary'`,
		Flags: slices.Concat(processFlags(), windowFlags(), answerFlags(answerFormats),
			[]cli.Flag{fromFlag(), skipFlag(), framesFlag()}, readingFlags()),
		Action: func(c *cli.Context) error {
			if pids, err := processesToObserve(c); err != nil || len(pids) > 0 {
				return errors.Join(err, env.whyProcesses(c, pids))
			}
			if c.IsSet("for") {
				return usage("--for is how long a process is recorded; for a part of a file take --since and --until")
			}
			window, err := parseWindow(c)
			if err != nil {
				return err
			}
			names := c.Args().Slice()
			facts := &diagnosis.Facts{Target: strings.Join(names, " "), Command: moreOf(c.Args().First(), window)}
			if len(names) > 1 {
				facts.Command = moreOfSeries(names, window)
			}
			return env.diagnose(c, names, c.String("from"), facts, window, nil)
		},
	}
}

// diagnose prints the diagnosis of a window of a trace. facts has what the trace itself does not have. dumped is what
// thread dumps made during the recording show, or nil.
func (env *environment) diagnose(c *cli.Context, names []string, from string, facts *diagnosis.Facts,
	window selection.Window, dumped *samples.Summary) error {
	return env.analyse(c, names, from, answerFormats,
		func(ctx context.Context, a *analysis) (*answer.Answer, error) {
			a.diagnostics.live = facts.Recorded > 0
			if err := a.joinDumps(ctx); err != nil {
				return nil, err
			}
			found, err := a.diagnosis(ctx, facts, window, dumped)
			if err != nil {
				return nil, err
			}
			a.exceeded = !found.Healthy()
			return found.Answer(), nil
		})
}

// joinDumps joins several thread dumps into one input. There may only be one input of any other kind; a zip may have
// several recordings.
func (a *analysis) joinDumps(ctx context.Context) error {
	documents := a.inputs.Documents
	if len(documents) < 2 {
		return nil
	}
	joined, err := convert.Series(ctx, documents)
	if documents[0].Input == documents[len(documents)-1].Input {
		one := false
		if err == nil {
			one, err = convert.OneProcess(ctx, &joined)
		}
		if err != nil || !one {
			return ctx.Err() // they are read one by one, which reports what is wrong with them
		}
	}
	if other, ok := errors.AsType[*convert.NotDumps](err); ok {
		return usage("want one trace, not several: %s and %s; only thread dumps are read as a series, and %s is none",
			documents[0].Name, documents[1].Name, other.Document)
	}
	if err != nil {
		return err
	}
	a.inputs.Documents = []convert.Document{joined}
	return nil
}

// diagnosis reads the inputs once, and diagnoses the window of the trace. It adds what it finds to the facts.
func (a *analysis) diagnosis(ctx context.Context, facts *diagnosis.Facts, window selection.Window,
	dumped *samples.Summary) (*diagnosis.Diagnosis, error) {
	collector := diagnosis.NewCollector(facts.Target, window)
	defer collector.Close() // nothing to lose
	a.calls, a.activities = collector.Calls, true
	lacks := a.noteLacks()
	if err := a.enriched(ctx, a.inputs.Documents, collector); err != nil {
		return nil, err
	}
	if err := collector.Complete(facts); err != nil {
		return nil, err
	}
	merged := contention.NewMerged(contention.DefaultRows)
	merged.Add(facts.Statistics)
	facts.Statistics = merged.Statistics()
	facts.Statistics.Selected = !window.IsEverything()
	facts.NoVirtual, facts.Moved = lacks[threaddump.NoVirtual()], lacks[jfr.NoIdentities()]
	facts.NoVirtualParks, facts.NoVirtualBlocks = lacks[jfr.NoVirtualParks()], lacks[jfr.NoVirtualBlocks()]
	if dumped != nil {
		facts.Statistics.Samples = dumped
	}
	return diagnosis.Of(facts), collector.Failed()
}

// moreOfSeries is moreOf for several thread dumps, which other commands read as one input.
func moreOfSeries(names []string, window selection.Window) func(diagnosis.More) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = shellWord(name)
	}
	more := moreOf("-", window)
	return func(m diagnosis.More) string { return "cat " + strings.Join(words, " ") + " | " + more(m) }
}

// moreOf returns the function for command lines that show more of a finding in the window of the target.
func moreOf(target string, window selection.Window) func(diagnosis.More) string {
	return func(m diagnosis.More) string {
		text := "trcx " + m.Analysis + " " + shellWord(target)
		switch {
		case m.Monitor != "":
			text += " --monitor " + shellWord(m.Monitor)
		case m.Waiters:
			text += " --by waiter"
		}
		if m.Analysis == "deadlocks" {
			return text // it has no window
		}
		return text + windowText(window)
	}
}
