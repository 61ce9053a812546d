package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
	"github.com/trcx/trcx/validate/report"
	"github.com/trcx/trcx/validate/schema"
)

// What --dtd may be besides the name of a file.
const (
	dtdOfTraces = ""
	dtdOwn      = "auto"
	dtdNone     = "none"
)

// defaultFindings is how many findings of a document are shown.
const defaultFindings = 1000

func validateCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check traces: their form by the DTD, and whether what they say can have happened",
		UsageText: "trcx validate INPUT… [--format text|json|sarif|junit|github] [--dtd FILE|auto|none] [--rules …]",
		Description: `INPUT is a trace, or a model that convert wrote (json, jsonl), which is checked against its JSON Schema;
.gz, .zst and .zip are opened by their content, and - is the standard input.

An input with errors is invalid: exit status 1. Warnings alone are not, unless --warnings-as-errors is given.
Findings go to the standard output; a line on each valid input goes to standard error (not with --quiet).

--rules -ID,-ID leaves these rules out; --rules ID,ID keeps only these of the rules of meaning; --rules none leaves all of
those out. --explain ID tells what a rule means and what to do, --explain all lists the rules.

Examples:
   trcx validate app.trcxml
   trcx validate app.trcxml --rules -class-undefined,-method-undefined
   trcx validate app.trcxml --format sarif > app.sarif
   trcx validate app.trcxml --dtd none --rules none  only whether it is well-formed
   trcx validate --explain thread-dead`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "print the findings as `FORMAT`: " + strings.Join(report.Formats(),
				", "), Value: "text"},
			&cli.StringFlag{Name: "dtd",
				Usage: "judge by the DTD in `FILE`; by the document's own DOCTYPE (auto); or only whether it is " +
					"well-formed (none)", DefaultText: "the DTD of traces"},
			&cli.StringFlag{Name: "rules", Usage: "the `RULES` to check, or with a minus those to leave out",
				DefaultText: "all"},
			&cli.IntFlag{Name: "max-findings",
				Usage: "show at most this `NUMBER` of an input's findings; all are counted", Value: defaultFindings},
			&cli.BoolFlag{Name: "warnings-as-errors", Usage: "make an input with warnings invalid",
				DisableDefaultText: true},
			&cli.StringFlag{Name: "explain", Usage: "explain the `RULE`, or list all rules (all), and read nothing"},
			&cli.StringFlag{Name: "from", Usage: "input `FORMAT`, where the content does not tell: " +
				strings.Join(validateFormats(), ", ")},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage: "write the findings to `FILE` instead of the standard output"},
			externalFlag(),
			metaFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing about what is valid",
				DisableDefaultText: true},
			&cli.BoolFlag{Name: "no-progress", Usage: "do not draw the progress of long work",
				DisableDefaultText: true},
		}, limitFlags()...),
		Action: func(c *cli.Context) error { return env.validate(c) },
	}
}

// externalFlag opens a folder for what lies outside of a document.
func externalFlag() cli.Flag {
	return &cli.StringFlag{Name: "allow-external",
		Usage: "read external subsets and entities that lie in the folder `DIR`", DefaultText: "none are read"}
}

// fromJSON is what convert calls a model.
const fromJSON = "json"

func validateFormats() []string { return append(convert.Formats(), fromJSON, schema.Lines) }

// validation is what the command line asks of validate.
type validation struct {
	selection validate.Selection
	most      int
	warnings  bool // are errors
	from      string
	quiet     bool
	judgement trcxml.Judgement
	limits    dtd.Limits
	format    string
	printer   report.Printer
	metadata  string
	errors    bool // something invalid was found
	failed    bool // an input could not be read
	logs      bool // there was a monitor log among the inputs
}

func (env *environment) validate(c *cli.Context) error {
	if err := noEmptyFlags(c, "dtd", "output", "allow-external", "explain", "meta"); err != nil {
		return err
	}
	if c.IsSet("explain") {
		return env.explain(c)
	}
	if !c.Args().Present() {
		return usage("validate: name a trace to check, or - for the standard input (trcx validate --help says more)")
	}
	v, maxInput, err := newValidation(c)
	if err != nil {
		return err
	}
	inputs := convert.NewInputs(env.stdin, maxInput)
	defer inputs.Close()
	declared, err := v.useGrammar(c.String("dtd"), inputs)
	if err != nil {
		return err
	}
	if err := useMetadata(c, inputs); err != nil {
		return err
	}
	unopened := openAll(inputs, c.Args().Slice())
	out, err := env.openOutput(c.Command.Name, c.String("output"), &outputFormat{}, inputs, false)
	if err != nil {
		return err
	}
	defer env.close(out)
	version, _ := builtVersion()
	v.printer, err = report.New(c.String("format"), out, report.Options{
		Rules: slices.Concat(validate.Rules, otherRules()), Version: version, Started: time.Now(), Color: out.colored(),
	})
	if err != nil {
		return usage("validate: %v", err)
	}
	progress := env.startProgress(inputs, v.quiet || c.Bool("no-progress"))
	err = v.all(c.Context, env, declared, unopened, inputs.Documents)
	progress.stop()
	if err == nil { // or what could not be written would be said twice
		err = v.printer.Close()
	}
	if err != nil {
		return err
	}
	if err := env.commit(out); err != nil {
		return err
	}
	switch {
	case v.failed:
		return errUnread
	case v.errors:
		return errFindings
	}
	return nil
}

