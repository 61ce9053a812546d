package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/anonymize"
	"github.com/trcx/trcx/convert/normalize"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
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

Errors in an input are reported, and the rest of it is converted. With --strict nothing is written, not even to the
standard output, unless all inputs are valid for trcx validate.

With --anonymize the result has no name of the program and its machine: the same name has the same replacement everywhere
in it, and another one in the next run unless --anonymize-key names a secret.

A part of the trace can be selected for perfetto, pprof, collapsed, dot and csv. The window from --since to --until cuts
waits: the part inside is written.

Examples:
   trcx convert app.trcxml -o app.json
   trcx convert app.trcxml --to jsonl | head
   trcx convert app.trcxml --strict -o app.trcxml.gz
   trcx convert app.trcxml --normalize -o normal.trcxml
   trcx convert monday.trcxml tuesday.trcxml -o both.json.gz
   trcx convert app.trcxml --since 100ms --until 0.2s -o app.trace.json
   trcx convert app.trcxml --anonymize -o shared.trcxml
   trcx convert app.trcxml --states waited,timed -o app.pb.gz
   gunzip -c app.trcxml.gz | trcx convert - --to trcxml -o app.trcxml`,
		Flags: slices.Concat([]cli.Flag{
			outputFlag(),
			&cli.BoolFlag{Name: "strict", Usage: "write nothing unless the input is valid"},
			&cli.BoolFlag{Name: "normalize",
				Usage: "in trcxml, write names, attributes and elements as TPTP's agents do, and say " +
					"what was changed"},
			&cli.BoolFlag{Name: "anonymize", Usage: "replace names of hosts, threads, classes, methods and files, " +
				"except the JDK's"},
			&cli.StringFlag{Name: "anonymize-key",
				Usage:       "replace equal names of several runs equally, by the secret in `FILE`",
				DefaultText: "a random key for each run"},
			&cli.StringFlag{Name: "states", Usage: "in pprof and collapsed, count threads in these `STATES`: " +
				stackprofile.All.String() + ", or all", Value: stackprofile.Of(stackprofile.Blocked).String()},
			&cli.StringFlag{Name: "blame", Hidden: true}, // trcx blame replaces it
			&cli.BoolFlag{Name: "counts", Usage: "in collapsed, write how often and not how long"},
		}, selectionFlags(), []cli.Flag{fromFlag(), toFlag(), skipFlag()}, readingFlags()),
		Action: func(c *cli.Context) error { return env.convert(c) },
	}
}

func (env *environment) convert(c *cli.Context) error {
	options, err := parseConvertFlags(c)
	if err != nil {
		return err
	}
	return env.convertFiles(c, namedFiles(c), options)
}

// files are the inputs and the output of a conversion.
type files struct {
	inputs []string
	from   string // the format of the inputs; "" to detect it
	output string // "" for the standard output
}

// namedFiles returns the files that the command line names.
func namedFiles(c *cli.Context) files {
	return files{c.Args().Slice(), c.String("from"), c.String("output")}
}

// convertFiles converts the inputs.
func (env *environment) convertFiles(c *cli.Context, files files, options convertOptions) error {
	reading, err := env.openReading(c, files.inputs, files.from)
	if err != nil {
		return err
	}
	defer reading.close()
	out, err := env.openOutputs(files.output, options.format, reading.inputs, options.strict)
	if err != nil {
		return err
	}
	defer env.close(out...)
	w, err := options.format.sink(conversion{
		convertOptions: options, inputs: reading.inputs, name: options.traceName(files.inputs[0]), out: out,
		errors: func() int { return reading.diagnostics.errors }, stage: reading.stage,
	})
	if err != nil {
		return err
	}
	reading.diagnostics.strict = options.strict
	progress := env.startProgress(reading.inputs, reading.silent)
	err = reading.convert(c.Context, w, options)
	progress.stop()
	reading.diagnostics.finish()
	switch {
	case err != nil:
		return err
	case reading.diagnostics.strict && reading.diagnostics.errors > 0:
		return reading.verdict()
	}
	if err := env.commit(out...); err != nil {
		return err
	}
	if w.advice != nil {
		if advice := w.advice(); advice != "" {
			reading.warn("%s", advice)
		}
	}
	if w.filter != nil {
		reading.warnEmpty(w.filter, "the input")
	}
	return reading.verdict()
}

// convert reads the inputs into the sink, and ends it.
func (r *reading) convert(ctx context.Context, w *writing, options convertOptions) error {
	sink := w.sink
	if options.key != nil {
		sink = anonymize.New(sink, options.key)
	}
	if r.diagnostics.strict {
		strict := newStrict(sink, r.endStages, r.diagnostics)
		sink, r.options.OnFinding, r.options.OnOpen, r.options.Validation.Grammar = strict, strict.report, strict.opens,
			dtd.Trace()
	}
	if options.normal {
		sink = r.normalized(sink)
	}
	err, ended := r.read(ctx, r.inputs.Documents, sink), w.end()
	if err == nil && r.diagnostics.strict && r.diagnostics.errors > 0 {
		return nil // nothing is written
	}
	return errors.Join(err, ended)
}

// normalized returns a stage before the sink that writes elements as TPTP's agents do, and notes each change.
func (r *reading) normalized(sink convert.Sink) convert.Sink {
	r.options.FlattenUnknown = true
	document, opens := "", r.options.OnOpen
	r.options.OnOpen = func(name, format string) {
		if document = name; opens != nil {
			opens(name, format)
		}
	}
	return normalize.New(sink, func(_ int, change normalize.Change) {
		r.diagnostics.note("%s: normalized: %v", document, change)
	})
}

// strict is a stage that checks the elements of a conversion as validate does. It goes on to check if the result cannot
// be written, since the errors of an invalid input matter more, for which nothing is written anyway.
type strict struct {
	sink        convert.Sink
	flush       func() error // waits until the sink has everything
	failed      error        // the first error of the sink, which gets no more elements
	checker     *validate.Checker
	findings    *validate.Findings
	diagnostics *diagnostics
	document    string
}

func newStrict(sink convert.Sink, flush func() error, diagnostics *diagnostics) *strict {
	s := &strict{sink: sink, flush: flush, diagnostics: diagnostics}
	s.checker = validate.NewChecker(func(int) *validate.Findings { return s.findings })
	return s
}

// opens begins the findings of the next document.
func (s *strict) opens(document, format string) {
	s.checker.Logs = format != convert.Trcxml
	s.document = document
	s.findings = validate.NewFindings(validate.RuleSelection{}, 2*maxShown)
}

// report adds a finding of the reader. The finding that a document is not a trace is printed after all others.
func (s *strict) report(document string, finding trace.Finding) {
	if s.findings == nil || document != s.document || finding.Rule == convert.RuleNotTrace {
		s.diagnostics.report(document, finding)
		return
	}
	s.findings.AddByTable(finding)
}

// Begin begins a recording.
func (s *strict) Begin(session int) error {
	if err := s.checker.Begin(session); err != nil {
		return err
	}
	if s.failed == nil {
		s.failed = s.sink.Begin(session)
	}
	return nil
}

// Put checks the element and passes it on.
func (s *strict) Put(e *trace.Event) error {
	if err := s.checker.Put(e); err != nil {
		return err
	}
	if s.failed == nil {
		s.failed = s.sink.Put(e)
	}
	return nil
}

// End ends a recording, and reports its findings.
func (s *strict) End(ending trace.Ending) error {
	if err := s.checker.End(ending); err != nil {
		return err
	}
	result := s.findings.Result()
	s.findings = nil
	s.diagnostics.reportAll(s.document, result)
	if s.failed == nil {
		s.failed = s.sink.End(ending)
	}
	return nil
}

// Finish ends the result. An error of the sink matters only if the input is valid.
func (s *strict) Finish() error {
	if s.failed == nil {
		s.failed = s.sink.Finish()
	}
	if err := s.flush(); s.failed == nil {
		s.failed = err
	}
	if s.diagnostics.errors > 0 {
		return nil
	}
	return s.failed
}
