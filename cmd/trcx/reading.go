package main

import (
	"context"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
)

// reading is how the commands that compute something from traces read them.
type reading struct {
	env         *environment
	inputs      *convert.Inputs
	options     convert.Options
	diagnostics *diagnostics
	silent      bool // no progress is drawn
}

// readingFlags are those of the commands that read traces.
func readingFlags() []cli.Flag {
	return append([]cli.Flag{
		externalFlag(),
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing but errors", DisableDefaultText: true},
		&cli.BoolFlag{Name: "no-progress", Usage: "do not draw the progress of long work", DisableDefaultText: true},
	}, limitFlags()...)
}

// fromFlag names the input format.
func fromFlag() cli.Flag {
	return &cli.StringFlag{Name: "from", Usage: "input `FORMAT`, where the content does not tell: " + strings.Join(convert.Formats(), ", ")}
}

// openReading opens the inputs of the names. The format is "" where the content is to tell it.
func (env *environment) openReading(c *cli.Context, names []string, from string) (*reading, error) {
	command := c.Command.Name
	if len(names) == 0 {
		return nil, usage("%s: name a trace to read, or - for the standard input (trcx %s --help says more)", command, command)
	}
	if from != "" && !slices.Contains(convert.Formats(), from) {
		return nil, usage("%s: there is no input format %q; trcx reads %s", command, from, strings.Join(convert.Formats(), ", "))
	}
	if err := noEmptyFlags(c, "output", "allow-external"); err != nil {
		return nil, err
	}
	limits, maxInput, err := limits(c)
	if err != nil {
		return nil, err
	}
	open, err := openExternal(c)
	if err != nil {
		return nil, err
	}
	inputs, err := convert.OpenInputs(names, env.stdin, maxInput)
	if err != nil {
		return nil, err
	}
	diagnostics := &diagnostics{out: env.stderr, quiet: c.Bool("quiet")}
	return &reading{
		env: env, inputs: inputs, diagnostics: diagnostics, silent: c.Bool("quiet") || c.Bool("no-progress"),
		options: convert.Options{From: from, Limits: limits, Report: diagnostics.report, Judgement: trcxml.Judgement{Open: open}},
	}, nil
}

// read reads the documents into the sink.
func (r *reading) read(ctx context.Context, documents []convert.Document, sink convert.Sink) error {
	return convert.Run(ctx, documents, r.options, sink)
}

// close closes the inputs.
func (r *reading) close() { r.inputs.Close() }

// verdict is the error for inputs that had errors.
func (r *reading) verdict() error {
	if r.diagnostics.errors > 0 {
		return errFindings
	}
	return nil
}
