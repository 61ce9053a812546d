package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/diff"
	"github.com/trcx/trcx/analyze/heap"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/emit/collapsed"
	"github.com/trcx/trcx/emit/pprof"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

var heapFormats = append(slices.Clone(answerFormats), "histogram", "collapsed", "pprof")

// heapQuestion is the command line of heap.
type heapQuestion struct {
	dump    heap.Question // about a dump
	weak    bool
	options allocation.Options // about recorded allocations
	view    allocation.View
	// asksGrowth reports that a flag asks for growth, rather than only a window.
	asksGrowth bool
	// ofDump and ofAllocations are the first flag that only a dump, or only allocations, can answer; "" for none.
	ofDump, ofAllocations string
}

// dumpFlags and allocationFlags are the flags that ofDump and ofAllocations are about.
var (
	dumpFlags = []string{"dominators", "retained-by-class", "path", "incoming", "outgoing", "weak",
		"duplicates", "fill"}
	allocationFlags = []string{"by", "callers", "growth", "last", "since", "until"}
)

func heapCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:  "heap",
		Usage: "what a heap dump holds and what keeps it there; what a trace allocates, and what grows",
		UsageText: "trcx heap INPUT [HEAD] [--dominators[=CLASS]] [--retained-by-class] [--path OBJECT] " +
			"[--incoming OBJECT] " +
			"[--outgoing OBJECT] [--by site|class|package|thread|method] [--callers] [--growth] [--duplicates] [--fill]",
		Description: `Without another question it lists the objects of each class, as jmap -histo does. INPUT is a heap dump (HPROF), or a trace
that has one or has recorded allocations.

--dominators shows the objects that retain most, with what they dominate below them: what would become unreachable without
them. With a pattern for classes, with * and ?, it shows only objects of these classes. --retained-by-class shows for each
class what at least one of its objects retains.

--path shows the shortest way from a root to an object; --incoming what refers to it, --outgoing what it refers to. OBJECT is
an id in the dump, in decimal as other commands print it, or in hexadecimal with 0x.

--duplicates shows equal strings and arrays, with the beginning of their content; --fill how full hash tables, lists and other
arrays are. Both need a binary dump.

The referents of weak, soft, phantom and final references are not kept by them, unless --weak says so.

Allocations are recorded in a trace, in the Flight Recorder's samples, or in HPROF's table SITES: what was allocated, what
was freed, and what lives. --by groups them; a site is a class and the program's own call; --callers adds call
stacks. The formats pprof and collapsed have each call stack. --growth compares the live objects at the first and the last full
collection of the window, and lists what grew over each of the last --last ones.

Two inputs, base and head, are compared by what lives: dumps by class, recorded allocations by --by.

Examples:
   trcx heap app.hprof
   trcx heap app.hprof --dominators
   trcx heap app.hprof --dominators='com.acme.*' --top 5
   trcx heap app.hprof --path 0x20
   trcx heap app.hprof --format histogram | head
   trcx heap docs/testdata/allocations.trcxml --by site --callers
   trcx heap docs/testdata/allocations.trcxml --growth --since 100ms
   trcx heap docs/testdata/allocations.trcxml -o allocations.pb.gz
   trcx heap app.hprof docs/testdata/heap.trcxml`,
		Flags: slices.Concat(heapFlags(), windowFlags(), answerFlags(heapFormats), []cli.Flag{fromFlag()},
			readingFlags()),
		Action: func(c *cli.Context) error {
			question, err := newHeapQuestion(c)
			if err != nil {
				return err
			}
			if c.NArg() == 2 {
				return env.compareHeaps(c, question)
			}
			return env.analyse(c, c.Args().Slice(), c.String("from"), heapFormats,
				func(ctx context.Context, a *analysis) (*answer.Answer, error) { return a.heap(ctx, question) })
		},
	}
}

