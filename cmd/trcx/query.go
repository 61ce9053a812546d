package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/query"
	emit "github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/suggest"
	"github.com/trcx/trcx/trace"
)

func queryCommand(env *environment) *cli.Command {
	return &cli.Command{
		Name:      "query",
		Usage:     "the elements that an XPath expression selects",
		UsageText: "trcx query XPATH INPUT… [--format trcxml|json|count|text] [--max N]",
		Description: `XPATH is an expression in a part of XPath 1.0: paths and conditions, as docs/query.md describes. It is evaluated on one
element of TRACE at a time, so that the trace may have any length. Relative paths begin at TRACE: monWait is the same as
/TRACE/monWait. A condition, such as //monWait/@timeout > 0, selects the elements of TRACE for which it is true.

Elements are printed as a trace, which trcx reads again; attributes and texts as lines.

The exit status is 0, whether something was found or not; --format count prints how much.

Examples:
   trcx query '//monWait[@timeout > 0]' app.trcxml
   trcx query '//threadStart/@threadName' app.trcxml
   trcx query '*[@threadIdRef = "12" or @threadId = "12"]' app.trcxml -o thread-12.trcxml
   trcx query '//monContendedEnter[not(@threadOwner)]' app.trcxml --format count
   trcx query 'classDef[starts-with(@name, "java/util/")]' app.trcxml --format json | jq .`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "format", Usage: "print results as `FORMAT`: trcxml, json, count, or text",
				DefaultText: "trcxml for elements, text for attributes and texts"},
			jsonFlag(),
			atLeast(1, &cli.IntFlag{Name: "max", Usage: "stop after `NUMBER` results", DefaultText: "all"}),
			outputFlag(),
			fromFlag(),
		}, readingFlags()...),
		Action: func(c *cli.Context) error { return env.query(c) },
	}
}

func (env *environment) query(c *cli.Context) error {
	switch {
	case c.NArg() == 0:
		return usageHelp("name an XPath expression and a trace, such as '//monWait' app.trcxml")
	case c.NArg() == 1:
		return usage("name a trace to read after the expression %s, or - for the standard input", c.Args().First())
	}
	q, err := query.Compile(c.Args().First())
	if wrong, ok := errors.AsType[*query.Error](err); ok {
		env.printWrongExpression(wrong)
		return programExit(exitUsage)
	}
	formats := q.Formats()
	if format := c.String("format"); (format == query.XML || format == query.Text) && format != formats[0] {
		return usage("%s", unfit(format, formats[0]))
	}
	return env.analyse(c, c.Args().Slice()[1:], c.String("from"), formats,
		func(ctx context.Context, a *analysis) (*answer.Answer, error) {
			printer := query.NewPrinter(a.format, a.out, emit.Append)
			finder := query.NewFinder(q, printer.Result)
			finder.Most, finder.Report = c.Int("max"), a.options.OnFinding
			a.options.OnOpen = func(document, _ string) { finder.Document = document }
			if err := a.read(ctx, a.inputs.Documents, finder); err != nil && !errors.Is(err, query.ErrEnough) {
				return nil, err
			}
			if finder.Found() == 0 && !c.Bool("quiet") {
				env.doubts(q)
			}
			a.others = map[string]func(io.Writer) error{
				a.format: func(io.Writer) error { return printer.Close(finder.Found()) },
			}
			return nil, nil
		})
}

// unfit returns why the format cannot express the selection. byDefault is the selection's default format.
func unfit(format, byDefault string) string {
	switch byDefault {
	case query.XML:
		return "the expression selects elements; for their attributes as text add /@name, or /@* for all of them"
	case query.Text:
		return "the expression selects attributes or texts, which are no elements; leave out --format " + format +
			", or write [@…] instead of /@…"
	}
	return "the expression selects elements and values; they can be printed as json"
}

// doubts prints, for an expression without results, the names that no element or attribute of the format has.
func (env *environment) doubts(q *query.Query) {
	var elements, attributes []string
	for element := range trace.Elements() {
		elements = append(elements, element.Name)
		for _, a := range element.Attributes {
			attributes = append(attributes, a.Name)
		}
	}
	doubt := func(what string, names, known []string) {
		for i, name := range names {
			if !slices.Contains(known, name) && !slices.Contains(names[:i], name) {
				env.print("query: no %s of traces is named %s%s", what, name, didYouMean(suggest.Nearest(name, known), ""))
			}
		}
	}
	doubt("element", q.Elements, elements)
	doubt("attribute", q.Attributes, attributes)
}

// printWrongExpression prints the error in the expression, with a caret under its column, and what is supported.
func (env *environment) printWrongExpression(wrong *query.Error) {
	const around = 60 // limit of the characters on each side
	text := []rune(strings.Map(oneLine, wrong.Expression))
	at := min(wrong.Column()-1, len(text))
	begin, end := max(at-around, 0), min(at+around, len(text))
	before, after := sanitize.Text(string(text[begin:at])), sanitize.Text(string(text[at:end]))
	fmt.Fprintf(env.stderr, "trcx: query: character %d of the expression: %s\n    %s%s\n    %s^\n%s\n",
		wrong.Column(), sanitize.Text(wrong.Message), before, after, strings.Repeat(" ", len([]rune(before))),
		query.Supported)
}

// oneLine replaces white space by a blank.
func oneLine(r rune) rune {
	if r == '\n' || r == '\t' || r == '\r' {
		return ' '
	}
	return r
}
