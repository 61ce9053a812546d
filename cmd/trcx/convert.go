package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/emit/model"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/xmlscan"
)

// outputFormat is what convert can write.
type outputFormat struct {
	name   string
	ending string
	// archives says that several recordings become a zip.
	archives bool
	// sink writes to out; done gives back what it holds.
	sink func(out *output, inputs *convert.Inputs) (sink convert.Sink, done func() error, err error)
}

var outputFormats = []outputFormat{
	{"trcxml", ".trcxml", true, trcxmlSink},
	{"json", ".json", false, groupedSink},
	{"jsonl", ".jsonl", false, linesSink},
}

func convertCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "convert",
		Usage:     "turn traces of any input format into any output format",
		UsageText: "trcx convert INPUT… [--to trcxml|json|jsonl] [-o FILE]",
		Description: `INPUT is a file, or - for the standard input; .gz, .zst and .zip are opened by their content.
Several inputs, or the entries of a zip, become one model, each a session of its own.

Without --to the format follows the ending of FILE; without both it is json.
FILE is compressed if its name ends in .gz, .zst or .zip, and replaced only when it is whole.

What is wrong in an input is said, and the rest of it is converted. With --strict nothing is written, not even to the
standard output, unless trcx validate calls all inputs valid.

Examples:
   trcx convert app.trcxml -o app.json
   trcx convert app.trcxml --to jsonl | head
   trcx convert app.trcxml --strict -o app.trcxml.gz
   trcx convert monday.trcxml tuesday.trcxml -o both.json.gz
   gunzip -c app.trcxml.gz | trcx convert - --to trcxml -o app.trcxml`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "to", Usage: "output `FORMAT`: trcxml, json or jsonl"},
			&cli.StringFlag{Name: "from", Usage: "input `FORMAT`, where the content does not tell: " + strings.Join(convert.Formats(), ", ")},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE` instead of the standard output"},
			&cli.BoolFlag{Name: "strict", Usage: "write nothing unless the input is valid", DisableDefaultText: true},
			externalFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing but errors", DisableDefaultText: true},
			&cli.BoolFlag{Name: "no-progress", Usage: "do not draw the progress of long work", DisableDefaultText: true},
		}, limitFlags()...),
		Action: func(c *cli.Context) error { return env.convert(c) },
	}
}

// limitFlags are the limits that protect, to be raised by those who know better.
func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "max-input", Usage: "most `BYTES` of a decompressed input, such as 4G", DefaultText: "200 times its size once past 64 MiB"},
		&cli.IntFlag{Name: "max-depth", Usage: "most elements (`NUMBER`) inside each other", DefaultText: "256"},
		&cli.IntFlag{Name: "max-attributes", Usage: "most attributes (`NUMBER`) of an element", DefaultText: "256"},
		&cli.IntFlag{Name: "max-name", Usage: "most `BYTES` of a name", DefaultText: "1024"},
		&cli.IntFlag{Name: "max-value", Usage: "most `BYTES` of an attribute value or a text", DefaultText: "1048576"},
		&cli.IntFlag{Name: "max-names", Usage: "most different names (`NUMBER`) of elements and attributes", DefaultText: "65536"},
		&cli.IntFlag{Name: "max-expansion", Usage: "most `BYTES` that entities expand to", DefaultText: "1048576"},
	}
}

// limits reads the flags of the limits. maxInput is 0 if it was not given.
func limits(c *cli.Context) (limits xmlscan.Limits, maxInput int64, err error) {
	for _, flag := range limitFlags() {
		name := flag.Names()[0]
		if number, ok := flag.(*cli.IntFlag); ok && c.IsSet(number.Name) && c.Int(number.Name) < 1 {
			return limits, 0, usage("%s: --%s must be a number above 0", c.Command.Name, name)
		}
	}
	if text := c.String("max-input"); text != "" {
		var ok bool
		if maxInput, ok = parseSize(text); !ok {
			return limits, 0, usage("%s: --max-input %s is no size; write a number of bytes, or a number with K, M, G or T", c.Command.Name, text)
		}
	}
	return xmlscan.Limits{
		Depth: c.Int("max-depth"), Attributes: c.Int("max-attributes"), Name: c.Int("max-name"),
		Value: c.Int("max-value"), Names: c.Int("max-names"), Expansion: c.Int("max-expansion"),
	}, maxInput, nil
}

// parseSize reads a number of bytes above 0, such as 4096, 512M or 4G.
func parseSize(text string) (size int64, ok bool) {
	digits := strings.TrimRight(text, "KMGTiB")
	factor, ok := map[string]int64{"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}[text[len(digits):]]
	number, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || number < 1 || number > math.MaxInt64/factor {
		return 0, false
	}
	return number * factor, true
}

func (env *environment) convert(c *cli.Context) error {
	if !c.Args().Present() {
		return usage("convert: name a trace to read, or - for the standard input (trcx convert --help says more)")
	}
	if from := c.String("from"); from != "" && !slices.Contains(convert.Formats(), from) {
		return usage("convert: there is no input format %q; trcx reads %s", from, strings.Join(convert.Formats(), ", "))
	}
	if err := noEmptyFlags(c, "output", "allow-external"); err != nil {
		return err
	}
	format, err := chooseFormat(c.String("to"), c.String("output"))
	if err != nil {
		return err
	}
	limits, maxInput, err := limits(c)
	if err != nil {
		return err
	}
	inputs, err := convert.OpenInputs(c.Args().Slice(), env.stdin, maxInput)
	if err != nil {
		return err
	}
	defer inputs.Close()
	open, err := openExternal(c)
	if err != nil {
		return err
	}
	out, err := env.openOutput(c.Command.Name, c.String("output"), format, inputs, c.Bool("strict"))
	if err != nil {
		return err
	}
	defer env.close(out)
	diagnostics := &diagnostics{out: env.stderr, quiet: c.Bool("quiet"), strict: c.Bool("strict")}
	progress := env.startProgress(inputs, c.Bool("quiet") || c.Bool("no-progress"))
	err = run(c.Context, format, inputs, out, diagnostics, convert.Options{
		From: c.String("from"), Limits: limits, Report: diagnostics.report, Judgement: trcxml.Judgement{Open: open},
	})
	progress.stop()
	diagnostics.finish()
	switch {
	case err != nil:
		return err
	case diagnostics.strict && diagnostics.errors > 0:
		return errFindings
	}
	if err := env.commit(out); err != nil {
		return err
	}
	if diagnostics.errors > 0 {
		return errFindings
	}
	return nil
}

// run reads the inputs into the format's sink.
func run(ctx context.Context, format *outputFormat, inputs *convert.Inputs, out *output, diagnostics *diagnostics, options convert.Options) error {
	sink, done, err := format.sink(out, inputs)
	if err != nil {
		return err
	}
	if diagnostics.strict {
		strict := newStrict(sink, diagnostics)
		sink, options.Report, options.Opens, options.Judgement.Grammar = strict, strict.report, strict.opens, dtd.Trace()
	}
	return errors.Join(convert.Run(ctx, inputs.Documents, options, sink), done())
}

// chooseFormat follows --to, or else the ending of the output's name.
func chooseFormat(to, file string) (*outputFormat, error) {
	ending := filepath.Ext(uncompressedName(file))
	if to == "" && strings.HasSuffix(uncompressedName(file), ".trace.json") {
		return nil, usage("convert: a name that ends in .trace.json is for the Trace Event format, which trcx does not write; for the model give it another name, or add --to json")
	}
	for i := range outputFormats {
		if f := &outputFormats[i]; f.name == to || to == "" && f.ending == ending {
			return f, nil
		}
	}
	var known []string
	for _, f := range outputFormats {
		known = append(known, f.name)
	}
	switch {
	case to != "":
		return nil, usage("convert: there is no output format %q; trcx writes %s", to, strings.Join(known, ", "))
	case ending != "":
		return nil, usage("convert: the name %s does not tell the format; add --to with one of %s", file, strings.Join(known, ", "))
	}
	return chooseFormat("json", file)
}

// noEmptyFlags sees to it that what is given has a value: an empty one is a variable of a shell script that is not set.
func noEmptyFlags(c *cli.Context, names ...string) error {
	for _, name := range names {
		if c.IsSet(name) && c.String(name) == "" {
			return usage("%s: the value of --%s is empty", c.Command.Name, name)
		}
	}
	return nil
}

func nothing() error { return nil }

func linesSink(out *output, _ *convert.Inputs) (convert.Sink, func() error, error) {
	return enrich.New(model.NewLines(out)), nothing, nil
}

func groupedSink(out *output, _ *convert.Inputs) (convert.Sink, func() error, error) {
	grouped := model.NewGrouped(out, "")
	return enrich.New(grouped), grouped.Close, nil
}

// trcxmlSink writes one document, or a zip of documents where the inputs are several.
func trcxmlSink(out *output, inputs *convert.Inputs) (convert.Sink, func() error, error) {
	if len(inputs.Documents) == 1 {
		return emit.NewWriter(out), nothing, nil
	}
	if out.stdout {
		return nil, nil, usage("convert: %d recordings as trcxml become a zip of documents; name a file for it with -o", len(inputs.Documents))
	}
	return emit.NewArchive(out), nothing, nil
}

// describe is for messages: how many of what.
func describe(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
