// Package answer is the type of an analysis' answer: a report for people, rows for spreadsheets, and a value for
// programs.
//
// Analyses compute it and package emit/answers prints it, so that each answer has the same formats and the same look.
//
//   - answer.go: Answer, and Report with its sentences and trees
//   - table.go: Table with its columns and cells
//   - json.go: Object and List, values for JSON
package answer

import (
	"cmp"
	"iter"
)

// Answer is the result of an analysis. Its parts are computed when they are used.
type Answer struct {
	// Report is for people, in text and Markdown.
	Report func() *Report
	// CSV yields the names of the columns, and then all rows.
	CSV iter.Seq[[]any]
	// JSON returns an Object, or a value for encoding/json.
	JSON func() any
}

// Under returns the answer with other first lines of its report. They are computed when the report is printed, before
// the report itself. The headline then becomes a remark.
func (a *Answer) Under(first func() []string) *Answer {
	report := a.Report
	a.Report = func() *Report {
		lines, r := first(), report()
		if at := cmp.Or(r.Lead, r); len(lines) > 0 {
			if at.Headline != "" {
				at.Remarks = append([]string{at.Headline}, at.Remarks...)
			}
			at.Headline, at.Remarks = lines[0], append(lines[1:len(lines):len(lines)], at.Remarks...)
		}
		return r
	}
	return a
}

// Report is an answer for people. Trees and tables follow the sentences.
type Report struct {
	// Lead is a report that precedes this one; nil for none.
	Lead     *Report
	Headline string
	Remarks  []string // a line each
	Trees    []Tree
	Tables   []Table
	// Note has the lines below the tables; "" for none.
	Note string
}

// Add adds a table, unless it has no rows.
func (r *Report) Add(t Table) {
	if len(t.Rows) > 0 {
		r.Tables = append(r.Tables, t)
	}
}

// Remark adds a remark, unless it is "".
func (r *Report) Remark(text string) {
	if text != "" {
		r.Remarks = append(r.Remarks, text)
	}
}

// Tree is a title with nested lines.
type Tree struct {
	Title string
	Nodes []Node
}

// Node is a line of a tree, with the lines below it.
type Node struct {
	// Label is a short word before the text, such as "holds". Its nodes are indented as far as the text.
	Label, Text string
	Nodes       []Node
}
