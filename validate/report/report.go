// Package report prints the findings of package validate: for people (text), for programs (json), for services that
// show the results of analyses (sarif) or of tests (junit), and as annotations of a GitHub workflow (github).
//
// A Printer prints the validate.Result of each document. Results have names and text from inputs that may be hostile.
// In the formats for people, control characters and those that change the direction of the text are shown as escapes,
// and long text is clipped; the formats for programs are exact. Each format adds its own escaping.
package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// Printer prints the results of documents, one after the other.
type Printer interface {
	// Print prints the result of a document, or keeps it for Close.
	Print(*validate.Result) error
	// Close prints the end; no Print may follow. It does not close the writer.
	Close() error
}

// Options has the values that a Printer needs in addition to the results.
type Options struct {
	Rules   []*validate.Rule // described in sarif and junit; findings of other rules are printed, too
	Version string           // of trcx; "" leaves it out
	Started time.Time        // when the check began; printed by junit
	Color   bool             // text has colors, by escape sequences
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

// Formats returns the names of the formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// New returns a Printer that writes to out in the named format. The error is for a name that is not in Formats.
func New(name string, out io.Writer, options Options) (Printer, error) {
	for _, f := range formats {
		if f.name == name {
			return f.open(out, options), nil
		}
	}
	return nil, fmt.Errorf("there is no format %q; trcx has %s", name, strings.Join(Formats(), ", "))
}

// located returns file:line:column, file@offset in a file without lines, or the file alone for a finding without a
// place.
func located(input string, f *trace.Finding) string {
	file := presentable(fileOf(input, f), maxName)
	if f.Place == (trace.Place{}) {
		return file
	}
	return f.Place.In(file)
}

// fileOf returns the file of the finding.
func fileOf(input string, f *trace.Finding) string { return cmp.Or(f.File, input) }

// entrySeparator separates the name of a zip from the name of an entry.
const entrySeparator = "!"

// leadsOut reports whether the name of an entry leads out of its zip by "..", as in a hostile zip.
func leadsOut(entry string) bool {
	return slices.Contains(strings.FieldsFunc(entry, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

// tally returns the numbers of findings, such as "1200 errors, 1 warning, 1000 of them shown".
func tally(r *validate.Result) string {
	text := counted(r.Errors, r.Warnings)
	if r.Hidden() > 0 {
		text += fmt.Sprintf(", %d of them shown", len(r.Findings))
	}
	return text
}

// counted returns text such as "2 errors, 1 warning", without a number that is 0.
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

// The limits of text for people, in characters. Readers clip text that they quote, so only hostile text is longer.
const (
	maxMessage = 1000
	maxName    = 4096 // as long as a path may be on Linux
)

// presentable returns printable text of at most limit characters.
func presentable(text string, limit int) string {
	// Escapes are longer than characters, so text that fits is not lost by clipping first.
	return sanitize.Short(sanitize.Text(sanitize.Short(text, limit)), limit)
}
