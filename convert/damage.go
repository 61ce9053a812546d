package convert

import (
	"errors"
	"fmt"

	"github.com/trcx/trcx/trace"
)

// ErrDamaged is matched by each *DamageError.
var ErrDamaged = errors.New("the input is damaged or cut off")

// DamageError is the error for input that has errors. All that could be read of it has been returned before.
type DamageError struct {
	// Findings are the first 20 of severity Error. The File of a finding about an entry of a zip names the entry.
	Findings []trace.Finding
	// Count is how many findings of severity Error there are.
	Count int
}

// maxDamage is the limit of DamageError.Findings.
const maxDamage = 20

// Error has the first finding.
func (e *DamageError) Error() string {
	first := e.Findings[0]
	text := first.String()
	if first.File != "" {
		text = first.In("")
	}
	if e.Count > 1 {
		text += fmt.Sprintf(" (the first of %d errors)", e.Count)
	}
	return ErrDamaged.Error() + ": " + text
}

// Unwrap returns ErrDamaged.
func (e *DamageError) Unwrap() error { return ErrDamaged }

// add counts a finding about the document, and keeps it if it is one of the first.
func (e *DamageError) add(document string, finding trace.Finding) {
	if finding.Severity != trace.Error {
		return
	}
	if e.Count++; e.Count > maxDamage {
		return
	}
	if finding.File == "" && document != Stdin {
		finding.File = document
	}
	e.Findings = append(e.Findings, finding)
}
