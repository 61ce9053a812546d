package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/cmd/optionflag"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
	"github.com/trcx/trcx/validate/report"
	"github.com/trcx/trcx/validate/schema"
)

// The values of --dtd that are not files.
const (
	dtdOfTraces = ""
	dtdOwn      = "auto"
	dtdNone     = "none"
)

// defaultFindings is the default limit of printed findings of a document.
const defaultFindings = 1000

func validateCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check traces against the DTD and the rules of threads and monitors",
		UsageText: "trcx validate INPUT… [--format text|json|sarif|junit|github] [--dtd FILE|auto|none] [--rules …]",
		Description: `INPUT is a trace, or a model that convert wrote (json, jsonl), which is checked against its JSON Schema;
.gz, .zst and .zip are opened by their content, and - is the standard input.

An input with errors is invalid: exit status 1. Warnings alone are not, unless --warnings-as-errors is given.
Findings go to the standard output; a line on each valid input goes to standard error (not with --quiet).

--rules -ID,-ID leaves these rules out; --rules ID,ID checks only these semantic rules, --rules none no semantic rule.
--explain ID explains a rule and its remedy, --explain all lists the rules.

Examples:
   trcx validate app.trcxml
   trcx validate app.trcxml --rules -class-undefined,-method-undefined
   trcx validate app.trcxml --format sarif > app.sarif
   trcx validate app.trcxml --dtd none --rules none  only whether it is well-formed
   trcx validate --explain thread-dead`,
		Flags: append([]cli.Flag{
			choice(&cli.StringFlag{Name: "format", Usage: "print the findings as `FORMAT`", DefaultText: "text"},
				report.Formats()),
			jsonFlag(),
			&cli.StringFlag{Name: "dtd",
				Usage: "validate against the DTD in `FILE`, or the document's own DOCTYPE (auto), or check only that it is " +
					"well-formed (none)", DefaultText: "the DTD of traces"},
			&cli.StringFlag{Name: "rules", Usage: "the `RULES` to check, or with a minus those to leave out",
				DefaultText: "all"},
			atLeast(1, &cli.IntFlag{Name: "max-findings",
				Usage: "show at most `NUMBER` findings of an input; all are counted", Value: defaultFindings}),
			&cli.BoolFlag{Name: "warnings-as-errors", Usage: "make an input with warnings invalid"},
			&cli.StringFlag{Name: "explain", Usage: "explain the `RULE`, or list all rules (all), and read nothing"},
			fromFlag(fromJSON, schema.Lines, schema.Model),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage: "write the findings to `FILE` instead of the standard output; your umask sets its permissions"},
		}, inputFlags("print nothing about valid inputs")...),
		Action: func(c *cli.Context) error { return env.validate(c) },
	}
}

// fromJSON is convert's name for the format of models.
const fromJSON = "json"

// validation checks inputs according to the command line.
type validation struct {
	*reading
	selection        validate.RuleSelection
	maxFindings      int
	warningsAsErrors bool
	format           string
	printer          report.Printer
	judged           bool // at least one input was
	invalid          bool // at least one input was
	unread           bool // an input was not read
	refused          convert.Refused
}

func (env *environment) validate(c *cli.Context) error {
	if c.IsSet("explain") {
		return env.explain(c)
	}
	if err := needInput(c.Args().Slice()); err != nil {
		return err
	}
	v, err := env.newValidation(c)
	if err != nil {
		return err
	}
	defer v.close()
	declared, err := v.useGrammar(c.String("dtd"))
	if err != nil {
		return err
	}
	unopened := openAll(v.inputs, c.Args().Slice())
	out, err := env.openOutput(c.String("output"), &outputFormat{}, v.inputs, false)
	if err != nil {
		return err
	}
	defer env.close(out)
	version, _ := builtVersion()
	v.printer, err = report.New(v.format, out, report.Options{
		Rules: slices.Concat(validate.Rules(), otherRules()), Version: version,
		Started: time.Now(), Color: out.colored(),
	})
	if err != nil {
		return usage("%v", err)
	}
	progress := env.startProgress(v.inputs, v.silent)
	err = v.all(c.Context, declared, unopened)
	progress.stop()
	if err == nil { // otherwise an error of writing would be printed twice
		err = v.printer.Close()
	}
	if err != nil {
		return err
	}
	if err := env.commit(out); err != nil {
		return err
	}
	switch {
	case v.unread:
		return errUnread
	case v.invalid:
		return errFindings
	}
	return nil
}