// heapFlags are the flags of questions about dumps and allocations.
func heapFlags() []cli.Flag {
	return []cli.Flag{
		&cli.GenericFlag{Name: "dominators", Value: new(optionalText),
			Usage: "show the objects that retain most, of all classes or of those that match the pattern `CLASS`"},
		&cli.BoolFlag{Name: "retained-by-class", Usage: "show what the objects of each class retain"},
		&cli.StringFlag{Name: "path", Usage: "show the shortest way from a root to the `OBJECT`"},
		&cli.StringFlag{Name: "incoming", Usage: "show what refers to the `OBJECT`"},
		&cli.StringFlag{Name: "outgoing", Usage: "show what the `OBJECT` refers to"},
		&cli.BoolFlag{Name: "weak", Usage: "weak, soft, phantom and final references keep objects like others"},
		&cli.BoolFlag{Name: "duplicates", Usage: "show equal strings and arrays, and what they waste"},
		&cli.BoolFlag{Name: "fill", Usage: "show how full hash tables, lists and arrays are"},
		choice(&cli.StringFlag{Name: "by", Usage: "sum up recorded allocations by `WHAT`",
			DefaultText: string(allocation.Classes)}, allocation.Groupings()),
		&cli.BoolFlag{Name: "callers", Usage: "show the call stacks that allocate most"},
		&cli.BoolFlag{Name: "growth", Usage: "show how live objects change from one full collection to another"},
		atLeast(1,
			&cli.IntFlag{Name: "last", Usage: "suspect what grew over each of the last `NUMBER` full collections",
				Value: allocation.DefaultLast}),
		atLeast(0, &cli.IntFlag{Name: "top", Aliases: []string{"n"}, Usage: "show `NUMBER` rows of each table; 0 for all",
			Value: heapTop}),
		&cli.BoolFlag{Name: "all", Usage: "show all rows"},
	}
}

// heapTop is the default number of rows.
const heapTop = 20

func newHeapQuestion(c *cli.Context) (q *heapQuestion, err error) {
	if c.NArg() > 2 {
		return nil, usage("want one input, or two to compare: base and head")
	}
	q = &heapQuestion{dump: heap.Question{RetainedByClass: c.Bool("retained-by-class"),
		SeeWeak: " With --weak they do.", Top: c.Int("top"), Duplicates: c.Bool("duplicates"), Fill: c.Bool("fill")},
		weak: c.Bool("weak"), asksGrowth: c.Bool("growth") || c.IsSet("last"), options: allocation.Options{Last: c.Int("last")},
		ofDump: firstSet(c, dumpFlags), ofAllocations: firstSet(c, allocationFlags)}
	if c.Bool("all") {
		q.dump.Top = 0
	}
	if q.ofDump != "" && q.ofAllocations != "" {
		return nil, usage("--%s is about a heap dump and --%s about recorded allocations; ask for one of them",
			q.ofDump, q.ofAllocations)
	}
	if q.options.Window, err = parseWindow(c); err != nil {
		return nil, err
	}
	q.view = allocation.View{By: allocation.Grouping(cmp.Or(c.String("by"), string(allocation.Classes))),
		Callers: c.Bool("callers"), Top: q.dump.Top, Growth: q.asksGrowth || !q.options.Window.IsEverything()}
	if q.dump.Dominators = c.IsSet("dominators"); q.dump.Dominators {
		q.dump.OfClass = optionalOf(c, "dominators", "")
	}
	for name, object := range map[string]**uint64{"path": &q.dump.Path, "incoming": &q.dump.Incoming,
		"outgoing": &q.dump.Outgoing} {
		if text := c.String(name); text != "" {
			id, err := strconv.ParseUint(text, 0, 64)
			if err != nil {
				return nil, usage("--%s: invalid value %q: want the id of an object, in decimal or with 0x", name, text)
			}
			*object = &id
		}
	}
	return q, nil
}

// firstSet returns the first of the flags that is set, or "".
func firstSet(c *cli.Context, names []string) string {
	for _, name := range names {
		if c.IsSet(name) {
			return name
		}
	}
	return ""
}

// heapSink is a sink of dumps and of recorded allocations.
type heapSink struct {
	*heap.Collector
	enricher    convert.Sink // of all elements that do not belong to dumps
	allocations *allocation.Collector
	sampled     bool // the recorder took samples of allocations
}

