package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/normalize"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/stackprofile"
)

func convertCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "turn traces of any input format into any output format",
		UsageText: "trcx convert INPUT… [--to " + strings.Join(formatNames(), "|") + "] [-o FILE]",
		Description: `INPUT is a file, or - for the standard input; .gz, .zst and .zip are opened by their content.
Several inputs, or the entries of a zip, become one model, each a session of its own.

Without --to the format follows the ending of FILE; without both it is json:
` + formatList() + `
FILE is compressed if its name ends in .gz, .zst or .zip, and replaced only when it is whole.

What is wrong in an input is said, and the rest of it is converted. With --strict nothing is written, not even to the
standard output, unless trcx validate calls all inputs valid.

A part of the trace can be selected for perfetto, pprof, collapsed, dot and csv: --from and --to may be given with a TIME as well,
which is since the trace's start, such as 1.5s, or as the trace has it.

Examples:
   trcx convert app.trcxml -o app.json
   trcx convert app.trcxml --to jsonl | head
   trcx convert app.trcxml --strict -o app.trcxml.gz
   trcx convert app.trcxml --normalize -o normal.trcxml
   trcx convert monday.trcxml tuesday.trcxml -o both.json.gz
   trcx convert app.trcxml --from 100ms --to 0.2s -o app.trace.json
   trcx convert app.trcxml --blame holder -o app.pb.gz
   gunzip -c app.trcxml.gz | trcx convert - --to trcxml -o app.trcxml`,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage: "write to `FILE` instead of the standard output"},
			&cli.BoolFlag{Name: "strict", Usage: "write nothing unless the input is valid", DisableDefaultText: true},
			&cli.BoolFlag{Name: "normalize",
				Usage: "in trcxml, write names, attributes and elements as TPTP's agents do, and say " +
					"what was changed",
				DisableDefaultText: true},
			&cli.StringFlag{Name: "states", Usage: "in pprof and collapsed, count threads in these `STATES`: " +
				stackprofile.All.String() + ", or all", Value: stackprofile.Of(stackprofile.Blocked).String()},
			&cli.StringFlag{Name: "blame",
				Usage: "in pprof and collapsed, show the place of the `WAITER` or of the holder", Value: "waiter"},
			&cli.BoolFlag{Name: "counts", Usage: "in collapsed, write how often and not how long",
				DisableDefaultText: true},
		}, selectionFlags("the input `FORMAT`, where the content does not tell: "+strings.Join(convert.Formats(), ", ")+
			"; or only from this TIME on",
			"the output `FORMAT`: "+strings.Join(formatNames(), ", ")+"; or only before this TIME"), readingFlags()),
		Action: func(c *cli.Context) error { return env.convert(c) },
	}
}

func (env *environment) convert(c *cli.Context) error {
	part, from, to, err := selected(c)
	if err != nil {
		return err
	}
	conversion := &conversion{part: part, counts: c.Bool("counts"), normal: c.Bool("normalize")}
	choose := func() (*outputFormat, error) {
		format, err := chooseFormat(to, c.String("output"))
		if err != nil {
			return nil, err
		}
		return format, conversion.check(c, format)
	}
	return env.convertTo(c, from, choose, conversion)
}

// convertTo reads the inputs, which are in the format of the name from, or in one that their content tells, into the
// format that is chosen.
func (env *environment) convertTo(c *cli.Context, from string, choose func() (*outputFormat, error),
	conversion *conversion) error {
	reading, err := env.openReading(c, c.Args().Slice(), from)
	if err != nil {
		return err
	}
	defer reading.close()
	format, err := choose()
	if err != nil {
		return err
	}
	conversion.command, conversion.inputs, conversion.name = c.Command.Name, reading.inputs, c.Args().First()
	conversion.errors = func() int { return reading.diagnostics.errors }
	if !conversion.part.IsEverything() {
		conversion.selection = selectionText(c)
	}
	out, err := env.openOutputs(c.Command.Name, c.String("output"), format, reading.inputs, c.Bool("strict"))
	if err != nil {
		return err
	}
	defer env.close(out...)
	conversion.out = out
	reading.diagnostics.strict = c.Bool("strict")
	progress := env.startProgress(reading.inputs, reading.silent)
	err = reading.convert(c.Context, format, conversion)
	progress.stop()
	reading.diagnostics.finish()
	switch {
	case err != nil:
		return err
	case reading.diagnostics.strict && reading.diagnostics.errors > 0:
		return errFindings
	}
	if err := env.commit(out...); err != nil {
		return err
	}
	if conversion.advice != "" {
		reading.warn("%s", conversion.advice)
	}
	if conversion.filter != nil {
		reading.warnEmpty(conversion.filter, "the input")
	}
	return reading.verdict()
}

// convert reads the inputs into the format's sink.
func (r *reading) convert(ctx context.Context, format *outputFormat, c *conversion) error {
	sink, done, err := format.sink(c)
	if err != nil {
		return err
	}
	if r.diagnostics.strict {
		strict := newStrict(sink, r.diagnostics)
		sink, r.options.OnFinding, r.options.OnOpen, r.options.Judgement.Grammar = strict, strict.report, strict.opens,
			dtd.Trace()
	}
	if c.normal {
		sink = r.normalized(sink)
	}
	return errors.Join(r.read(ctx, r.inputs.Documents, sink), done())
}

// normalized is a sink in front of the other one that gives elements the form that TPTP's have, and says what it has
// changed.
func (r *reading) normalized(sink convert.Sink) convert.Sink {
	r.options.FlattenUnknown = true
	document, opens := "", r.options.OnOpen
	r.options.OnOpen = func(name, format string) {
		if document = name; opens != nil {
			opens(name, format)
		}
	}
	return normalize.New(sink, func(_ int, change normalize.Change) {
		r.diagnostics.note("%s: normalized: %v", document,
			change)
	})
}
