package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

// AddByTable adds a finding of the reader about a trace that is judged by the DTD that is derived from the table. Where
// the table does not know all attributes of an element, one that is not declared is unusual, and not wrong.
func (f *Findings) AddByTable(finding trace.Finding) {
	if finding.Rule == dtd.RuleAttribute && !trace.Lookup([]byte(finding.Element)).Element().Established {
		finding.Severity = trace.Warning
	}
	f.Add(finding)
}
