package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/trcx/trcx/trace"
)

// diagnostics prints findings as they come, and counts those that are too many.
type diagnostics struct {
	out              io.Writer
	quiet            bool // print errors only
	errors, warnings int
}

// maxShown is how many errors are printed, and how many warnings.
const maxShown = 20

func (d *diagnostics) report(document string, finding trace.Finding) {
	count := &d.errors
	if finding.Severity == trace.Warning {
		count = &d.warnings
	}
	if *count++; *count > maxShown || d.quiet && finding.Severity == trace.Warning {
		return
	}
	fmt.Fprintf(d.out, "%s:%s\n", printable(document), printable(finding.String()))
}

// finish prints what the findings come to.
func (d *diagnostics) finish() {
	if d.errors+d.warnings == 0 || d.quiet && d.errors <= maxShown {
		return
	}
	fmt.Fprintf(d.out, "%s, %s", describe(d.errors, "error"), describe(d.warnings, "warning"))
	if d.errors > maxShown || d.warnings > maxShown {
		fmt.Fprintf(d.out, " (the first %d of each are shown)", maxShown)
	}
	fmt.Fprintln(d.out, "; what could be read was used")
}

// printable makes text from an input fit for a terminal: control characters, and those that turn the direction of the text,
// are shown as escapes.
func printable(text string) string {
	if !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unprintable(r) {
			fmt.Fprintf(&b, `\u%04X`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x061C || r == 0x2028 || r == 0x2029
}
