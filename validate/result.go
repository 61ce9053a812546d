package validate

import "github.com/trcx/trcx/trace"

// Result has the findings of one document: a file, the standard input, or an entry of a zip.
type Result struct {
	// Input names the document: the file as given, "-", or file.zip!entry.
	Input string
	// Findings are sorted by place; of too many, errors are kept before warnings and earlier ones before later ones.
	Findings []trace.Finding
	// Counts has the number of findings of each rule that has any, including those that were not kept.
	Counts map[string]int
	// Errors and Warnings count all findings by severity.
	Errors, Warnings int
}

// Valid reports whether the document has no errors.
func (r *Result) Valid() bool { return r.Errors == 0 }

// Hidden returns how many findings were counted and not kept.
func (r *Result) Hidden() int { return r.Errors + r.Warnings - len(r.Findings) }
