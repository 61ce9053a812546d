package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/emit/picture"
	"github.com/trcx/trcx/enrich"
)

// reportFormats are the formats of trcx report; the first is the default.
var reportFormats = []string{"html", "svg", "png"}

// The limits of a report.
const (
	// maxRows limits the spans and instants of a page, which would be slow to open with more.
	maxRows = 300_000
	// maxLanes limits the threads of a page.
	maxLanes = 10_000
	// maxArrows limits the arrows of a page that does not have all spans.
	maxArrows = 50_000
)

func reportCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "a page that shows the trace in a browser: diagnosis, blame, timeline, monitor statistics, critical path, methods",
		UsageText: "trcx report INPUT [-o FILE.html|FILE.svg|FILE.png] [--thread PATTERN] [--since TIME] [--until TIME]",
		Description: `The page begins with the first findings of trcx why. It is one file that opens without a network. If a
trace is too large for a page, the page has the longer intervals only, and says from which length on; trcx serve shows all.

With --svg or --png, or a FILE of such a name, it is a picture of the timeline for documents and pull requests.

PATTERN may have * and ?. TIME counts from the trace's start, such as 1.5s.

Examples:
   trcx report app.trcxml -o app.html
   trcx report app.trcxml -o app.html --since 1.5s --until 2s --thread 'worker-*'
   trcx report docs/testdata/calls.trcxml --base docs/testdata/path-cache.trcxml -o change.html
   trcx report app.trcxml --svg > app.svg
   trcx report app.trcxml -o app.png --width 1000 --lanes 12 --dark`,
		Flags: slices.Concat([]cli.Flag{
			outputFlag(),
			&cli.BoolFlag{Name: "svg", Usage: "draw a picture, as SVG"},
			&cli.BoolFlag{Name: "png", Usage: "draw a picture, as PNG"},
			atLeast(1, &cli.IntFlag{Name: "most", Usage: "show at most `NUMBER` intervals and events in a page",
				Value: maxRows}),
			atLeast(1, &cli.IntFlag{Name: "width", Usage: "make a picture `NUMBER` pixels wide", DefaultText: "1200"}),
			atLeast(1, &cli.IntFlag{Name: "lanes", Usage: "show at most `NUMBER` threads in a picture",
				DefaultText: "40"}),
			atLeast(1, &cli.IntFlag{Name: "scale",
				Usage: "draw a PNG `NUMBER` times as large: 2 for sharp screens", DefaultText: "1"}),
			&cli.BoolFlag{Name: "groups", Usage: "in a picture, bring the threads of a group together"},
			&cli.StringFlag{Name: "base", Usage: "compare the methods with the trace in `FILE`"},
			&cli.BoolFlag{Name: "dark", Usage: "draw a picture for dark backgrounds"},
		}, selectionFlags(), []cli.Flag{fromFlag(), skipFlag(), framesFlag()}, readingFlags()),
		Action: func(c *cli.Context) error { return env.report(c) },
	}
}

func (env *environment) report(c *cli.Context) error {
	part, err := parseSelection(c)
	if err != nil {
		return err
	}
	if err := oneInput(c); err != nil {
		return err
	}
	shown := picture.Options{Width: c.Int("width"), Lanes: c.Int("lanes"), Scale: c.Int("scale"),
		Groups: c.Bool("groups"), Dark: c.Bool("dark")}
	if err := shown.Check(); err != nil {
		return usage("%v", err)
	}
	format, err := reportFormat(c)
	if err != nil {
		return err
	}
	options := convertOptions{
		format: format, part: part, selection: partText(c, part), picture: shown, most: c.Int("most"), skips: skips(c),
		frames: c.Int("frames"), baseName: c.String("base"),
	}
	if options.baseName != "" {
		options.base = func() (*methods.Collector, error) { return env.baseMethods(c, options.baseName, part) }
	}
	return env.convertFiles(c, namedFiles(c), options)
}

// baseMethods reads the methods of the trace to compare the page with.
func (env *environment) baseMethods(c *cli.Context, name string, part selection.Selection) (*methods.Collector, error) {
	reading, err := env.openReading(c, []string{name}, c.String("from"))
	if err != nil {
		return nil, err
	}
	defer reading.close()
	collector := methods.NewCollector(methods.Options{Window: part.Window, Merge: true, Forget: true})
	err = reading.read(c.Context, reading.inputs.Documents, collector)
	reading.diagnostics.finish()
	return collector, err
}

// pictureFlags affect only pictures.
var pictureFlags = []string{"width", "lanes", "scale", "groups", "dark"}

