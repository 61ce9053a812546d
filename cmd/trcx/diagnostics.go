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
	shown            int
}

// maxShown is how many findings are printed.
const maxShown = 20

func (d *diagnostics) report(document string, finding trace.Finding) {
	if finding.Severity == trace.Error {
		d.errors++
	} else if d.warnings++; d.quiet {
		return
	}
	if d.shown++; d.shown <= maxShown {
		fmt.Fprintf(d.out, "%s:%s\n", printable(document), printable(finding.String()))
	}
}

// finish prints what the findings come to.
func (d *diagnostics) finish() {
	if d.shown > maxShown {
		fmt.Fprintf(d.out, "… and %s more\n", describe(d.shown-maxShown, "finding"))
	}
	if d.shown > 0 && !d.quiet {
		fmt.Fprintf(d.out, "%s, %s; what could be read was used\n", describe(d.errors, "error"), describe(d.warnings, "warning"))
	}
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
	return unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x2028 || r == 0x2029
}
