package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/emit/collapsed"
	"github.com/trcx/trcx/emit/csv"
	"github.com/trcx/trcx/emit/dot"
	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/emit/monlog"
	"github.com/trcx/trcx/emit/perfetto"
	"github.com/trcx/trcx/emit/picture"
	"github.com/trcx/trcx/emit/pprof"
	"github.com/trcx/trcx/emit/switchlog"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// outputFormat is a format of convert and report.
type outputFormat struct {
	name, ending, summary string
	// archives is set if several recordings become a zip.
	archives bool
	// gzipped is set if the format is itself compressed.
	gzipped bool
	// private is set if only the owner may read a new file, whatever the umask.
	private bool
	// opaque is set if people cannot read the format in a terminal: it is binary, or a page.
	opaque bool
	// selects is set if a part of the trace can be selected.
	selects bool
	// tables are the names of an output's files, if it has several. Each is inserted before the ending. The table ""
	// has the name of the output.
	tables []string
	// zipped is set if the files can be entries of one zip, since they are written one after the other.
	zipped bool
	// sink returns the writer of the output.
	sink func(conversion) (*writing, error)
}

// outputFormats are all formats. If several have the same name, the first one is for files with other endings.
var outputFormats = []outputFormat{
	{name: "trcxml", ending: ".trcxml", summary: "a trace that TPTP loads", archives: true, sink: trcxmlSink},
	{name: "json", ending: ".json", summary: "the model with all computed interactions", sink: groupedSink},
	{name: "jsonl", ending: ".jsonl", summary: "the model as a stream of lines", sink: linesSink},
	{name: "perfetto", ending: ".trace.json", summary: "Trace Event JSON, for Perfetto, speedscope, chrome://tracing",
		selects: true, sink: perfettoSink(perfetto.JSON)},
	{name: "perfetto", ending: ".pftrace", summary: "the same for Perfetto, as protobuf: smaller, for large traces",
		opaque: true, selects: true, sink: perfettoSink(perfetto.Protobuf)},
	{name: "pprof", ending: ".pb.gz", summary: "a contention profile, for go tool pprof", gzipped: true, opaque: true,
		selects: true, sink: pprofSink},
	{name: "collapsed", ending: ".collapsed", summary: "call stacks with times, for flame graphs", selects: true,
		sink: collapsedSink},
	{name: "dot", ending: ".dot", summary: "the graph of who waits for whom, for graphviz", selects: true,
		sink: dotSink},
	{name: "csv", ending: ".csv",
		summary: "three tables for spreadsheets: NAME.events.csv, NAME.interactions.csv, NAME.statistics.csv",
		selects: true,
		tables:  []string{"events", "interactions", "statistics"}, sink: csvSink},
	{name: "monlog", ending: ".monlog", summary: "a JVMTI monitor log, with its metadata in NAME.meta.monlog",
		tables: []string{"", "meta"}, zipped: true, sink: monlogSink},
	{name: "switchlog", ending: ".switchlog",
		summary: "thread switches: who starts, wakes and waits for whom, and how long each was active",
		sink:    switchlogSink},
	{name: "html", ending: ".html", summary: "a page that shows the trace in a browser; trcx report has flags for it",
		opaque: true, selects: true, sink: shownSink(writePage, true)},
	{name: "svg", ending: ".svg", summary: "a picture of the timeline", selects: true,
		sink: shownSink(writePicture(picture.SVG), false)},
	{name: "png", ending: ".png", summary: "the same picture as PNG", opaque: true, selects: true,
		sink: shownSink(writePicture(picture.PNG), false)},
}

// formatNames are the names of the formats, each once.
func formatNames() (names []string) {
	for _, f := range outputFormats {
		if !slices.Contains(names, f.name) {
			names = append(names, f.name)
		}
	}
	return names
}

// formatList lists the formats with their endings.
func formatList() string {
	var b strings.Builder
	for _, f := range outputFormats {
		fmt.Fprintf(&b, "   %-9s  %-11s  %s\n", f.name, f.ending, f.summary)
	}
	return b.String()
}

// isZipped reports whether an output of this name is a zip of the format's files.
func (f *outputFormat) isZipped(name string) bool { return f.zipped && filepath.Ext(name) == ".zip" }

