package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// analysis is the work of a command that answers a question on traces.
type analysis struct {
	*reading
	format   string // of the answer
	out      *outputFile
	exceeded bool // a threshold of the user's; the answer is written all the same
	// others write the answer in further formats, by name.
	others map[string]func(out io.Writer) error
	// done is called after the answer is written; it may be nil.
	done func() error
}

// answerFormats are the formats that every answer has. The first one is the default.
var answerFormats = []string{"text", "json", "csv", "markdown"}

// forPeople reports whether the answer is for people, not for programs.
func (a *analysis) forPeople() bool { return a.format == "text" || a.format == "markdown" }

// endings maps file endings to formats of answers.
var endings = map[string]string{".json": "json", ".csv": "csv", ".md": "markdown", ".txt": "text", ".trcxml": "trcxml",
	".pb": "pprof", ".collapsed": "collapsed"}

// answerFlags are the flags of commands that answer in one of the formats.
func answerFlags(formats []string) []cli.Flag {
	return []cli.Flag{
		choice(&cli.StringFlag{Name: "format", Usage: "answer as `FORMAT`", DefaultText: formats[0]}, formats),
		jsonFlag(),
		&cli.BoolFlag{Name: "markdown", Usage: "the same as --format markdown"},
		&cli.IntFlag{Name: widthFlag, Usage: "make text fit into `NUMBER` columns; 0 for no limit",
			DefaultText: "the width of the terminal; no limit for a file or a pipe"},
		outputFlag(),
	}
}

// jsonFlag is short for a format.
func jsonFlag() cli.Flag { return &cli.BoolFlag{Name: "json", Usage: "the same as --format json"} }

// widthFlag is the flag for the width of text.
const widthFlag = "width"

// textWidth returns the columns that text has to fit: --width, or else the terminal's width; 0 for no limit.
func (env *environment) textWidth(c *cli.Context, format string) (int, error) {
	width := c.Int(widthFlag)
	switch {
	case !c.IsSet(widthFlag) && (!isStdout(c.String("output")) || !isTerminal(env.stdout)):
		return 0, nil
	case !c.IsSet(widthFlag):
		return terminalWidth(env.stdout), nil
	case format != "text":
		return 0, usage("--width is for text, not for %s", format)
	case width < 0 || width > 0 && width < answers.MinWidth:
		return 0, usage("--width: invalid value %d: want %d columns or more, or 0 for no limit", width, answers.MinWidth)
	}
	return width, nil
}

// analyse opens the inputs, computes the answer and writes it.
func (env *environment) analyse(c *cli.Context, names []string, from string, formats []string,
	compute func(context.Context, *analysis) (*answer.Answer, error)) error {
	format, err := answerFormat(c, formats)
	if err != nil {
		return err
	}
	width, err := env.textWidth(c, format)
	if err != nil {
		return err
	}
	reading, err := env.openReading(c, names, from)
	if err != nil {
		return err
	}
	defer reading.close()
	a := &analysis{reading: reading, format: format}
	if a.forPeople() { // programs know places by the innermost call
		reading.frames = c.Int("frames")
	}
	written := &outputFormat{}
	if format == "pprof" {
		written = &outputFormat{name: format, ending: ".pb.gz", gzipped: true, opaque: true}
	}
	out, err := env.openOutput(c.String("output"), written, reading.inputs, false)
	if err != nil {
		return err
	}
	defer env.close(out)
	reading.diagnostics.brief = true
	progress := env.startProgress(reading.inputs, reading.silent)
	a.out = out
	result, err := compute(c.Context, a)
	progress.stop()
	reading.diagnostics.finish()
	if err != nil {
		return reading.unanswered(err)
	}
	if err := a.write(result, answers.Options{Width: width, Color: out.colored(), All: allRows}); err != nil {
		return err
	}
	if err := env.commit(out); err != nil {
		return err
	}
	reading.diagnostics.finishLacks()
	if err := reading.verdict(); err != nil || !a.exceeded {
		return err
	}
	return errFindings
}

// allRows says how to see all rows of tables.
const allRows = "--top 0 shows all"

// write writes the answer in its format.
func (a *analysis) write(result *answer.Answer, options answers.Options) (err error) {
	switch write := a.others[a.format]; {
	case write != nil:
		err = write(a.out)
	case a.format == "json":
		err = answers.WriteJSON(a.out, result)
	case a.format == "csv":
		err = answers.WriteCSV(a.out, result)
	case a.format == "markdown":
		err = answers.WriteMarkdown(a.out, result, options)
	default:
		err = answers.WriteText(a.out, result, options)
	}
	if a.done != nil {
		err = errors.Join(err, a.done())
	}
	return err
}

// namedFormat returns the value of --format, or of a flag that is short for it; "" if there is none.
func namedFormat(c *cli.Context) (format string, err error) {
	format = c.String("format")
	for _, short := range []string{"json", "markdown"} {
		switch {
		case !c.Bool(short):
		case format != "" && format != short:
			return "", usage("--%s and the format %s exclude each other", short, format)
		default:
			format = short
		}
	}
	return format, nil
}

// answerFormat returns the format that flags name, or else the format for the ending of the output's name.
func answerFormat(c *cli.Context, formats []string) (string, error) {
	format, err := namedFormat(c)
	if err != nil {
		return "", err
	}
	if format == "" {
		ending := strings.ToLower(filepath.Ext(uncompressedName(c.String("output"))))
		if format = endings[ending]; format == "" {
			return formats[0], nil
		}
		if !slices.Contains(formats, format) {
			return "", usage("the name %s asks for the format %s, which this command does not write; want %s",
				c.String("output"), format, strings.Join(formats, ", "))
		}
	}
	return format, checkChoice("--format", format, formats)
}

// enriched reads the documents into the sink as one model, without Activity records unless they are wanted.
func (r *reading) enriched(ctx context.Context, documents []convert.Document, sink trace.Sink) error {
	var enricher convert.Counter = enrich.New(r.stage(sink), enrich.Options{Calls: enrich.CallersOnly, Skips: r.skips,
		Frames: r.frames, NoActivities: !r.activities})
	if r.calls != nil {
		enricher = convert.Tee(enricher, r.calls)
	}
	if r.dump != nil {
		return r.read(ctx, documents, &heapSink{Collector: r.dump, enricher: enricher})
	}
	return r.read(ctx, documents, enricher)
}

// oneInput returns the error for several inputs of a command that reads only one.
func oneInput(c *cli.Context) error {
	if c.NArg() > 1 {
		return usage("want one trace, not several: %s and %s", c.Args().First(), c.Args().Get(1))
	}
	return nil
}
