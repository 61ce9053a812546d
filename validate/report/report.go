// Package report prints what trcx validate found: for people (text), for programs (json), for services that show the
// results of analyses (sarif), for those that show the results of tests (junit), and for the log of a GitHub workflow
// (github).
//
// It is the end of the walk of a check: validate makes a Result of each document, and a Printer prints it. Results hold
// names and text from inputs that may be hostile. In what people read, characters that do something to a terminal or
// turn the direction of the text are shown as escapes, and what is very long is shortened; what programs read is exact.
// Each format does its own escaping on top.
package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// Printer prints the results of documents, one after the other.
type Printer interface {
	// Print prints the result of a document, or keeps what is to be printed at the end.
	Print(*validate.Result) error
	// Close prints the end; nothing may come after it. It does not close the writer.
	Close() error
}

// Options is what a Printer has to know beside the results.
type Options struct {
	Rules   []*validate.Rule // all rules that can have found something; a finding of any other rule is printed too
	Version string           // of trcx; "" leaves it out
	Started time.Time        // when the check began; junit says it
	Color   bool             // text is coloured by escape sequences
}

// format is a way to print results.
type format struct {
	name string
	open func(io.Writer, Options) Printer
}

var formats = []format{
	{"text", newText},
	{"json", newJSON},
	{"sarif", newSARIF},
	{"junit", newJUnit},
	{"github", newGitHub},
}

// Formats lists the names of the formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// New returns a printer that writes to out in the format of the name. It is an error if there is no such format.
func New(name string, out io.Writer, options Options) (Printer, error) {
	for _, f := range formats {
		if f.name == name {
			return f.open(out, options), nil
		}
	}
	return nil, fmt.Errorf("there is no format %q; trcx has %s", name, strings.Join(Formats(), ", "))
}

// located is file:line:column, file@offset where there are no lines, or the file alone where a finding is about no
// place in it.
func located(input string, f *trace.Finding) string {
	file := presentable(fileOf(input, f), longestName)
	if f.Place == (trace.Place{}) {
		return file
	}
	return f.Place.In(file)
}

// fileOf is the file in which the finding is.
func fileOf(input string, f *trace.Finding) string { return cmp.Or(f.File, input) }

// entrySeparator stands between the name of a zip and that of an entry.
const entrySeparator = "!"

// leadsOut says whether the name of an entry leads out of its zip by .., as only that of a hostile one does.
func leadsOut(entry string) bool {
	return slices.Contains(strings.FieldsFunc(entry, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

// tally says how much was found and how much of it is shown, such as "1200 errors, 1 warning, 1000 of them shown".
func tally(r *validate.Result) string {
	text := counted(r.Errors, r.Warnings)
	if r.Hidden() > 0 {
		text += fmt.Sprintf(", %d of them shown", len(r.Findings))
	}
	return text
}

// counted is such as "2 errors, 1 warning"; what there is none of is left out.
func counted(errors, warnings int) string {
	var parts []string
	if errors > 0 {
		parts = append(parts, phrase.Count(errors, "error"))
	}
	if warnings > 0 {
		parts = append(parts, phrase.Count(warnings, "warning"))
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}
