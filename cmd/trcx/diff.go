package main

import (
	"context"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diff"
	"github.com/trcx/trcx/analyze/heap"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
)

func diffCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "what became slower from one trace to another",
		UsageText: "trcx diff BASE HEAD [--fail-on 'blocked>10%,waited:com/acme/*>50ms'] [--format text|json|csv|markdown]",
		Description: `BASE and HEAD are traces, or statistics that trcx stats --save wrote. Threads are compared by the pattern of their names,
in which * replaces each number; monitors by their classes; callers by their methods. Methods are compared by their calls,
or by samples, where both traces have these; saved statistics have neither.

Each difference is tested, by counts and by the distribution of lengths. Differences that can be chance are shown only
with --all.

--fail-on makes the exit status 1 if the head exceeds one of the thresholds KIND[.FIGURE][:PATTERN]>LIMIT. KIND is blocked,
waited, timed, joined, slept, parked, io or init; FIGURE total, count, max, mean, p50, p90 or p99; PATTERN matches classes of
monitors, methods and threads; LIMIT is the largest increase that is allowed: 10%, 50ms, or a number for a count. Any difference
can exceed a threshold; with --beyond-noise only one that is more than chance. The KIND method has the FIGURES base,
cumulative and calls, by calls or else by samples; PATTERN matches methods and classes.

Two heap dumps are compared by the classes of their objects; see trcx heap.

Examples:
   trcx diff monday.trcxml tuesday.trcxml
   trcx diff monday.trcxml tuesday.trcxml --fail-on 'blocked>10%,blocked.p99>5ms'
   trcx diff docs/testdata/calls.trcxml docs/testdata/calls.trcxml --fail-on 'method:app.*>20%,method.calls:*.total>100'
   trcx stats monday.trcxml --save base.stats.json
   trcx diff base.stats.json tuesday.trcxml --format markdown > comment.md`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "fail-on", Usage: "make the exit status 1 if one of the `THRESHOLDS` is exceeded"},
			&cli.BoolFlag{Name: "beyond-noise", Usage: "apply thresholds only to differences beyond noise"},
			&cli.BoolFlag{Name: "all", Usage: "show also what has changed within noise"},
			atLeast(0, &cli.IntFlag{Name: "top", Aliases: []string{"n"}, Usage: "show `NUMBER` rows of each table; 0 for all",
				Value: defaultTop}),
		}, selectionFlags(), []cli.Flag{fromFlag(), skipFlag()}, answerFlags(answerFormats), readingFlags()),
		Action: func(c *cli.Context) error { return env.diff(c) },
	}
}

func (env *environment) diff(c *cli.Context) error {
	if c.NArg() != 2 {
		return usageHelp("name two traces, first the base and then the head")
	}
	var thresholds []diff.Threshold
	if text := c.String("fail-on"); text != "" {
		var err error
		if thresholds, err = diff.ParseThresholds(text); err != nil {
			return usage("--fail-on: %v", err)
		}
	}
	part, err := parseSelection(c)
	if err != nil {
		return err
	}
	return env.analyse(c, c.Args().Slice(), c.String("from"), answerFormats, func(ctx context.Context, a *analysis) (*answer.Answer, error) {
		times := [2]diff.MethodTimes{}
		both, dumps, err := a.bothSides(ctx, part, &times)
		if err != nil {
			return nil, err
		}
		comparison := diff.Compare(both[0], both[1])
		comparison.CompareMethods(&times[0], &times[1])
		comparison.WithoutMethods = !methodsSelect(part)
		options := diff.Options{All: c.Bool("all"), SeeAll: seeAll, Top: c.Int("top")}
		baseWaits, headWaits := comparison.HasWaits()
		onlyBase, onlyHead := dumps[0].Dumps > 0 && !baseWaits, dumps[1].Dumps > 0 && !headWaits
		switch {
		case onlyBase && onlyHead && len(thresholds) == 0:
			return compareDumps(dumps, options)
		case onlyBase && dumps[1].Dumps == 0:
			return nil, differentKinds(c.Args().Get(0), c.Args().Get(1))
		case onlyHead && dumps[0].Dumps == 0:
			return nil, differentKinds(c.Args().Get(1), c.Args().Get(0))
		}
		outcomes, exceeded, err := comparison.Check(thresholds, c.Bool("beyond-noise"))
		if err != nil {
			return nil, usage("--fail-on: %v", err)
		}
		a.exceeded = exceeded
		return comparison.Answer(outcomes, options), nil
	})
}

// differentKinds is the error for inputs that cannot be compared.
func differentKinds(dump, other string) error {
	return usage("%s is a heap dump and %s is not: name two heap dumps or two traces", dump, other)
}

// bothSides returns the statistics and the heap dumps of the base and of the head. It also adds the times of their
// methods, unless methods lack what the part is selected by.
func (a *analysis) bothSides(ctx context.Context, part selection.Selection, times *[2]diff.MethodTimes) (
	both [2]*contention.Statistics, dumps [2]*heap.Collector, err error) {
	var sides [2][]convert.Document
	for _, document := range a.inputs.Documents {
		sides[document.Input] = append(sides[document.Input], document)
	}
	for i, documents := range sides {
		dumps[i] = &heap.Collector{ClassesOnly: true}
		a.dump = dumps[i]
		var of *diff.MethodTimes
		if methodsSelect(part) {
			of = &times[i]
		}
		if both[i], err = a.statistics(ctx, documents, part, contention.DefaultRows, true, of); err != nil {
			return both, dumps, err
		}
	}
	return both, dumps, nil
}

// seeAll is how a reader gets the rows that changed within noise.
const seeAll = " (--all shows every row)"

// compareDumps compares the objects of two heap dumps by class.
func compareDumps(dumps [2]*heap.Collector, options diff.Options) (*answer.Answer, error) {
	var sides [2][]diff.Live
	for i, dump := range dumps {
		var err error
		if sides[i], err = liveInDump(dump); err != nil {
			return nil, err
		}
	}
	return diff.CompareHeaps(string(allocation.Classes), sides[0], sides[1]).Answer(options), nil
}

// liveInDump returns the objects of a dump by class.
func liveInDump(dump *heap.Collector) (live []diff.Live, err error) {
	graph, err := dump.Graph(false)
	if err != nil {
		return nil, err
	}
	for _, row := range graph.Classes(nil) {
		live = append(live, diff.Live{Title: row.Class.ClassName(), Count: row.Count, Bytes: row.Bytes})
	}
	return live, nil
}
