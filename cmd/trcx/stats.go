package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/diagnosis"
	"github.com/trcx/trcx/analyze/diff"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/internal/suggest"
	"github.com/trcx/trcx/trace"
)

// viewPrefix is the prefix of the names of views.
const viewPrefix = "contention-"

func statsCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "stats",
		Usage: "how long threads were blocked and waited: on what, where, and who held it",
		UsageText: "trcx stats [VIEW] INPUT… [--sort ORDER] [--thread PATTERN] [--class PATTERN] [--format " +
			"text|json|csv|markdown]",
		Description: `The first lines are the findings of trcx why that statistics alone have.

INPUT is a trace, or statistics that were saved with --save. Several are combined: threads and monitors of different inputs
are different ones; classes and places in the program are the same if their names are.

VIEW is one of these; without it all tables are shown:
` + viewList() + `
Times in which threads were blocked, waited, joined others and slept are in columns of their own. PATTERN may have * and ?;
a pattern for classes may be written with . or /. The window from --since to --until cuts waits: the part inside counts.

Examples:
   trcx stats app.trcxml
   trcx stats contention-by-site app.trcxml
   trcx stats app.trcxml --thread 'worker-*' --class 'com.acme.*' --min 10ms
   trcx stats app.trcxml --since 1.5s --until 2s --sort blocked.max
   trcx stats app.trcxml --save app.stats.json
   trcx stats *.stats.json --format markdown`,
		Flags: slices.Concat(selectionFlags(), []cli.Flag{
			fromFlag(), skipFlag(), framesFlag(),
			&cli.StringFlag{Name: "sort", Usage: "sort rows by `ORDER`: " + strings.Join(contention.Orders(), ", ") +
				"; a kind of time may have ." + strings.Join(histogram.Figures(), ", ."),
				DefaultText: "what a table is about"},
			atLeast(0, &cli.IntFlag{Name: "top", Aliases: []string{"n"}, Usage: "show `NUMBER` rows of each table; 0 for all",
				Value: defaultTop}),
			&cli.StringFlag{Name: "save",
				Usage: "also save the statistics to `FILE`, to be combined with others later"},
			atLeast(1, &cli.IntFlag{Name: "max-rows", Usage: "count at most `NUMBER` rows of a table separately",
				Value: contention.DefaultRows}),
		}, answerFlags(answerFormats), readingFlags()),
		Action: func(c *cli.Context) error { return env.stats(c) },
	}
}

// defaultTop is the default number of rows of a table in the text.
const defaultTop = 10

// viewList returns the views and their summaries, one a line.
func viewList() string {
	var b strings.Builder
	for _, view := range contention.Views() {
		if view.Name != "" {
			fmt.Fprintf(&b, "   %-22s %s\n", view.Name, view.Summary)
		}
	}
	return b.String()
}

func (env *environment) stats(c *cli.Context) error {
	view, names, err := chooseView(c.Args().Slice())
	if err != nil {
		return err
	}
	part, err := parseSelection(c)
	if err != nil {
		return err
	}
	order := contention.Order{By: c.String("sort"), Top: c.Int("top")}
	if err := contention.CheckOrder(order.By); err != nil {
		return usage("--sort: %v", err)
	}
	if c.IsSet("save") && filepath.Clean(c.String("save")) == filepath.Clean(c.String("output")) {
		return usage("%s is the name of the answer and of the saved statistics; give them two names", c.String("save"))
	}
	return env.analyse(c, names, c.String("from"), answerFormats, func(ctx context.Context, a *analysis) (*answer.Answer, error) {
		if c.IsSet("save") { // saved statistics name places by the innermost call
			a.frames = 1
		}
		blamed := c.IsSet("save") || len(a.inputs.Documents) > 1 // to be merged later, or merged now
		statistics, err := a.statistics(ctx, a.inputs.Documents, part, c.Int("max-rows"), blamed, nil)
		if err != nil {
			return nil, err
		}
		if name := c.String("save"); name != "" {
			if err := env.save(name, a.inputs, statistics); err != nil {
				return nil, err
			}
		}
		return statistics.Answer(view, order).Under(func() []string {
			return diagnosis.Of(&diagnosis.Facts{Statistics: statistics}).Head()
		}), nil
	})
}

// chooseView returns the view and the other arguments. A file with a view's name needs a folder: ./contention-by-site.
func chooseView(args []string) (contention.View, []string, error) {
	at := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, viewPrefix) })
	if at < 0 {
		return contention.Views()[0], args, nil
	}
	var known []string
	for _, view := range contention.Views() {
		if view.Name == args[at] {
			return view, slices.Delete(slices.Clone(args), at, at+1), nil
		}
		known = append(known, view.Name)
	}
	return contention.View{}, nil, usage("unknown view %q%s", args[at],
		didYouMean(suggest.Nearest(args[at], known[1:]), strings.Join(known[1:], ", ")))
}

