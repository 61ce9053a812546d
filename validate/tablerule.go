package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

// AddByTable adds a finding of the reader, for a trace that is checked against the DTD derived from trace.Elements. An
// undeclared attribute is a warning if the table does not have all attributes of the element.
func (f *Findings) AddByTable(finding trace.Finding) {
	if finding.Rule == dtd.RuleAttribute && !trace.Lookup([]byte(finding.Element)).Element().Established {
		finding.Severity = trace.Warning
	}
	f.Add(finding)
}
