package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/selection"
)

// viewPrefix is what the names of views begin with.
const viewPrefix = "contention-"

var statsFormats = []string{"text", "json", "csv", "markdown"}

func statsCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "stats",
		Usage: "how long threads were blocked and waited: on what, where, and who held it",
		UsageText: "trcx stats [VIEW] INPUT… [--sort ORDER] [--thread PATTERN] [--class PATTERN] [--format " +
			"text|json|csv|markdown]",
		Description: `INPUT is a trace, or statistics that were saved with --save. Several are combined: threads and monitors of different
inputs are different ones, classes and places in the program are the same where their names are.

VIEW is one of these; without it all tables are shown:
` + viewList() + `
Times in which threads were blocked, waited, joined others and slept are never added up. PATTERN may have * and ?;
a pattern for classes may be written with . or /. TIME is since the trace's start, such as 1.5s, or as the trace has it.

Examples:
   trcx stats app.trcxml
   trcx stats contention-by-site app.trcxml
   trcx stats app.trcxml --thread 'worker-*' --class 'com.acme.*' --min 10ms
   trcx stats app.trcxml --from 1.5s --to 2s --sort blocked.max
   trcx stats app.trcxml --save app.stats.json
   trcx stats *.stats.json --format markdown`,
		Flags: slices.Concat(selectionFlags(onlyFrom, onlyTo), []cli.Flag{
			&cli.StringFlag{Name: "sort", Usage: "sort rows by `ORDER`: " + strings.Join(contention.Orders(), ", ") +
				"; a kind of time may have ." + strings.Join(histogram.Figures, ", ."),
				DefaultText: "what a table is about"},
			&cli.IntFlag{Name: "top", Usage: "show so many rows (`NUMBER`) of a table; 0 for all", Value: defaultTop},
			&cli.StringFlag{Name: "save",
				Usage: "also save the statistics to `FILE`, to be combined with others later"},
			&cli.IntFlag{Name: "max-rows", Usage: "keep at most so many rows (`NUMBER`) of a table apart",
				Value: contention.DefaultRows},
		}, answerFlags(statsFormats...), readingFlags()),
		Action: func(c *cli.Context) error { return env.stats(c) },
	}
}

// defaultTop is how many rows of a table are shown to people.
const defaultTop = 10

// viewList lists the views with what they show.
func viewList() string {
	var b strings.Builder
	for _, view := range contention.Views {
		if view.Name != "" {
			fmt.Fprintf(&b, "   %-22s %s\n", view.Name, view.Summary)
		}
	}
	return b.String()
}

// What --from and --to are for where nothing is converted.
const (
	onlyFrom = "only from this `TIME` on; or, if it is the name of one, the input format"
	onlyTo   = "only before this `TIME`"
)

// selectionFlags choose a part of a trace.
func selectionFlags(from, to string) []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "thread",
			Usage: "only threads whose name or id matches the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "group", Usage: "only threads of groups that match the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "class",
			Usage: "only monitors of classes that match the `PATTERN`; may be repeated"},
		&cli.StringSliceFlag{Name: "from", Usage: from},
		&cli.StringSliceFlag{Name: "to", Usage: to},
		&cli.StringFlag{Name: "min", Usage: "only what took so long (`DURATION`), such as 10ms"},
	}
}

// selectionText are the flags of selectionFlags that were given, as a person would write them.
func selectionText(c *cli.Context) string {
	var given []string
	for _, flag := range selectionFlags("", "") {
		name := flag.Names()[0]
		values := []string{c.String(name)}
		if _, several := flag.(*cli.StringSliceFlag); several {
			values = c.StringSlice(name)
		}
		for _, value := range values {
			if value != "" {
				given = append(given, "--"+name+" "+value)
			}
		}
	}
	return strings.Join(given, " ")
}

// selected reads the flags of selectionFlags. What --from and --to have that is no time is the name of a format.
func selected(c *cli.Context) (s selection.Selection, from, to string, err error) {
	s.Threads, s.Groups, s.Classes = c.StringSlice("thread"), c.StringSlice("group"), c.StringSlice("class")
	if from, err = momentOrFormat(c, "from", &s.From); err != nil {
		return s, "", "", err
	}
	if to, err = momentOrFormat(c, "to", &s.To); err != nil {
		return s, "", "", err
	}
	if text := c.String("min"); text != "" {
		least, err := time.ParseDuration(text)
		if err != nil || least < 0 {
			return s, "", "", usage("%s: --min %s is no length of time; write one such as 10ms or 1.5s", c.Command.Name,
				text)
		}
		s.Min = int64(least)
	}
	if s.From.NotBefore(s.To) {
		return s, "", "", usage("%s: --from is not before --to, so nothing is left", c.Command.Name)
	}
	return s, from, to, nil
}