// openAll opens the inputs and returns the errors for those that cannot be opened.
func openAll(inputs *convert.Inputs, names []string) (unopened []*convert.InputError) {
	for _, name := range names {
		if trouble, ok := errors.AsType[*convert.InputError](inputs.Add(name)); ok {
			unopened = append(unopened, trouble)
		}
	}
	return unopened
}

// newValidation applies the flags.
func (env *environment) newValidation(c *cli.Context) (*validation, error) {
	format, err := namedFormat(c)
	if err != nil {
		return nil, err
	}
	selection, err := validate.ParseSelection(c.String("rules"), otherRules()...)
	if err != nil {
		return nil, usage("--rules: %v", err)
	}
	reading, err := env.newReading(c, c.String("from"))
	if err != nil {
		return nil, err
	}
	reading.options.OnFinding, reading.options.OnUnsupported = nil, nil // validate.Check collects findings
	reading.options.Validation = trcxml.Validation{Any: true, Open: reading.options.Validation.Open,
		Quote: validate.NewQuote, QuoteAt: validate.QuoteAt, NamesOnly: !selection.Any(validate.Meaning)}
	return &validation{
		reading: reading, selection: selection, maxFindings: c.Int("max-findings"),
		warningsAsErrors: c.Bool("warnings-as-errors"), format: cmp.Or(format, "text"),
	}, nil
}

