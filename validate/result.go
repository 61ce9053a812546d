package validate

import "github.com/trcx/trcx/trace"

// Result is what was found in one document: a file, the standard input, or an entry of a zip.
type Result struct {
	// Input names the document: the file as it was named, "-", or file.zip!entry.
	Input string
	// Findings are sorted by place; of too many, errors are kept before warnings and earlier ones before later ones.
	Findings []trace.Finding
	// Counts holds, for each rule that found anything, how often: all findings, not only those that were kept.
	Counts map[string]int
	// Errors and Warnings count all findings.
	Errors, Warnings int
}

// Valid says whether the document has no errors.
func (r *Result) Valid() bool { return r.Errors == 0 }

// Hidden is how many findings were counted but not kept.
func (r *Result) Hidden() int { return r.Errors + r.Warnings - len(r.Findings) }