// reportFormat returns the format, and checks that it supports the flags.
func reportFormat(c *cli.Context) (*outputFormat, error) {
	format, err := namedReportFormat(c)
	if err != nil {
		return nil, err
	}
	for _, name := range pictureFlags {
		if c.IsSet(name) && format.name == reportFormats[0] {
			return nil, usage("--%s is for pictures; add --svg or --png", name)
		}
	}
	if c.IsSet("base") && format.name != reportFormats[0] {
		return nil, usage("--base is for pages; a picture shows no methods")
	}
	if c.IsSet("most") && format.name != reportFormats[0] {
		return nil, usage("--most is for pages; a picture has as much as fits into it")
	}
	return format, nil
}

// namedReportFormat returns the format of --svg and --png, or else the format for the output's ending.
func namedReportFormat(c *cli.Context) (*outputFormat, error) {
	name := c.String("output")
	switch svg, png := c.Bool("svg"), c.Bool("png"); {
	case svg && png:
		return nil, usage("--svg and --png are two formats; choose one")
	case svg:
		return chooseFormat("svg", name)
	case png:
		return chooseFormat("png", name)
	case isStdout(name):
		return chooseFormat("html", "")
	}
	for _, format := range reportFormats {
		if strings.HasSuffix(strings.ToLower(uncompressedName(name)), "."+format) {
			return chooseFormat(format, name)
		}
	}
	return nil, usage("the ending of %s names no format; want .%s, or --svg or --png", name,
		strings.Join(reportFormats, ", ."))
}

// shownSink returns the sink of a format that shows a timeline; with calls also the methods.
func shownSink(write func(conversion, *shownTrace) error, calls bool) func(conversion) (*writing, error) {
	return func(c conversion) (*writing, error) {
		shown, err := newShownTrace(c.name, "", false)
		if err != nil {
			return nil, err
		}
		shown.complete = func() error { return write(c, shown) }
		filter := shown.selectPart(c.part, c.selection)
		if !calls {
			shown.calls = nil
		}
		if c.base != nil {
			if shown.base, err = c.base(); err != nil {
				return nil, errors.Join(err, shown.closeAnalyses(), shown.index().Close())
			}
		}
		sink := shown.elements(shown, enrich.Options{Calls: enrich.WholeStacks, Skips: c.skips, Frames: c.frames})
		return &writing{sink: sink, filter: filter, done: shown.index().Close}, nil
	}
}

// writePage writes a page in as much detail as it can hold. The analyses' results are small, so their memory is
// released before the timeline is read.
func writePage(c conversion, s *shownTrace) error {
	notes := s.notes()
	if s.base != nil && s.calls.Measure() != s.base.Measure() {
		return usage("--base: of its methods %s has %s, and %s has %s; only the same can be compared", s.name,
			cmp.Or(s.calls.Measure(), "nothing"), c.baseName, cmp.Or(s.base.Measure(), "nothing"))
	}
	report, verdicts, err := s.results()
	if err != nil {
		return err
	}
	s.calls = nil // its memory is not needed any more
	if err = s.closeAnalyses(); err != nil {
		return err
	}
	threads := s.index().Foremost(maxLanes)
	from, to := s.bounds()
	report.Window, err = s.index().Extract(context.Background(), threads, from, to, cmp.Or(c.most, maxRows), maxArrows)
	if err != nil {
		return err
	}
	notes = append(notes, errorNotes(c.errors())...)
	if left := s.index().Selected() - len(threads); left > 0 {
		notes = slices.Insert(notes, 0, page.FewNote(left))
	}
	if report.Window.Resolution > 0 {
		notes = slices.Insert(notes, 0, page.CoarseNote(report.Window.Resolution))
	}
	report.About = &page.About{
		Name: s.name, Traces: []string{s.name}, Resolution: report.Window.Resolution, Verdicts: verdicts, Notes: notes,
		Threads: threads, From: from, To: to, Heap: report.Heap != nil, Methods: report.Methods != nil,
		Index: s.index(),
	}
	return report.Write(c.out[0])
}

// writePicture returns a function that draws a picture of the timeline.
func writePicture(draw func(io.Writer, *picture.Picture) error) func(conversion, *shownTrace) error {
	return func(c conversion, s *shownTrace) error {
		index := s.index()
		from, to := s.bounds()
		verdicts, err := s.verdicts()
		if err != nil {
			return err
		}
		if err = s.closeAnalyses(); err != nil {
			return err
		}
		window, err := index.Extract(context.Background(), index.Foremost(maxLanes), from, to, maxRows, maxArrows)
		if err != nil {
			return err
		}
		p := &picture.Picture{Title: s.name, Notes: append(s.notes(), errorNotes(c.errors())...), Window: window,
			Threads: index.Named(window), Options: c.picture}
		p.Verdict = verdicts[0].Text
		return draw(c.out[0], p)
	}
}
