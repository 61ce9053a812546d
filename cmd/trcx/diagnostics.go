package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trcx/trcx/cmd/optionflag"
	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// diagnostics prints the first findings at once, and counts all of them.
type diagnostics struct {
	out              io.Writer
	quiet            bool // print errors only
	strict           bool // an error keeps the result from being written
	errors, warnings int
	unread           int      // the errors that say that an input has no known format
	notes            []string // on the inputs as a whole
	lacks            []lacks  // of the documents, if brief
	brief            bool     // what a document's format cannot express is printed as one line, at the end
	heap             bool     // and only if it matters for the heap
	live             bool     // the input is a running JVM: a format is not the user's choice
	unused           string   // the note on a flag that had no effect; "" if none
	// apart is set for a document that is read together with others. Its findings are kept for merge.
	apart bool
	kept  []keptFinding
}

// keptFinding is a finding to print later.
type keptFinding struct {
	document string
	finding  trace.Finding
}

// merge reports the findings that a branch has kept.
func (d *diagnostics) merge(branch *diagnostics) {
	errors, warnings := d.errors+branch.errors, d.warnings+branch.warnings
	for _, f := range branch.kept {
		d.report(f.document, f.finding)
	}
	d.errors, d.warnings = errors, warnings
	d.notes, d.lacks = append(d.notes, branch.notes...), append(d.lacks, branch.lacks...)
}

// note keeps a message, to print it after all inputs have been read.
func (d *diagnostics) note(format string, arguments ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, arguments...))
}

// unsupported notes something that a document's format cannot express.
func (d *diagnostics) unsupported(document string, lack trace.Lack) {
	lack.Means = strings.ReplaceAll(lack.Means, optionflag.Metadata, optionflag.Of(optionflag.Metadata))
	if d.heap && !lack.Heap {
		return
	}
	if !d.brief {
		d.note("%s has no %s: %s", document, lack.What, lack.Means)
		return
	}
	if n := len(d.lacks); n == 0 || d.lacks[n-1].document != document {
		d.lacks = append(d.lacks, lacks{document: document})
	}
	last := &d.lacks[len(d.lacks)-1]
	if lack.Option != "" {
		last.option = lack.Option
		return
	}
	if !slices.Contains(last.whats, lack.What) { // the same input may be read twice
		last.whats, last.means = append(last.whats, lack.What), lack.Means
	}
}

// lacks are what the format of a document cannot express.
type lacks struct {
	document string
	whats    []string
	means    string // what the last of them means
	option   string // the option that records what the document's settings left out; "" if they left out nothing
}

// String returns the lacks in one line.
func (l *lacks) String() string {
	text := l.document + " has no " + phrase.List(l.whats, "or")
	switch {
	case len(l.whats) == 0:
		return fmt.Sprintf("%s lacks what its settings left out: %s records that", l.document, l.option)
	case l.option != "":
		return fmt.Sprintf("%s, and lacks what its settings left out: %s records that; trcx convert prints what each of "+
			"these means", text, l.option)
	case len(l.whats) == 1:
		return text + ": " + l.means
	}
	return text + ": trcx convert prints what each of these means; docs/formats has a page on how to record more"
}

// finishLacks prints what the formats cannot express, one line a document.
func (d *diagnostics) finishLacks() {
	for _, l := range d.lacks {
		if !d.quiet && !d.live {
			fmt.Fprintln(d.out, sanitize.Text(l.String()))
		}
	}
}

// maxShown limits the errors that are printed, and also the warnings.
const maxShown = 20

// report counts a finding, and prints it if it is one of the first of its kind. Inputs of no known format are counted
// apart, so that other errors do not keep their names from being printed.
func (d *diagnostics) report(document string, finding trace.Finding) {
	count := &d.errors
	switch {
	case finding.Severity == trace.Warning:
		count = &d.warnings
	case finding.Rule == convert.RuleNotTrace:
		d.errors++
		count = &d.unread
	}
	if *count++; *count > maxShown || d.quiet && finding.Severity == trace.Warning {
		return
	}
	if d.apart {
		d.kept = append(d.kept, keptFinding{document, finding})
		return
	}
	fmt.Fprintln(d.out, sanitize.Text(optionflag.InFinding(finding, "").In(document)))
}

// reportAll reports the findings collected for a document.
func (d *diagnostics) reportAll(document string, result *validate.Result) {
	errors, warnings := d.errors+result.Errors, d.warnings+result.Warnings
	for _, finding := range result.Findings {
		d.report(document, finding)
	}
	d.errors, d.warnings = errors, warnings
}

// finish prints the notes, and how many errors and warnings there were.
func (d *diagnostics) finish() {
	if d.unused != "" {
		d.note("%s", d.unused)
	}
	for _, note := range d.notes {
		if !d.quiet {
			fmt.Fprintln(d.out, sanitize.Text(note))
		}
	}
	if d.errors+d.warnings == 0 || d.quiet && d.errors <= maxShown {
		return
	}
	fmt.Fprintf(d.out, "%s, %s", phrase.Count(d.errors, "error"), phrase.Count(d.warnings, "warning"))
	if d.errors > maxShown || d.warnings > maxShown {
		fmt.Fprintf(d.out, " (the first %d of each are shown)", maxShown)
	}
	outcome := "; what could be read was used"
	if d.strict && d.errors > 0 {
		outcome = "; nothing was written (--strict)"
	}
	fmt.Fprintln(d.out, outcome)
}
