package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/heap"
	"github.com/trcx/trcx/internal/phrase"
)

var heapFormats = []string{"text", "json", "csv", "markdown", "histogram"}

func heapCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "heap",
		Usage: "what a heap dump holds, and what keeps it there",
		UsageText: "trcx heap INPUT [--dominators[=CLASS]] [--retained-by-class] [--path OBJECT] [--incoming OBJECT] " +
			"[--outgoing OBJECT]",
		Description: `Without another question it lists the objects of each class, as jmap -histo does. INPUT is a heap dump (HPROF), or a trace
that has one.

--dominators shows the objects that retain most: what would become unreachable without them. With a pattern for classes, with
* and ?, it shows those of these classes only. --retained-by-class sums that up for the objects of each class: what at least
one of them retains.

--path shows the shortest way from a root to an object; --incoming what refers to it, --outgoing what it refers to. OBJECT is
an id in the dump, in decimal as other commands print it, or in hexadecimal with 0x.

The referents of weak, soft, phantom and final references are not kept by them, unless --weak says so.

Examples:
   trcx heap app.hprof
   trcx heap app.hprof --dominators
   trcx heap app.hprof --dominators='com.acme.*' --top 5
   trcx heap app.hprof --path 0x20
   trcx heap app.hprof --format histogram | head`,
		Flags: slices.Concat([]cli.Flag{
			&cli.GenericFlag{Name: "dominators", Value: &optionalClass{},
				Usage: "show the objects that retain most, of all classes or of those that match the pattern `CLASS`"},
			&cli.BoolFlag{Name: "retained-by-class", Usage: "show what the objects of each class retain"},
			&cli.StringFlag{Name: "path", Usage: "show the shortest way from a root to the `OBJECT`"},
			&cli.StringFlag{Name: "incoming", Usage: "show what refers to the `OBJECT`"},
			&cli.StringFlag{Name: "outgoing", Usage: "show what the `OBJECT` refers to"},
			&cli.BoolFlag{Name: "weak", Usage: "weak, soft, phantom and final references keep objects like others"},
			atLeast(0, &cli.IntFlag{Name: "top", Usage: "show so many rows (`NUMBER`) of a table; 0 for all",
				Value: heapTop}),
			&cli.BoolFlag{Name: "all", Usage: "show all rows"},
		}, answerFlags(heapFormats...), []cli.Flag{fromFlag()}, readingFlags()),
		Action: func(c *cli.Context) error {
			question, err := newHeapQuestion(c)
			if err != nil {
				return err
			}
			return env.analyse(c, c.Args().Slice(), c.String("from"), heapFormats,
				func(ctx context.Context, a *analysis) (answer, error) { return a.heap(ctx, question, c.Bool("weak")) })
		},
	}
}

// heapTop is the default limit of rows.
const heapTop = 20

// optionalClass is the value of a flag that may have a pattern for classes.
type optionalClass struct {
	set     bool
	pattern string
}

// IsBoolFlag makes the flag one that needs no value.
func (o *optionalClass) IsBoolFlag() bool { return true }

func (o *optionalClass) String() string {
	if o == nil {
		return ""
	}
	return o.pattern
}

// Set sets the pattern; the flag without a value is set to "true".
func (o *optionalClass) Set(value string) error {
	if o.set = true; value != "true" {
		o.pattern = value
	}
	return nil
}

func newHeapQuestion(c *cli.Context) (q heap.Question, err error) {
	if err := oneInput(c); err != nil {
		return q, err
	}
	q = heap.Question{RetainedByClass: c.Bool("retained-by-class"), Top: c.Int("top")}
	if c.Bool("all") {
		q.Top = 0
	}
	if of, ok := c.Generic("dominators").(*optionalClass); ok && of.set {
		q.Dominators, q.OfClass = true, of.pattern
	}
	for name, object := range map[string]**uint64{"path": &q.Path, "incoming": &q.Incoming, "outgoing": &q.Outgoing} {
		if text := c.String(name); text != "" {
			id, err := strconv.ParseUint(text, 0, 64)
			if err != nil {
				return q, usage("--%s: invalid value %q: want the id of an object, in decimal or with 0x", name, text)
			}
			*object = &id
		}
	}
	return q, nil
}

// heap reads the input's dump and answers the question.
func (a *analysis) heap(ctx context.Context, q heap.Question, weak bool) (answer, error) {
	collector := &heap.Collector{}
	if err := a.read(ctx, a.inputs.Documents, collector); err != nil {
		return nil, err
	}
	if collector.Dumps == 0 {
		return nil, usage("the input has no heap dump; jcmd PID GC.heap_dump FILE writes one")
	}
	graph, err := collector.Graph(weak)
	if err != nil {
		return nil, err
	}
	var remarks []string
	if collector.Dumps > 1 {
		remarks = append(remarks, "The input has "+phrase.Count(collector.Dumps, "dump")+"; this is the last one.")
	}
	if collector.Truncated {
		remarks = append(remarks, "The dump is cut off: objects and references are missing.")
	}
	report, err := heap.NewReport(graph, q, remarks...)
	var unknown *heap.UnknownObject
	if errors.As(err, &unknown) {
		return nil, usage("%v", unknown)
	}
	if err != nil {
		return nil, err
	}
	return answer{
		"json":      func(out io.Writer) error { return report.WriteJSON(out) },
		"csv":       func(out io.Writer) error { return report.WriteCSV(out) },
		"markdown":  func(out io.Writer) error { return report.WriteMarkdown(out) },
		"text":      func(out io.Writer) error { return report.WriteText(out) },
		"histogram": func(out io.Writer) error { return report.WriteHistogram(out) },
	}, nil
}