// momentOrFormat reads a flag that may be given twice: with a time, and with the name of a format.
func momentOrFormat(c *cli.Context, flag string, moment *selection.Moment) (format string, err error) {
	for _, text := range c.StringSlice(flag) {
		switch {
		case selection.LooksLikeMoment(text):
			if moment.Known() {
				return "", usage("%s: --%s has two times; give it one", c.Command.Name, flag)
			}
			if *moment, err = selection.ParseMoment(text); err != nil {
				return "", usage("%s: --%s: %v", c.Command.Name, flag, err)
			}
		case format != "":
			return "", usage("%s: --%s has two formats, %s and %s; give it one", c.Command.Name, flag, format, text)
		case text == "":
			return "", usage("%s: the value of --%s is empty", c.Command.Name, flag)
		default:
			format = text
		}
	}
	return format, nil
}

func (env *environment) stats(c *cli.Context) error {
	view, names, err := chooseView(c.Args().Slice())
	if err != nil {
		return err
	}
	part, from, to, err := selected(c)
	if err != nil {
		return err
	}
	order := contention.Order{By: c.String("sort"), Top: c.Int("top")}
	switch {
	case to != "":
		return usage("stats: --to %s is no time; write one such as 1.5s", to)
	case order.Top < 0:
		return usage("stats: --top must be a number from 0 on")
	case c.Int("max-rows") < 1:
		return usage("stats: --max-rows must be a number above 0")
	}
	if err := contention.CheckOrder(order.By); err != nil {
		return usage("stats: --sort: %v", err)
	}
	if err := noEmptyFlags(c, "save", "sort"); err != nil {
		return err
	}
	if c.IsSet("save") && filepath.Clean(c.String("save")) == filepath.Clean(c.String("output")) {
		return usage("stats: %s is the name of the answer and of the saved statistics; give them two names",
			c.String("save"))
	}
	return env.analyse(c, names, from, statsFormats, func(ctx context.Context, a *analysis) (answer, error) {
		statistics, err := a.statistics(ctx, a.inputs.Documents, part, c.Int("max-rows"))
		if err != nil {
			return nil, err
		}
		if name := c.String("save"); name != "" {
			if err := env.save(c, name, a.inputs, statistics); err != nil {
				return nil, err
			}
		}
		return func(out io.Writer) error { return printStatistics(out, statistics, a.format, view, order) }, nil
	})
}

// chooseView takes the view off the arguments. A file of such a name is named with its folder: ./contention-by-site.
func chooseView(args []string) (contention.View, []string, error) {
	at := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, viewPrefix) })
	if at < 0 {
		return contention.Views[0], args, nil
	}
	var known []string
	for _, view := range contention.Views {
		if view.Name == args[at] {
			return view, slices.Delete(slices.Clone(args), at, at+1), nil
		}
		known = append(known, view.Name)
	}
	return contention.View{}, nil, usage("stats: there is no view %q; trcx has %s", args[at],
		strings.Join(known[1:], ", "))
}

// statistics are those of all documents: each is a trace of its own, or saved statistics.
func (a *analysis) statistics(ctx context.Context, documents []convert.Document, part selection.Selection,
	rows int) (*contention.Statistics, error) {
	merged := contention.NewMerged(rows)
	for _, document := range documents {
		statistics, err := a.statisticsOf(ctx, document, part, rows)
		if err != nil {
			return nil, err
		}
		merged.Add(statistics)
	}
	return &merged.Statistics, nil
}

// statisticsOf are those of one document.
func (a *analysis) statisticsOf(ctx context.Context, document convert.Document, part selection.Selection,
	rows int) (*contention.Statistics, error) {
	head, text, err := document.Open()
	if err != nil {
		return nil, err
	}
	if contention.IsSaved(head) {
		defer text.Close()
		return loadStatistics(text, document.Name, part)
	}
	collector := contention.NewCollector(document.Name, rows)
	filter := selection.NewFilter(part, collector)
	if err := a.enriched(ctx, []convert.Document{document.Of(text)}, enrich.CallersOnly,
		filter.Entrance()); err != nil {
		return nil, err
	}
	a.warnEmpty(filter, document.Name)
	return collector.Statistics(), nil
}

// loadStatistics loads saved statistics, of which no part can be selected any more.
func loadStatistics(text io.Reader, name string, part selection.Selection) (*contention.Statistics, error) {
	if !part.IsEverything() {
		return nil,
			usage(
				"%s has saved statistics, of which --thread, --class, --from and the like can select no part; name "+
					"the trace", name)
	}
	statistics, err := contention.Load(text)
	if err != nil {
		return nil, &convert.InputError{Document: name, Err: err}
	}
	return statistics, nil
}

// save saves statistics in a file of the name.
func (env *environment) save(c *cli.Context, name string, inputs *convert.Inputs,
	statistics *contention.Statistics) error {
	out, err := env.openOutput(c.Command.Name, name, &outputFormat{}, inputs, false)
	if err != nil {
		return err
	}
	defer env.close(out)
	if err := statistics.Save(out); err != nil {
		return err
	}
	return env.commit(out)
}

// printStatistics prints the tables of the view.
func printStatistics(out io.Writer, s *contention.Statistics, format string, view contention.View,
	order contention.Order) error {
	switch format {
	case "json":
		s.Sort(order.By)
		return s.WriteJSON(out, view)
	case "csv":
		s.Sort(order.By)
		return s.WriteCSV(out, view)
	}
	if format == "markdown" {
		return s.WriteMarkdown(out, view, order)
	}
	return s.WriteText(out, view, order)
}