// chooseFormat returns the format of --to, or else the format for the ending of the output's name.
func chooseFormat(to, file string) (*outputFormat, error) {
	var named *outputFormat
	for i := range outputFormats {
		f := &outputFormats[i]
		if (to == "" || to == f.name) && f.fits(file) {
			return f, nil
		}
		if to == f.name && named == nil {
			named = f
		}
	}
	switch {
	case named != nil:
		return named, nil
	case to != "":
		return nil, checkChoice("--to", to, formatNames())
	case filepath.Ext(uncompressedName(file)) != "":
		return nil, usage("the ending of %s names no format; add --to with one of %s", file,
			strings.Join(formatNames(), ", "))
	}
	return chooseFormat("json", "")
}

// fits reports whether the file's ending is one of the format.
func (f *outputFormat) fits(file string) bool {
	file = strings.ToLower(file)
	if f.gzipped {
		return strings.HasSuffix(file, f.ending)
	}
	name := uncompressedName(file)
	return strings.HasSuffix(name, f.ending) && !(f.name == "json" && strings.HasSuffix(name, ".trace.json"))
}

// convertOptions are the options of an output, from the flags of convert and report.
type convertOptions struct {
	format    *outputFormat
	part      selection.Selection
	selection string // the flags that select the part; "" without any
	states    stackprofile.States
	counts    bool
	normal    bool // trcxml gets TPTP's form
	strict    bool
	key       []byte // of --anonymize; nil without it
	picture   picture.Options
	skips     func(*trace.ModelMethod) bool      // of enrich.Options
	frames    int                                // of enrich.Options
	most      int                                // limit of a page's intervals and events; 0 for the default
	baseName  string                             // of --base of a page
	base      func() (*methods.Collector, error) // reads the run that a page compares; nil for none
}

// parseConvertFlags reads the flags of convert.
func parseConvertFlags(c *cli.Context) (o convertOptions, err error) {
	part, err := parseSelection(c)
	if err != nil {
		return o, err
	}
	o = convertOptions{
		part: part, selection: partText(c, part), counts: c.Bool("counts"), normal: c.Bool("normalize"),
		strict: c.Bool("strict"), skips: skips(c),
	}
	if o.key, err = anonymizeKey(c); err != nil {
		return o, err
	}
	if o.format, err = chooseFormat(c.String("to"), c.String("output")); err != nil {
		return o, err
	}
	if o.states, err = stackprofile.ParseStates(c.String("states")); err != nil {
		return o, usage("--states: %v", err)
	}
	if c.IsSet("blame") {
		return o, usage("convert has no --blame: trcx blame --format pprof or --format collapsed shows who kept threads " +
			"waiting")
	}
	return o, o.check(c)
}

// keySize is the length of a random key in bytes.
const keySize = 32

// anonymizeKey returns the key of --anonymize, or nil without it.
func anonymizeKey(c *cli.Context) ([]byte, error) {
	name := c.String("anonymize-key")
	switch {
	case !c.Bool("anonymize") && name != "":
		return nil, usage("--anonymize-key is for --anonymize; add that")
	case !c.Bool("anonymize"):
		return nil, nil
	case name == "":
		key := make([]byte, keySize)
		rand.Read(key) // never fails
		return key, nil
	}
	key, err := os.ReadFile(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", name, bare(err))
	case len(key) == 0:
		return nil, usage("--anonymize-key: %s is empty", name)
	}
	return key, nil
}

// traceName returns the trace's name in the output.
func (o convertOptions) traceName(input string) string {
	if o.key != nil {
		return "trace"
	}
	return input
}

// partText returns the flags that select the part, or "" for the whole trace.
func partText(c *cli.Context, part selection.Selection) string {
	if part.IsEverything() {
		return ""
	}
	return selectionText(c)
}

// check returns the error for a flag that the format does not support.
func (o convertOptions) check(flags *cli.Context) error {
	name := o.format.name
	if !o.part.IsEverything() && !o.format.selects {
		return usage("%s is always of the whole trace; convert selects a part for perfetto, pprof, collapsed, dot and csv, "+
			"and stats, path, blame and report have flags of their own for it", name)
	}
	profile := name == "pprof" || name == "collapsed"
	if flags.IsSet("states") && !profile {
		return usage("--states is for pprof and collapsed, not for %s", name)
	}
	if o.normal && name != "trcxml" {
		return usage("--normalize is for trcxml, not for %s", name)
	}
	if o.counts && name != "collapsed" {
		return usage("--counts is for collapsed; a pprof profile always has both counts and times")
	}
	return nil
}