// useGrammar validates with the grammar of --dtd. The result has the findings in the DTD itself, nil for the names that
// are not files. The file is an input, so the output cannot overwrite it.
func (v *validation) useGrammar(name string) (declared *validate.Result, err error) {
	judgement := &v.options.Validation
	switch name {
	case dtdOfTraces:
		judgement.Grammar = dtd.Trace()
		return nil, nil
	case dtdOwn:
		judgement.Own = true
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
	v.inputs.Protect(info)
	grammar, err := dtd.Parse(file, dtd.Options{Limits: v.options.Limits, Open: judgement.Open, Location: name})
	if unread, ok := errors.AsType[*os.PathError](err); ok && unread.Path == name {
		return nil, fmt.Errorf("%s cannot be read: %w", name, unread.Err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	judgement.Grammar = grammar
	findings := validate.NewFindings(v.selection, v.maxFindings)
	for _, f := range grammar.Findings() {
		findings.Add(trcxml.FindingOf(f))
	}
	result := findings.Result()
	result.Input = name
	return result, nil
}

// all checks the documents and prints the results. The error is an error of printing or of ctx.
func (v *validation) all(ctx context.Context, declared *validate.Result, unopened []*convert.InputError) error {
	if declared != nil && len(declared.Findings) > 0 {
		if err := v.print(declared); err != nil {
			return err
		}
	}
	if err := v.printUnread(unopened...); err != nil {
		return err
	}
	documents, jobs := v.inputs.Documents, jobsFor(v.inputs.Documents)
	type outcome struct {
		*reading
		findings *validate.Findings
		err      error
	}
	outcomes, branch := make([]outcome, len(documents)), v.branches(jobs)
	err := inOrder(ctx, len(documents), jobs, func(ctx context.Context, i int) {
		o := &outcomes[i]
		o.reading, o.findings = branch(), validate.NewFindings(v.selection, v.maxFindings)
		o.err = o.reading.check(ctx, &documents[i], o.findings)
	}, func(i int) error {
		o := outcomes[i]
		outcomes[i] = outcome{}
		v.merge(o.reading)
		return v.conclude(ctx, documents[i].Name, o.findings, o.err)
	})
	if err == nil {
		err = v.printUnread(v.refused.Without(v.metadata)...)
	}
	if err != nil {
		return err
	}
	if metadata := v.options.Metadata; metadata != "" && !v.logs && !v.diagnostics.quiet && !v.unread {
		fmt.Fprintln(v.env.stderr, sanitize.Text(unusedMetadata(metadata)))
	}
	return nil
}

// conclude prints the result of a document, given the error of its check. It returns errors of printing and of ctx.
func (v *validation) conclude(ctx context.Context, name string, findings *validate.Findings, err error) error {
	var trouble *convert.InputError
	switch failed := v.refused.Take(err); {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(failed, &trouble):
		return v.printUnread(trouble)
	case err != nil:
		return failed // nil for a document that is refused
	}
	v.judged = true
	result := findings.Result()
	result.Input = name
	err = v.print(result)
	if err == nil && !v.diagnostics.quiet && result.Errors+result.Warnings == 0 {
		fmt.Fprintf(v.env.stderr, "%s: valid\n", sanitize.Text(name))
	}
	return err
}

// printUnread prints that inputs could not be read. Formats for programs get a result for each, too. In the text, an
// input of no known format has a finding instead if others were judged.
func (v *validation) printUnread(inputs ...*convert.InputError) (err error) {
	for _, trouble := range inputs {
		v.unread = true
		isResult := v.judged && trouble.IsNoTrace()
		if v.format != "text" || !isResult {
			v.env.print("%v", trouble)
		}
		if v.format == "text" && !isResult {
			continue
		}
		err = v.printer.Print(&validate.Result{Input: trouble.Document, Errors: 1, Counts: map[string]int{
			convert.RuleNotTrace: 1}, Findings: []trace.Finding{optionflag.InFinding(trouble.Finding(), "")}})
		if err != nil {
			break
		}
	}
	return err
}

// check checks one document.
func (r *reading) check(ctx context.Context, document *convert.Document, findings *validate.Findings) error {
	head, text, err := document.Open()
	if err != nil {
		return err
	}
	name, isModel := schema.Recognise(head)
	isModel = isModel && convert.FormatOf(head) == "" // a thread dump can also be JSON
	if from := r.options.Format; from != "" {
		name, isModel = from, !slices.Contains(convert.Formats(), from)
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
	options := r.options
	options.OnOpen = func(_, format string) { r.logs = r.logs || format == convert.Monlog }
	options.OnMetadata = r.usesMetadata
	return validate.Check(ctx, []convert.Document{document.Of(text)}, options, findings)
}

// print prints the result of an input.
func (v *validation) print(result *validate.Result) error {
	if v.warningsAsErrors {
		result.Errors, result.Warnings = result.Errors+result.Warnings, 0
		for i := range result.Findings {
			result.Findings[i].Severity = trace.Error
		}
	}
	for i, finding := range result.Findings {
		result.Findings[i] = optionflag.InFinding(finding, "")
	}
	v.invalid = v.invalid || !result.Valid()
	return v.printer.Print(result)
}

// explain prints the explanation of a rule, or the list of all rules.
func (env *environment) explain(c *cli.Context) error {
	if c.Args().Present() {
		return usage("--explain reads no input; leave %s out", c.Args().First())
	}
	id := c.String("explain")
	others := otherRules()
	rules := slices.Concat(validate.Rules(), others)
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
		return usage("%v", validate.UnknownRule(id, others...))
	}
	fmt.Fprintf(&text, "%s: %s\nIt finds: %s.\n\n%s\n", rule.ID, rule.Severity, rule.Summary, rule.Explanation)
	if rule.Example != "" {
		fmt.Fprintf(&text, "\nFor example:\n\n%s\n", indented(rule.Example))
	}
	_, err := fmt.Fprint(env.stdout, text.String())
	return err
}

// otherRules returns the rules of models and of the readers of other logs.
func otherRules() []*validate.Rule {
	return slices.Concat(schema.Rules(), validate.OfLogs(convert.Rules()))
}

func longestID(rules []*validate.Rule) (longest int) {
	for _, rule := range rules {
		longest = max(longest, len(rule.ID))
	}
	return longest
}

// indented returns the text with spaces before each line.
func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
