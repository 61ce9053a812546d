package main

import (
	"context"
	"fmt"
	"html/template"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/diff"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/fleet/storage"
	"github.com/trcx/trcx/fleet/tables"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
)

const statsHelp = `trcx-fleet stats FOLDER [--by LABELS] [--format text|json|csv|markdown]

The sums of a run, without the traces: FOLDER is one that trcx-fleet run has written. LABELS are some of those of the run,
and divide the sums; by default there is one sum over all. JSON and CSV have the rows of one table, classes unless --table
names another one.

Examples:
   trcx-fleet stats out
   trcx-fleet stats out --by service --table callers --format csv
`

const diffHelp = `trcx-fleet diff FOLDER --base LABEL=VALUE --head LABEL=VALUE [--fail-on THRESHOLDS]

What became slower from the traces of the base to those of the head, judged as trcx diff does: differences that can be
chance are shown only with --all. Several LABEL=VALUE are separated by commas, and all must fit.

--fail-on makes the exit status 1 if the head exceeds one of the thresholds, as in trcx diff: 'blocked>10%,waited:app.*>50ms'.

Example:
   trcx-fleet diff out --base release=1.4 --head release=1.5 --fail-on 'blocked>10%'
`

const reportHelp = `trcx-fleet report FOLDER [-o FILE.html] [--by LABELS]

The sums of a run as one page that needs no server.

Example:
   trcx-fleet report out -o fleet.html
`

// answerFlags are flags of commands that read the rows of a run.
type answerFlags struct {
	*flags
	by, format, table, out, base, head, failOn string
	top                                        int
	everything, beyondNoise                    bool
}

func newAnswerFlags(command, help string, top int) *answerFlags {
	f := &answerFlags{flags: newFlags(command, help)}
	f.StringVar(&f.out, "o", "", "write into the `FILE` instead of the standard output")
	f.IntVar(&f.top, "top", top, "show `NUMBER` rows of each table; 0 for all")
	return f
}

// open parses the flags, and returns the rows of the folder.
func (f *answerFlags) open(ctx context.Context, args []string, stdout io.Writer) (labels []string, all []rows.Row, err error) {
	folders, rest, err := f.parse(args, stdout)
	switch {
	case err != nil:
		return nil, nil, err
	case len(folders) != 1 || len(rest) > 0:
		return nil, nil, usage("want one folder that trcx-fleet run has written, not %d", len(folders)+len(rest))
	case f.top < 0:
		return nil, nil, usage("--top: %d is less than 0", f.top)
	case f.format != "" && !slices.Contains([]string{"text", "json", "csv", "markdown"}, f.format):
		return nil, nil, usage("--format: %q is none of text, json, csv, markdown", f.format)
	}
	if err := hasEnded(ctx, folders[0]); err != nil {
		return nil, nil, err
	}
	labels, all, err = readRows(ctx, folders[0])
	if err != nil {
		return nil, nil, err
	}
	for _, label := range list(f.by) {
		if !slices.Contains(labels, label) {
			return nil, nil, usage("--by: the rows have no label %q; they have %s", label, named(labels))
		}
	}
	return labels, all, nil
}

// named lists labels for people.
func named(labels []string) string {
	if len(labels) == 0 {
		return "none: name them in trcx-fleet run --by"
	}
	return strings.Join(labels, ", ")
}

// write writes the output of a command.
func (f *answerFlags) write(ctx context.Context, stdout io.Writer, write func(io.Writer) error) error {
	if f.out == "" {
		return write(stdout)
	}
	return storage.Write(ctx, f.out, write)
}

// print prints a report for people.
func (f *answerFlags) print(out io.Writer, report *answer.Answer) error {
	o := answers.Options{All: "--top 0 shows all"}
	if f.format == "markdown" {
		return answers.WriteMarkdown(out, report, o)
	}
	if file, ok := out.(*os.File); ok {
		o.Width, _, _ = term.GetSize(int(file.Fd())) // 0, no limit, if it is no terminal
	}
	return answers.WriteText(out, report, o)
}