// conversion is the task of a sink: open inputs and outputs, and the options.
type conversion struct {
	convertOptions
	inputs *convert.Inputs
	name   string                      // the first input, as the user wrote it
	out    []*outputFile               // one for each table, if the format has several
	errors func() int                  // returns the number of errors so far
	stage  func(trace.Sink) trace.Sink // of the reading
}

// writing is a sink with the steps that end the output.
type writing struct {
	sink   convert.Sink
	done   func() error      // ends the output; may be nil
	advice func() string     // returns a remark on the output after done, or ""; may be nil
	filter *selection.Filter // nil if the format has no parts
}

// end ends the output.
func (w *writing) end() error {
	if w.done == nil {
		return nil
	}
	return w.done()
}

func linesSink(c conversion) (*writing, error) {
	lines := model.NewWriter(c.out[0], model.Options{Format: model.JSONLines})
	return &writing{sink: enrich.New(c.stage(lines), enrich.Options{NoActivities: true})}, nil
}

func groupedSink(c conversion) (*writing, error) {
	grouped := model.NewWriter(c.out[0], model.Options{})
	return &writing{sink: enrich.New(c.stage(grouped), enrich.Options{NoActivities: true}), done: grouped.Close}, nil
}

// trcxmlSink writes one document, or a zip of documents if there are several inputs.
func trcxmlSink(c conversion) (*writing, error) {
	if len(c.inputs.Documents) == 1 {
		return &writing{sink: emit.NewWriter(c.out[0], emit.Options{})}, nil
	}
	if c.out[0].stdout {
		return nil, usage("%d recordings as trcxml become a zip of documents; name a file for it with -o",
			len(c.inputs.Documents))
	}
	return &writing{sink: emit.NewWriter(c.out[0], emit.Options{Archive: true})}, nil
}

// selected returns an enricher for a sink of the selected part of the trace, and for sinks of the whole trace.
func (c conversion) selected(calls enrich.Calls, sink trace.Sink, whole ...trace.Sink) *writing {
	enricher, filter := c.enricher(calls, sink, whole...)
	return &writing{sink: enricher, filter: filter}
}

func (c conversion) enricher(calls enrich.Calls, sink trace.Sink, whole ...trace.Sink) (convert.Counter,
	*selection.Filter) {
	filter := selection.NewFilter(c.part, sink)
	return enrich.New(c.stage(trace.Tee(append(whole, filter.Entrance())...)),
		enrich.Options{Calls: calls, Skips: c.skips}), filter
}

func pprofSink(c conversion) (*writing, error) {
	options := pprof.Options{States: c.states.Names()}
	return c.selected(enrich.WholeStacks, pprof.NewWriter(c.out[0], options)), nil
}

func collapsedSink(c conversion) (*writing, error) {
	lines := collapsed.NewWriter(c.out[0], collapsed.Options{States: c.states.Names(), Counts: c.counts})
	w := c.selected(enrich.WholeStacks, lines)
	w.advice = joined(lines.Notes)
	return w, nil
}

// joined returns the advice of an output that has notes.
func joined(notes func() []string) func() string {
	return func() string { return strings.Join(notes(), "; ") }
}

// marked is a sink that gets the critical path of the whole trace before its Summary.
type marked struct {
	sink     trace.Sink
	recorder *critical.Recorder
	mark     func(path *critical.Path) error
}

// Put passes the record on. Before the Summary it passes on the critical path, and then closes its recorder.
func (m *marked) Put(r trace.Record) error {
	if _, last := r.(*trace.Summary); last {
		err := m.mark(m.recorder.Path(m.recorder.Last()))
		if err = errors.Join(err, m.recorder.Failed(), m.recorder.Close()); err != nil {
			return err
		}
	}
	return m.sink.Put(r)
}

