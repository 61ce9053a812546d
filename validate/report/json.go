package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

//go:embed findings.schema.json
var schema string

// Schema returns the JSON Schema of a line of the json format.
func Schema() string { return schema }

// jsonLines prints for programs: a JSON object for each document, in one line.
type jsonLines struct{ out io.Writer }

func newJSON(out io.Writer, _ Options) Printer { return &jsonLines{out} }

// jsonResult is a line. Users' scripts depend on its names.
type jsonResult struct {
	Input    string         `json:"input"`
	Valid    bool           `json:"valid"`
	Findings []jsonFinding  `json:"findings"`
	Counts   map[string]int `json:"counts"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Hidden   int            `json:"hidden"`
}

type jsonFinding struct {
	Rule       string `json:"rule"`
	Severity   string `json:"severity"`
	File       string `json:"file,omitzero"` // "" is the input itself
	*jsonPlace        // nil for a finding without a place
	Element    string `json:"element"`
	Message    string `json:"message"`
}

type jsonPlace struct {
	Line   int   `json:"line,omitzero"` // line and column if the input has lines
	Column int   `json:"column,omitzero"`
	Offset int64 `json:"offset"`
}

func (j *jsonLines) Print(r *validate.Result) error {
	result := jsonResult{
		Input: r.Input, Valid: r.Valid(), Findings: make([]jsonFinding, len(r.Findings)), Counts: r.Counts,
		Errors: r.Errors, Warnings: r.Warnings, Hidden: max(r.Hidden(), 0),
	}
	if result.Counts == nil {
		result.Counts = map[string]int{}
	}
	for i, f := range r.Findings {
		result.Findings[i] = jsonFinding{Rule: f.Rule, Severity: f.Severity.String(), File: f.File,
			jsonPlace: placeOf(f.Place), Element: f.Element, Message: f.Message}
	}
	line, err := encode(result)
	if err != nil {
		return err
	}
	_, err = j.out.Write(line)
	return err
}

func (j *jsonLines) Close() error { return nil }

func placeOf(at trace.Place) *jsonPlace {
	if at == (trace.Place{}) {
		return nil
	}
	if at.Line == 0 {
		at.Column = 0
	}
	return &jsonPlace{Line: at.Line, Column: at.Column, Offset: at.Offset}
}

// encode returns the value in one line of JSON. Characters that sanitize.Text escapes are written as JSON escapes, so
// that the text is the same for programs and harmless to a terminal. Bytes that are not UTF-8 become U+FFFD, because
// JSON has no form for them.
func encode(value any) ([]byte, error) {
	plain, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	line := make([]byte, 0, len(plain)+1)
	for _, r := range string(plain) {
		if sanitize.Hides(r) {
			line = fmt.Appendf(line, `\u%04x`, r)
		} else {
			line = utf8.AppendRune(line, r)
		}
	}
	return append(line, '\n'), nil
}
