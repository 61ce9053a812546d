package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/table"
)

// reading is how the commands that compute something from traces read them.
type reading struct {
	env         *environment
	inputs      *convert.Inputs
	options     convert.Options
	diagnostics *diagnostics
	silent      bool // no progress is drawn
	logs        bool // there was a monitor log among the inputs
}

// readingFlags are those of the commands that read traces.
func readingFlags() []cli.Flag {
	return append([]cli.Flag{
		externalFlag(),
		metaFlag(),
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing but errors", DisableDefaultText: true},
		&cli.BoolFlag{Name: "no-progress", Usage: "do not draw the progress of long work", DisableDefaultText: true},
	}, limitFlags()...)
}

// metaFlag names the metadata file of monitor logs.
func metaFlag() cli.Flag {
	return &cli.StringFlag{Name: "meta", Usage: "the metadata `FILE` of all inputs that are monitor logs (monlog)",
		DefaultText: "the one beside each"}
}

// useMetadata opens the metadata file that is named, so that it is none of what is written.
func useMetadata(c *cli.Context, inputs *convert.Inputs) error {
	name := c.String("meta")
	if name == "" {
		return nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return &convert.InputError{Document: name, Err: bare(err)}
	}
	inputs.Protect(info)
	return nil
}

// fromFlag names the input format.
func fromFlag() cli.Flag {
	return &cli.StringFlag{Name: "from", Usage: "input `FORMAT`, where the content does not tell: " +
		strings.Join(convert.Formats(), ", ")}
}

// openReading opens the inputs of the names. The format is "" where the content is to tell it.
func (env *environment) openReading(c *cli.Context, names []string, from string) (*reading, error) {
	return env.openReadingAs(c, names, from, func(*convert.Inputs) {})
}

// openReadingAs is openReading with inputs that are prepared before they are opened.
func (env *environment) openReadingAs(c *cli.Context, names []string, from string, prepare func(*convert.Inputs)) (
	*reading, error) {
	command := c.Command.Name
	if len(names) == 0 {
		return nil, usage("%s: name a trace to read, or - for the standard input (trcx %s --help says more)", command,
			command)
	}
	if from != "" && !slices.Contains(convert.Formats(), from) {
		return nil, usage("%s: there is no input format %q; trcx reads %s", command, from,
			strings.Join(convert.Formats(), ", "))
	}
	if err := noEmptyFlags(c, "output", "allow-external", "meta"); err != nil {
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
	inputs := convert.NewInputs(env.stdin, maxInput)
	prepare(inputs)
	for _, name := range names {
		if err := inputs.Add(name); err != nil {
			inputs.Close()
			return nil, err
		}
	}
	if err := useMetadata(c, inputs); err != nil {
		inputs.Close()
		return nil, err
	}
	diagnostics := &diagnostics{out: env.stderr, quiet: c.Bool("quiet")}
	return &reading{
		env: env, inputs: inputs, diagnostics: diagnostics, silent: c.Bool("quiet") || c.Bool("no-progress"),
		options: convert.Options{Format: from, Limits: limits, Metadata: c.String("meta"), OnFinding: diagnostics.report,
			OnUnsupported: diagnostics.lack, Judgement: trcxml.Judgement{Open: open}},
	}, nil
}

// read reads the documents into the sink.
func (r *reading) read(ctx context.Context, documents []convert.Document, sink convert.Sink) error {
	options := r.options
	options.OnOpen = func(document, format string) {
		r.logs = r.logs || format == convert.Monlog
		if r.options.OnOpen != nil {
			r.options.OnOpen(document, format)
		}
	}
	err := convert.Run(ctx, documents, options, sink)
	if err == nil && !r.logs && options.Metadata != "" {
		r.diagnostics.unused = unusedMetadata(options.Metadata)
	} else {
		r.diagnostics.unused = ""
	}
	return err
}

// unusedMetadata says that the file that --meta names was not needed.
func unusedMetadata(name string) string {
	return "--meta " + name + " is not used: none of the inputs is a monitor log (monlog)"
}

// warn says something that does not keep the command from its work.
func (r *reading) warn(format string, arguments ...any) {
	if !r.diagnostics.quiet {
		fmt.Fprintf(r.env.stderr, "trcx: %s\n", sanitize.Text(fmt.Sprintf(format, arguments...)))
	}
}

// warnEmpty says that nothing was selected of what has the name, if that is so.
func (r *reading) warnEmpty(filter *selection.Filter, name string) {
	if empty, length := filter.Empty(); empty {
		r.warn("nothing of %s is selected; it lasts %s", name, table.Duration(length))
	}
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

// limitFlags are the limits that protect, to be raised by those who know better.
func limitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "max-input", Usage: "most `BYTES` of a decompressed input, such as 4G",
			DefaultText: "200 times its size once past 64 MiB"},
		&cli.IntFlag{Name: "max-depth", Usage: "most elements (`NUMBER`) inside each other", DefaultText: "256"},
		&cli.IntFlag{Name: "max-attributes", Usage: "most attributes (`NUMBER`) of an element", DefaultText: "256"},
		&cli.IntFlag{Name: "max-name", Usage: "most `BYTES` of a name", DefaultText: "1024"},
		&cli.IntFlag{Name: "max-value", Usage: "most `BYTES` of an attribute value or a text", DefaultText: "1048576"},
		&cli.IntFlag{Name: "max-names", Usage: "most different names (`NUMBER`) of elements and attributes",
			DefaultText: "65536"},
		&cli.IntFlag{Name: "max-expansion", Usage: "most `BYTES` that entities expand to", DefaultText: "1048576"},
	}
}

// limits reads the flags of the limits. maxInput is 0 if it was not given.
func limits(c *cli.Context) (limits dtd.Limits, maxInput int64, err error) {
	for _, flag := range limitFlags() {
		name := flag.Names()[0]
		if number, ok := flag.(*cli.IntFlag); ok && c.IsSet(number.Name) && c.Int(number.Name) < 1 {
			return limits, 0, usage("%s: --%s must be a number above 0", c.Command.Name, name)
		}
	}
	if text := c.String("max-input"); text != "" {
		var ok bool
		if maxInput, ok = parseSize(text); !ok {
			return limits, 0,
				usage("%s: --max-input %s is no size; write a number of bytes, or a number with K, M, G or T",
					c.Command.Name, text)
		}
	}
	return dtd.Limits{
		Depth: c.Int("max-depth"), Attributes: c.Int("max-attributes"), Name: c.Int("max-name"),
		Value: c.Int("max-value"), Names: c.Int("max-names"), EntityExpansion: c.Int("max-expansion"),
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

// noEmptyFlags sees to it that what is given has a value: an empty one is a variable of a shell script that is not set.
func noEmptyFlags(c *cli.Context, names ...string) error {
	for _, name := range names {
		if c.IsSet(name) && c.String(name) == "" {
			return usage("%s: the value of --%s is empty", c.Command.Name, name)
		}
	}
	return nil
}