// openAll opens the inputs, and returns the errors of those that cannot be opened.
func openAll(inputs *convert.Inputs, names []string) (unopened []*convert.InputError) {
	for _, name := range names {
		var trouble *convert.InputError
		if err := inputs.Add(name); errors.As(err, &trouble) {
			unopened = append(unopened, trouble)
		}
	}
	return unopened
}

// newValidation reads the flags.
func newValidation(c *cli.Context) (*validation, int64, error) {
	if from := c.String("from"); from != "" && from != schema.Model && !slices.Contains(validateFormats(), from) {
		return nil, 0, usage("validate: there is no input format %q; trcx validate reads %s", from,
			strings.Join(validateFormats(), ", "))
	}
	if !slices.Contains(report.Formats(), c.String("format")) {
		return nil, 0, usage("validate: there is no format %q; trcx prints findings as %s", c.String("format"),
			strings.Join(report.Formats(), ", "))
	}
	if c.Int("max-findings") < 1 {
		return nil, 0, usage("validate: --max-findings must be a number above 0")
	}
	selection, err := validate.ParseSelection(c.String("rules"), otherRules()...)
	if err != nil {
		return nil, 0, usage("validate: --rules: %v", err)
	}
	limits, maxInput, err := limits(c)
	if err != nil {
		return nil, 0, err
	}
	open, err := openExternal(c)
	if err != nil {
		return nil, 0, err
	}
	return &validation{
		selection: selection, most: c.Int("max-findings"), warnings: c.Bool("warnings-as-errors"),
		from: c.String("from"), quiet: c.Bool("quiet"),
		limits: limits, format: c.String("format"), metadata: c.String("meta"),
		judgement: trcxml.Judgement{Any: true, Open: open, Quote: validate.NewQuote, QuoteAt: validate.QuoteAt,
			NamesOnly: !selection.Any(validate.Meaning)},
	}, maxInput, nil
}

// openExternal opens the folder that --allow-external names.
func openExternal(c *cli.Context) (dtd.Opener, error) {
	folder := c.String("allow-external")
	if !c.IsSet("allow-external") {
		return nil, nil
	}
	open, err := dtd.Dir(folder)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", folder, bare(err))
	}
	return open, nil
}

// useGrammar finds the grammar that --dtd names. What is wrong with a DTD itself is returned as the result of its file,
// which must not be overwritten.
func (v *validation) useGrammar(name string, inputs *convert.Inputs) (declared *validate.Result, err error) {
	switch name {
	case dtdOfTraces:
		v.judgement.Grammar = dtd.Trace()
		return nil, nil
	case dtdOwn:
		v.judgement.Own = true
		return nil, nil
	case dtdNone:
		return nil, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, bare(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("this is a directory; name the DTD in it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, bare(err))
	}
	inputs.Protect(info)
	grammar, err := dtd.Parse(file, dtd.Options{Limits: v.limits, Open: v.judgement.Open, Location: name})
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	v.judgement.Grammar = grammar
	findings := validate.NewFindings(v.selection, v.most)
	for _, f := range grammar.Findings() {
		findings.Add(trcxml.FindingOf(f))
	}
	result := findings.Result()
	result.Input = name
	return result, nil
}

// all checks the documents and prints the results. The error is one of printing, or that of ctx.
func (v *validation) all(ctx context.Context, env *environment, declared *validate.Result,
	unopened []*convert.InputError, documents []convert.Document) error {
	if declared != nil && len(declared.Findings) > 0 {
		if err := v.print(declared); err != nil {
			return err
		}
	}
	for _, trouble := range unopened {
		if err := v.unread(env, trouble); err != nil {
			return err
		}
	}
	for i := range documents {
		findings := validate.NewFindings(v.selection, v.most)
		err := v.check(ctx, &documents[i], findings)
		var trouble *convert.InputError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &trouble):
			err = v.unread(env, trouble)
		case err == nil:
			result := findings.Result()
			result.Input = documents[i].Name
			if err = v.print(result); err == nil && !v.quiet && result.Errors+result.Warnings == 0 {
				fmt.Fprintf(env.stderr, "%s: valid\n", sanitize.Text(documents[i].Name))
			}
		}
		if err != nil {
			return err
		}
	}
	if v.metadata != "" && !v.logs && !v.quiet && !v.failed {
		fmt.Fprintln(env.stderr, sanitize.Text(unusedMetadata(v.metadata)))
	}
	return nil
}