func newHeapSink(o allocation.Options) *heapSink {
	allocations := allocation.NewCollector(o)
	return &heapSink{Collector: &heap.Collector{}, allocations: allocations,
		enricher: enrich.New(allocations, enrich.Options{NoActivities: true, Allocations: true})}
}

// Begin begins a recording.
func (s *heapSink) Begin(session int) error {
	return errors.Join(s.Collector.Begin(session), s.enricher.Begin(session))
}

// Put consumes an event.
func (s *heapSink) Put(e *trace.Event) error {
	switch e.Kind {
	case trace.HeapDumpDef, trace.ClassDef:
		if err := s.Collector.Put(e); err != nil {
			return err
		}
	case trace.ObjReference, trace.ObjectReference, trace.GCRoot:
		return s.Collector.Put(e)
	case trace.Option:
		s.sampled = s.sampled || e.Text(trace.AttrKey) == "heap" && e.Text(trace.AttrValue) == "sampled"
	case trace.ObjAlloc:
		if s.InDump(e) {
			return s.Collector.Put(e)
		}
	}
	return s.enricher.Put(e)
}

// End ends a recording.
func (s *heapSink) End(ending trace.Ending) error {
	return errors.Join(s.Collector.End(ending), s.enricher.End(ending))
}

// Finish comes after the last recording.
func (s *heapSink) Finish() error { return errors.Join(s.Collector.Finish(), s.enricher.Finish()) }

// contentSink is a heapSink that also consumes what arrays and containers hold.
type contentSink struct {
	*heapSink
	*heap.Contents
}

// Put consumes an event. Contents belong to the last dump.
func (s *contentSink) Put(e *trace.Event) error {
	if e.Kind == trace.HeapDumpDef {
		s.Reset()
	}
	return s.heapSink.Put(e)
}

// heap reads the input and answers the question. That is about allocations if the flags say so or there is no dump.
func (a *analysis) heap(ctx context.Context, q *heapQuestion) (*answer.Answer, error) {
	a.diagnostics.heap = true
	sink, contents := newHeapSink(q.options), &heap.Contents{}
	var reads convert.Sink = sink
	if q.dump.Duplicates || q.dump.Fill {
		reads = &contentSink{sink, contents}
	}
	if err := a.read(ctx, a.inputs.Documents, reads); err != nil {
		return nil, err
	}
	has := sink.allocations.HasAllocations()
	switch {
	case sink.Dumps == 0 && !has && sink.sampled:
		return nil, usage("the trace has no sample of an allocation: the program allocated too little while it was recorded; " +
			"trcx record --heap=full records each object")
	case sink.Dumps == 0 && !has:
		return nil, usage("the input has no heap dump and no recorded allocations; trcx dump PID writes a dump, trcx record " +
			"--heap records allocations")
	case sink.Dumps == 0 && q.ofDump != "":
		return nil, usage("--%s needs a heap dump; the input has recorded allocations only", q.ofDump)
	case !has && q.ofAllocations != "":
		return nil, usage("--%s needs recorded allocations; the input has a heap dump only", q.ofAllocations)
	case !has && (a.format == "collapsed" || a.format == "pprof"):
		return nil, usage("%s needs recorded allocations; the input has a heap dump only", a.format)
	case has && q.asksGrowth && !sink.allocations.Facts().HasFrees():
		return nil, usage("--growth needs to know when objects were freed, which the input does not report")
	case sink.Dumps == 0 || q.ofAllocations != "" || a.format == "collapsed" || a.format == "pprof":
		q.view.Growth = q.view.Growth && sink.allocations.Facts().HasFrees()
		return a.allocations(sink.allocations, q.view), nil
	}
	return a.dumped(sink.Collector, contents, q)
}

