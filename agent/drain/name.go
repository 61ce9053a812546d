package drain

import (
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// names are Java's names as values of attributes. They are good until the next call.
func (d *Drainer) names(names ...[]byte) (values [3]trcxml.Value) {
	d.escaped = d.escaped[:0]
	for i, name := range names {
		d.java = trace.AppendModified(d.java[:0], name)
		d.xml = trace.EscapeJava(d.xml[:0], string(d.java))
		begin := len(d.escaped)
		d.escaped = trace.AppendValue(d.escaped, d.xml)
		values[i] = trcxml.Text(d.escaped[begin:len(d.escaped):len(d.escaped)])
	}
	return values
}