func dotSink(c conversion) (*writing, error) {
	graph, recorder := dot.NewWriter(c.out[0], dot.Options{}), critical.NewRecorderIn("")
	recorder.Within(c.part.Window)
	return c.selected(enrich.NoCalls, &marked{graph, recorder, func(path *critical.Path) error {
		shares := map[trace.ThreadKey]int64{}
		for p := range path.Pieces() {
			shares[p.Thread.Key] += int64(p.To - p.From)
		}
		graph.CriticalPath(shares)
		return nil
	}}, recorder), nil
}

// perfettoSink returns the sink of a timeline format.
func perfettoSink(format perfetto.Format) func(conversion) (*writing, error) {
	return func(c conversion) (*writing, error) {
		sink, recorder := perfetto.NewWriter(c.out[0], perfetto.Options{Format: format}), critical.NewRecorderIn("")
		recorder.Within(c.part.Window)
		collector := methods.NewCollector(methods.Options{Window: c.part.Window, Forget: true, Flow: true})
		mark := &marked{sink, recorder, func(path *critical.Path) error {
			if err := sink.CriticalPath(path.Pieces()); err != nil {
				return err
			}
			return sink.Calls(collector.Calls(c.part.SelectThreads()))
		}}
		enricher, filter := c.enricher(enrich.WholeStacks, mark, recorder)
		w := &writing{sink: convert.Tee(enricher, collector), filter: filter,
			done: func() error { return errors.Join(sink.Close(), collector.Close()) }}
		if c.out[0].isJSON() {
			w.advice = func() string { return largeJSON(sink.Written()) }
		}
		return w, nil
	}
}

// largeJSON returns advice on a result with this many bytes, if most viewers cannot open it.
func largeJSON(size int64) string {
	if size <= perfetto.LargeJSON {
		return ""
	}
	return fmt.Sprintf("the result has %d MB; most viewers fail on more than %d MB of JSON: name it .pftrace for "+
		"protobuf, or cut it with --since and --until", size/1e6, int64(perfetto.LargeJSON)/1e6)
}

// csvSink writes the three tables.
func csvSink(c conversion) (*writing, error) {
	tables := csv.NewWriter(c.out[0], csv.Options{Interactions: c.out[1]})
	collector := contention.NewCollector(c.traceName(c.inputs.Documents[0].Name), contention.DefaultRows)
	w := c.selected(enrich.CallersOnly, &statisticsToo{trace.Tee(tables, collector), collector, c.out[2]})
	w.done = tables.Close
	return w, nil
}

// monlogSink writes a monitor log and its metadata.
func monlogSink(c conversion) (*writing, error) {
	if err := c.oneRecording("a monitor log"); err != nil {
		return nil, err
	}
	log := monlog.NewWriter(c.out[0], monlog.Options{Metadata: c.out[1]})
	return &writing{sink: log, advice: joined(log.Notes)}, nil
}

// oneRecording returns the error for several recordings if the output, such as a monitor log, can have only one.
func (c conversion) oneRecording(output string) error {
	if n := len(c.inputs.Documents); n > 1 {
		return usage("%s is of one recording, and these are %d; convert each by itself", output, n)
	}
	return nil
}

// observed is a sink that passes each element to a function before the model events that follow from it.
type observed struct {
	convert.Counter
	observe func(*trace.Event)
}

// Put observes the element and passes it on.
func (o *observed) Put(e *trace.Event) error {
	o.observe(e)
	return o.Counter.Put(e)
}

// switchlogSink writes a log of thread switches.
func switchlogSink(c conversion) (*writing, error) {
	if err := c.oneRecording("a log of switches"); err != nil {
		return nil, err
	}
	log := switchlog.NewWriter(c.out[0])
	sink := &observed{enrich.New(log, enrich.Options{}), log.Observe}
	return &writing{sink: sink, advice: joined(log.Notes)}, nil
}

// statisticsToo is the sink of two tables. It writes statistics as a third one.
type statisticsToo struct {
	sink      trace.Sink
	collector *contention.Collector
	out       io.Writer
}

// Put passes the record on, and writes the statistics after the Summary.
func (s *statisticsToo) Put(r trace.Record) error {
	err := s.sink.Put(r)
	if _, last := r.(*trace.Summary); !last || err != nil {
		return err
	}
	return answers.WriteCSV(s.out, s.collector.Statistics().Answer(contention.Views()[0], contention.Order{}))
}