// stats prints the sums of a run.
func stats(ctx context.Context, args []string, stdout io.Writer) error {
	f := newAnswerFlags("stats", statsHelp, 10)
	f.StringVar(&f.by, "by", "", "divide the sums by the `LABELS`, separated by commas")
	f.StringVar(&f.format, "format", "text", "answer as `FORMAT`: text, json, csv or markdown")
	f.StringVar(&f.table, "table", "classes", "in JSON and CSV, answer with the `TABLE`")
	labels, all, err := f.open(ctx, args, stdout)
	if err != nil {
		return err
	}
	by := list(f.by)
	if f.format == "json" || f.format == "csv" {
		made := tables.All(all, labels, by)
		at := slices.IndexFunc(made, func(t tables.Table) bool { return t.Name == f.table })
		if at < 0 {
			var names []string
			for _, t := range made {
				names = append(names, t.Name)
			}
			return usage("--table: %q is none of %s", f.table, strings.Join(names, ", "))
		}
		return f.write(ctx, stdout, func(out io.Writer) error { return made[at].Write(out, f.format) })
	}
	report := &answer.Answer{Report: func() *answer.Report { return tables.Report(all, labels, by, f.top) }}
	return f.write(ctx, stdout, func(out io.Writer) error { return f.print(out, report) })
}

// compare prints what changed from one part of the traces to another.
func compare(ctx context.Context, args []string, stdout io.Writer) error {
	f := newAnswerFlags("diff", diffHelp, 10)
	f.StringVar(&f.base, "base", "", "compare with the traces that have the `LABELS`, as release=1.4")
	f.StringVar(&f.head, "head", "", "compare the traces that have the `LABELS`, as release=1.5")
	f.StringVar(&f.failOn, "fail-on", "", "make the exit status 1 if one of the `THRESHOLDS` is exceeded")
	f.BoolVar(&f.beyondNoise, "beyond-noise", false, "apply thresholds only to differences beyond noise")
	f.BoolVar(&f.everything, "all", false, "show also what has changed within noise")
	f.StringVar(&f.format, "format", "text", "answer as `FORMAT`: text, json, csv or markdown")
	labels, all, err := f.open(ctx, args, stdout)
	if err != nil {
		return err
	}
	parts, remark, err := f.sides(all, labels)
	if err != nil {
		return err
	}
	var thresholds []diff.Threshold
	if f.failOn != "" {
		if thresholds, err = diff.ParseThresholds(f.failOn); err != nil {
			return usage("--fail-on: %v", err)
		}
	}
	comparison := diff.Compare(parts[0], parts[1])
	outcomes, exceeded, err := comparison.Check(thresholds, f.beyondNoise)
	if err != nil {
		return usage("--fail-on: %v", err)
	}
	result := comparison.Answer(outcomes, diff.Options{All: f.everything, SeeAll: " (--all shows every row)", Top: f.top}).
		Under(func() []string { return []string{remark} })
	err = f.write(ctx, stdout, func(out io.Writer) error {
		switch f.format {
		case "json":
			return answers.WriteJSON(out, result)
		case "csv":
			return answers.WriteCSV(out, result)
		}
		return f.print(out, result)
	})
	if err == nil && exceeded {
		return errFindings
	}
	return err
}

// sides returns the statistics of the base and of the head, and says how many traces they are of.
func (f *answerFlags) sides(all []rows.Row, labels []string) (parts [2]*contention.Statistics, remark string, err error) {
	base := map[string]bool{} // the values of its labels
	var texts []string
	for i, side := range [...]struct{ name, selected string }{{"base", f.base}, {"head", f.head}} {
		of, err := part(all, labels, side.name, side.selected)
		if err != nil {
			return parts, "", err
		}
		for _, row := range of {
			if i == 0 {
				base[row.Labels] = true
			} else if base[row.Labels] {
				return parts, "", usage("--base and --head: both have the traces with %s; name parts that have none in common",
					named(row.LabelValues(len(labels))))
			}
		}
		parts[i] = tables.Statistics(tables.Merge(of, labels, nil))
		length := uint64(0)
		for _, t := range parts[i].Traces {
			length += uint64(t.Duration)
		}
		if len(parts[i].Traces) == 0 {
			return parts, "", fmt.Errorf("the files with %s are all dead: there is nothing to compare", side.selected)
		}
		texts = append(texts, fmt.Sprintf("%s (%s) has %s of %s in all", side.name, side.selected,
			phrase.Count(len(parts[i].Traces), "trace"), phrase.Total(length)))
	}
	return parts, "The " + strings.Join(texts, ", the ") + ".", nil
}

