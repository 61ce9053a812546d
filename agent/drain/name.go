package drain

import (
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/modified"
	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// names returns up to three names of the JVM as attribute values. They are valid until the next call.
func (d *Drainer) names(names ...[]byte) (values [3]trcxml.Value) {
	d.scratch.escaped = d.scratch.escaped[:0]
	for i, name := range names {
		d.scratch.java = modified.Append(d.scratch.java[:0], name)
		d.scratch.xml = trace.EscapeJava(d.scratch.xml[:0], string(d.scratch.java))
		begin := len(d.scratch.escaped)
		d.scratch.escaped = xmltext.AppendValue(d.scratch.escaped, d.scratch.xml)
		values[i] = trcxml.Text(d.scratch.escaped[begin:len(d.scratch.escaped):len(d.scratch.escaped)])
	}
	return values
}
