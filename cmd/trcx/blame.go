package main

import (
	"context"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/convert/jfr"
	"github.com/trcx/trcx/emit/collapsed"
	"github.com/trcx/trcx/emit/pprof"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

var blameFormats = append(slices.Clone(answerFormats), "collapsed", "pprof")

// blameStates maps the names of states on the command line.
var blameStates = map[string]trace.ModelType{"blocked": trace.WaitingForLock, "waited": trace.WaitingForObject,
	"joined": trace.WaitingForJoin}

func blameCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "blame",
		Usage: "which threads kept others waiting, over all waits",
		UsageText: "trcx blame INPUT… [--by thread|pool|monitor|place|waiter] [--thread PATTERN] [--monitor MONITOR] " +
			"[--format FORMAT]",
		Description: `The first lines are the findings of trcx why on the chosen waits. Then each finished wait is followed from its
end back to its begin: to the thread that handed the lock over, the one before it, or the one for which a holder itself
waited. The parts of a wait sum to its length.

thread and pool group by the thread to blame; monitor, place and waiter group the waits, with the threads mostly to blame.
A pool is the threads whose names differ only in digits. Waits that never ended are listed by themselves. Text and markdown
do not count idle waits: those for a next task, for connections and in selectors.

--thread, --monitor and --state choose waits. MONITOR is the id of one, a pattern for classes with . or /, or CLASS@ID.
A window from --since to --until cuts: only the part of a wait inside it counts.

collapsed and pprof begin with the calls of the waiting threads, then have what they waited for, the pool that is to blame,
and its calls and state. These are the calls in which a thread waits, or last waited before it ran.

Examples:
   trcx blame app.trcxml
   trcx blame app.trcxml --by pool --since 10s --until 11s
   trcx blame app.trcxml --by monitor --thread 'http-nio-*'
   trcx blame app.trcxml -o blame.pb.gz
   trcx blame app.trcxml --format json --all | jq '.waits[0]'`,
		Flags: slices.Concat([]cli.Flag{
			choice(&cli.StringFlag{Name: "by", Usage: "group by `WHAT`", DefaultText: string(blame.Threads)},
				blame.Groupings()),
			&cli.StringSliceFlag{Name: "thread",
				Usage: "only waits of threads whose name or id matches the `PATTERN`; may be repeated"},
			&cli.StringSliceFlag{Name: "monitor", Usage: "only waits for this `MONITOR`; may be repeated"},
			&cli.StringSliceFlag{Name: "state",
				Usage: "only waits in this `STATE`: blocked, waited or joined; may be repeated"},
		}, windowFlags(), []cli.Flag{
			atLeast(0, &cli.IntFlag{Name: "top", Aliases: []string{"n"}, Usage: "show `NUMBER` rows of each table; 0 for all",
				Value: defaultTop}),
			&cli.BoolFlag{Name: "all", Usage: "show all rows; in json, each wait with its parts, too"},
			&cli.BoolFlag{Name: "idle", Usage: "in text and markdown, count idle waits, too, as the other formats do"},
		}, answerFlags(blameFormats), []cli.Flag{fromFlag(), skipFlag(), framesFlag()}, readingFlags()),
		Action: func(c *cli.Context) error {
			question, err := newBlameQuestion(c)
			if err != nil {
				return err
			}
			return env.analyse(c, c.Args().Slice(), c.String("from"), blameFormats,
				func(ctx context.Context, a *analysis) (*answer.Answer, error) {
					return a.blame(ctx, question)
				})
		},
	}
}

// blameQuestion is the command line of blame.
type blameQuestion struct {
	chosen blame.Options
	view   blame.View
	all    bool
	idle   bool
	moved  bool // the trace numbers objects anew, as diagnosis.Facts says
}

func newBlameQuestion(c *cli.Context) (q *blameQuestion, err error) {
	q = &blameQuestion{all: c.Bool("all"), idle: c.Bool("idle"),
		view: blame.View{By: blame.Grouping(c.String("by")), Top: c.Int("top")}}
	if q.all {
		q.view.Top = 0
	}
	q.chosen.Threads = c.StringSlice("thread")
	if q.chosen.Window, err = parseWindow(c); err != nil {
		return nil, err
	}
	for _, text := range c.StringSlice("monitor") {
		monitors, err := critical.ParseMonitors(text)
		if err != nil {
			return nil, usage("--monitor: %v", err)
		}
		q.chosen.Monitors = append(q.chosen.Monitors, monitors)
	}
	for _, name := range c.StringSlice("state") {
		state, ok := blameStates[name]
		if !ok {
			return nil, usage("--state: invalid value %q: want blocked, waited or joined", name)
		}
		q.chosen.States = append(q.chosen.States, state)
	}
	return q, nil
}

// blame reads the inputs and computes who kept threads waiting.
func (a *analysis) blame(ctx context.Context, q *blameQuestion) (_ *answer.Answer, err error) {
	recorder := critical.NewRecorderIn("")
	defer func() {
		if err != nil {
			recorder.Close() // nothing to lose
		}
	}()
	options := enrich.Options{Calls: enrich.CallersOnly, Skips: a.skips, Frames: a.frames, NoActivities: true}
	if a.format == "collapsed" || a.format == "pprof" {
		recorder.KeepStacks()
		options.Calls = enrich.WholeStacks
	}
	enricher := enrich.New(a.stage(recorder), options)
	lacks := a.noteLacks()
	if err := a.read(ctx, a.inputs.Documents, enricher); err != nil {
		return nil, err
	}
	q.moved = lacks[jfr.NoIdentities()]
	q.chosen.WithoutIdle, q.chosen.RanksThreads = !q.idle && a.forPeople(), true
	result, err := blame.Of(recorder, q.chosen)
	if err != nil {
		return nil, err
	}
	if n := result.ShortenedStacks(); n > 0 {
		a.warn("too many different call stacks: %s have only the program's own call", phrase.Count(int(n), "wait"))
	}
	a.others = map[string]func(io.Writer) error{
		"collapsed": func(out io.Writer) error { return collapsed.WriteBlame(out, result.Samples()) },
		"pprof":     func(out io.Writer) error { return pprof.WriteBlame(out, result) },
	}
	a.done = closed(recorder)
	return result.Answer(q.view, q.all).Under(func() []string {
		return q.diagnosis(recorder, result).Head()
	}), nil
}

// diagnosis returns what is wrong in the chosen waits, whether or not idle ones are chosen.
func (q *blameQuestion) diagnosis(r *critical.Recorder, chosen *blame.Blame) *diagnosis.Diagnosis {
	facts := &diagnosis.Facts{Blame: chosen, Nothing: chosen.Nothing(), Few: true, Moved: q.moved}
	if q.idle {
		options := q.chosen
		options.WithoutIdle, options.RanksThreads = true, false
		facts.Blame, _ = blame.Of(r, options) // the recorder keeps its errors
	}
	if len(q.chosen.Threads)+len(q.chosen.Monitors)+len(q.chosen.States) == 0 {
		facts.Deadlocks = deadlock.Of(r, q.chosen.Window)
	}
	return diagnosis.Of(facts)
}