// part returns the rows that have the labels of a flag.
func part(all []rows.Row, labels []string, name, selected string) ([]rows.Row, error) {
	if selected == "" {
		return nil, usage("--%s: name the traces by their labels, as --%s release=1.4; the rows have %s", name, name, named(labels))
	}
	for _, item := range list(selected) {
		label, value, ok := strings.Cut(item, "=")
		at := slices.Index(labels, label)
		if !ok || at < 0 {
			return nil, usage("--%s: %q is no LABEL=VALUE; the rows have %s", name, item, named(labels))
		}
		of := rows.Trace // the table that has all values
		if label == analyse.HourLabel {
			of = rows.Hour
		}
		known := map[string]bool{}
		var kept []rows.Row
		for _, row := range all {
			found := row.LabelValues(len(labels))[at]
			if row.Table == of {
				known[found] = true
			}
			if found == value {
				kept = append(kept, row)
			}
		}
		if !known[value] {
			return nil, usage("--%s: no rows have %s; %s has the values %s", name, item, label, values(known))
		}
		all = kept
	}
	return all, nil
}

// values lists the first values of a label.
func values(known map[string]bool) string {
	var names []string
	for value := range known {
		names = append(names, fmt.Sprintf("%q", value))
	}
	slices.Sort(names)
	if len(names) > 10 {
		names = append(names[:10], "…")
	}
	return strings.Join(names, ", ")
}

// page is the page of a report.
var page = template.Must(template.New("page").Funcs(template.FuncMap{"words": func(cell any) string {
	return sanitize.Text(answers.Words(cell))
}}).Parse(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>trcx-fleet: {{.Headline}}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #222; background: #fff; overflow-wrap: anywhere }
h1 { font-size: 1.3rem } h2 { font-size: 1.05rem; margin-top: 2rem } p { margin: .2rem 0 } div { overflow-x: auto }
table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid #ddd }
td { min-width: 7rem; vertical-align: top } .n { text-align: right; min-width: 0; white-space: nowrap; font-variant-numeric: tabular-nums }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b } td, th { border-color: #444 } }
</style></head><body>
<h1>{{.Headline}}</h1>
{{range .Remarks}}<p>{{words .}}</p>
{{end}}{{range .Tables}}{{$columns := .Columns}}<h2>{{words .Title}}</h2>
<div><table><tr>{{range $columns}}<th{{if .Right}} class="n"{{end}}>{{.Name}}</th>{{end}}</tr>
{{range .Rows}}<tr>{{range $i, $cell := .}}<td{{if (index $columns $i).Right}} class="n"{{end}}>{{words $cell}}</td>{{end}}</tr>
{{end}}</table></div>
{{if .More}}<p>and {{.More}} more; trcx-fleet report --top 0 shows all</p>{{end}}
{{end}}</body></html>
`))

// writePage writes the report of sorted rows as a page.
func writePage(out io.Writer, all []rows.Row, labels, by []string, top int) error {
	return page.Execute(out, tables.Report(all, labels, by, top))
}

// report writes the sums of a run as a page.
func report(ctx context.Context, args []string, stdout io.Writer) error {
	f := newAnswerFlags("report", reportHelp, pageRows)
	f.StringVar(&f.by, "by", "", "divide the sums by the `LABELS`, separated by commas")
	labels, all, err := f.open(ctx, args, stdout)
	if err != nil {
		return err
	}
	return f.write(ctx, stdout, func(out io.Writer) error { return writePage(out, all, labels, list(f.by), f.top) })
}