// allocations answers a question about recorded allocations.
func (a *analysis) allocations(c *allocation.Collector, view allocation.View) *answer.Answer {
	a.others = map[string]func(io.Writer) error{
		"histogram": func(out io.Writer) error { return answers.WriteHistogram(out, c.Histogram()) },
		"collapsed": func(out io.Writer) error { return collapsed.WriteAllocations(out, c.Samples()) },
		"pprof":     func(out io.Writer) error { return pprof.WriteAllocations(out, c) },
	}
	return c.Answer(view)
}

// dumped answers a question about a dump.
func (a *analysis) dumped(collector *heap.Collector, contents *heap.Contents, q *heapQuestion) (*answer.Answer, error) {
	if (q.dump.Duplicates || q.dump.Fill) && contents.Arrays() == 0 {
		return nil, usage("--%s needs the values of arrays, which only binary heap dumps (HPROF) have", q.ofDump)
	}
	graph, err := collector.Graph(q.weak)
	if err != nil {
		return nil, err
	}
	report, err := heap.NewReport(graph, q.dump, dumpRemarks(collector)...)
	if unknown, ok := errors.AsType[*heap.UnknownObject](err); ok {
		return nil, usage("%v", unknown)
	}
	if err != nil {
		return nil, err
	}
	report.SetContents(contents, collector.ClassName)
	a.others = map[string]func(io.Writer) error{
		"histogram": func(out io.Writer) error { return answers.WriteHistogram(out, report.Histogram()) },
	}
	return report.Answer(), nil
}

// dumpRemarks returns what a reader must know about the dump.
func dumpRemarks(c *heap.Collector) (remarks []string) {
	if c.Dumps > 1 {
		remarks = append(remarks, "The input has "+phrase.Count(c.Dumps, "dump")+"; this is the last one.")
	}
	if c.Truncated {
		remarks = append(remarks, "The dump is cut off: objects and references are missing.")
	}
	return remarks
}

// compareHeaps compares the live objects of two inputs: of their dumps, or at the end of their recorded allocations.
func (env *environment) compareHeaps(c *cli.Context, q *heapQuestion) error {
	switch q.ofDump {
	case "":
	case "dominators":
		return usage("--dominators is about one heap dump, not two; a pattern for classes follows =: --dominators='app.*'")
	default:
		return usage("--%s is about one heap dump, not two", q.ofDump)
	}
	return env.analyse(c, c.Args().Slice(), c.String("from"), answerFormats,
		func(ctx context.Context, a *analysis) (*answer.Answer, error) {
			var sides [2][]diff.Live
			var inputs [2][]convert.Document
			for _, document := range a.inputs.Documents {
				inputs[document.Input] = append(inputs[document.Input], document)
			}
			var dumps [2]bool
			for i, documents := range inputs {
				var err error
				if sides[i], dumps[i], err = a.live(ctx, documents, q); err != nil {
					return nil, err
				}
			}
			if dumps[0] != dumps[1] {
				return nil,
					usage("one input is a heap dump and the other has recorded allocations; these cannot be compared")
			}
			return diff.CompareHeaps(string(q.view.By), sides[0], sides[1]).Answer(
				diff.Options{All: c.Bool("all"), SeeAll: seeAll, Top: q.view.Top}), nil
		})
}

// live returns the live objects of a dump, or else at the end of recorded allocations.
func (a *analysis) live(ctx context.Context, documents []convert.Document, q *heapQuestion) (live []diff.Live,
	dump bool,
	err error) {
	sink := newHeapSink(q.options)
	sink.ClassesOnly = true
	if err := a.read(ctx, documents, sink); err != nil {
		return nil, false, err
	}
	switch {
	case sink.Dumps > 0 && q.ofAllocations == "":
		live, err = liveInDump(sink.Collector)
		return live, true, err
	case !sink.allocations.Facts().Followed:
		return nil, false, usage("%s has no heap dump, and no allocations whose objects are followed",
			documents[0].Name)
	}
	for _, row := range sink.allocations.Rows(q.view.By) {
		if row.Live.Seen > 0 {
			live = append(live, diff.Live{Title: row.Title, Place: row.Place, Count: uint64(math.Round(row.Live.Count)),
				Bytes: uint64(math.Round(row.Live.Bytes))})
		}
	}
	return live, false, nil
}