// unread says that an input could not be read. Where programs read the results, it has one.
func (v *validation) unread(env *environment, trouble *convert.InputError) error {
	v.failed = true
	fmt.Fprintf(env.stderr, "trcx: %s\n", sanitize.Text(trouble.Error()))
	if v.format == "text" {
		return nil
	}
	return v.printer.Print(&validate.Result{Input: trouble.Document, Errors: 1, Counts: map[string]int{
		convert.RuleNotTrace: 1}, Findings: []trace.Finding{
		{Rule: convert.RuleNotTrace, Place: trace.Place{Line: 1, Column: 1}, Message: trouble.Err.Error()},
	}})
}

// smallHeap makes the garbage of a trace be collected early. There is next to none, so this costs nothing, and the
// memory that is needed does not depend on whether the trace is long enough for it to be collected at all.
const smallHeap = 50

// check checks one document.
func (v *validation) check(ctx context.Context, document *convert.Document, findings *validate.Findings) error {
	head, text, err := document.Open()
	if err != nil {
		return err
	}
	name, isModel := schema.Recognise(head)
	isModel = isModel && convert.FormatOf(head) == "" // a thread dump can be JSON, too
	if v.from != "" {
		name, isModel = v.from, !slices.Contains(convert.Formats(), v.from)
		if name == fromJSON {
			name = schema.Model
		}
	}
	if isModel {
		defer text.Close()
		if err := schema.Check(ctx, text, name, findings.Add); err != nil {
			return &convert.InputError{Document: document.Name, Err: err}
		}
		return nil
	}
	defer debug.SetGCPercent(debug.SetGCPercent(smallHeap))
	return validate.Check(ctx, []convert.Document{document.Of(text)}, convert.Options{
		OnOpen: func(_, format string) { v.logs = v.logs || format == convert.Monlog },
		Format: v.from, Limits: v.limits, Judgement: v.judgement, Metadata: v.metadata,
	}, findings)
}

// print prints what was found in an input.
func (v *validation) print(result *validate.Result) error {
	if v.warnings {
		result.Errors, result.Warnings = result.Errors+result.Warnings, 0
		for i := range result.Findings {
			result.Findings[i].Severity = trace.Error
		}
	}
	v.errors = v.errors || !result.Valid()
	return v.printer.Print(result)
}

// explain prints what there is to know about a rule.
func (env *environment) explain(c *cli.Context) error {
	if c.Args().Present() {
		return usage("validate: --explain reads no input; leave %s out", c.Args().First())
	}
	id := c.String("explain")
	others := otherRules()
	rules := slices.Concat(validate.Rules, others)
	var text strings.Builder
	if id == "all" {
		for _, rule := range rules {
			fmt.Fprintf(&text, "%-*s  %-7s  %s\n", longestID(rules), rule.ID, rule.Severity, rule.Summary)
		}
		_, err := fmt.Fprint(env.stdout, text.String())
		return err
	}
	rule := validate.Lookup(id, others...)
	if rule == nil {
		return usage("validate: %v", validate.UnknownRule(id, others...))
	}
	fmt.Fprintf(&text, "%s: %s\nIt finds: %s.\n\n%s\n", rule.ID, rule.Severity, rule.Summary, rule.Explanation)
	if rule.Example != "" {
		fmt.Fprintf(&text, "\nFor example:\n\n%s\n", indented(rule.Example))
	}
	_, err := fmt.Fprint(env.stdout, text.String())
	return err
}

// otherRules are the rules that are none of traces: those of models, and those of the readers of other logs.
func otherRules() []*validate.Rule {
	return slices.Concat(schema.Rules, validate.OfLogs(convert.Rules()))
}

func longestID(rules []*validate.Rule) (longest int) {
	for _, rule := range rules {
		longest = max(longest, len(rule.ID))
	}
	return longest
}

// indented is a text with spaces before each line.
func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