// statistics merges the statistics of all documents. Each document is a trace, or saved statistics. With blamed, the
// result says who kept threads waiting, unless blame cannot select the part. The times of methods are added to times,
// if that is not nil.
func (a *analysis) statistics(ctx context.Context, documents []convert.Document, part selection.Selection,
	rows int, blamed bool, times *diff.MethodTimes) (*contention.Statistics, error) {
	merged, jobs := contention.NewMerged(rows), jobsFor(documents)
	type outcome struct {
		*reading
		statistics *contention.Statistics
		filter     *selection.Filter
		err        error
	}
	noClass := true
	outcomes, branch := make([]outcome, len(documents)), a.branches(jobs)
	var refused convert.Refused
	err := inOrder(ctx, len(documents), jobs, func(ctx context.Context, i int) {
		o := &outcomes[i]
		o.reading = branch()
		if times != nil {
			o.calls = methods.NewCollector(methods.Options{Window: part.Window, Forget: true})
		}
		o.statistics, o.filter, o.err = o.reading.statisticsOf(ctx, documents[i], part, rows, blamed)
	}, func(i int) error {
		o := outcomes[i]
		outcomes[i] = outcome{}
		a.reading.merge(o.reading)
		if o.err != nil {
			return refused.Take(o.err)
		}
		if o.filter != nil {
			a.warnEmpty(o.filter, documents[i].Name)
		}
		if times != nil && o.filter == nil {
			times.Saved = true
		} else if times != nil {
			for _, session := range o.calls.Sessions() {
				times.Add(session, part.SelectThreads())
			}
		}
		noClass = noClass && o.filter != nil && o.filter.NoClass()
		merged.Add(o.statistics)
		return nil
	})
	if err == nil {
		err = refused.Report(len(documents), a.metadata, a.diagnostics.report)
	}
	if err != nil {
		return nil, err
	}
	statistics := merged.Statistics()
	statistics.Selected = statistics.Selected || !part.IsEverything()
	if noClass {
		statistics.NoClass = part.Classes
	}
	return statistics, nil
}

// statisticsOf returns the statistics of one document, and the filter that selected the part; nil for saved statistics.
func (r *reading) statisticsOf(ctx context.Context, document convert.Document, part selection.Selection,
	rows int, blamed bool) (*contention.Statistics, *selection.Filter, error) {
	head, text, err := document.Open()
	if err != nil {
		return nil, nil, err
	}
	if contention.IsSaved(head) {
		defer text.Close()
		statistics, err := loadStatistics(text, document.Name, part)
		return statistics, nil, err
	}
	collector := contention.NewCollector(document.Name, rows)
	filter := selection.NewFilter(part, collector)
	sink, recorder := collector.Whole(filter.Entrance()), critical.NewRecorderIn("")
	defer recorder.Close() // nothing to lose
	if blamed = blamed && blameSelects(part); blamed {
		sink = trace.Tee(sink, recorder)
		collector.Share(recorder.IdleFinder())
	}
	var workers *pools.Finder
	if blameSelects(part) && part.Threads == nil {
		workers = pools.NewFinder(part.Window)
		sink = trace.Tee(sink, workers)
	}
	if err := r.enriched(ctx, []convert.Document{document.Of(text)}, sink); err != nil {
		return nil, nil, err
	}
	statistics := collector.Statistics()
	if workers != nil {
		statistics.Workers = contention.WorkersOf(workers)
	}
	if !blamed {
		return statistics, filter, nil
	}
	b, err := blame.Of(recorder, blame.Options{Threads: part.Threads, Window: part.Window, WithoutIdle: true})
	if err != nil {
		return nil, nil, err
	}
	statistics.Blame = contention.BlameOf(b)
	return statistics, filter, recorder.Failed()
}

// methodsSelect reports whether methods can select the part, which is by threads and time.
func methodsSelect(part selection.Selection) bool {
	part.Groups = nil
	return blameSelects(part)
}

// blameSelects reports whether blame can select the part, which is by threads and time.
func blameSelects(part selection.Selection) bool {
	part.Threads, part.Window = nil, selection.Window{}
	return part.IsEverything()
}

// loadStatistics loads saved statistics. No part of them can be selected.
func loadStatistics(text io.Reader, name string, part selection.Selection) (*contention.Statistics, error) {
	if !part.IsEverything() {
		return nil, usage(
			"%s has saved statistics; --thread, --class, --since and the like select parts of traces only: name "+
				"the trace", name)
	}
	statistics, err := contention.Load(text)
	if err != nil {
		return nil, &convert.InputError{Document: name, Err: err}
	}
	return statistics, nil
}

// save writes the statistics to a file.
func (env *environment) save(name string, inputs *convert.Inputs, statistics *contention.Statistics) error {
	out, err := env.openOutput(name, &outputFormat{}, inputs, false)
	if err != nil {
		return err
	}
	defer env.close(out)
	if err := statistics.Save(out); err != nil {
		return err
	}
	return env.commit(out)
}
