package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// methodCount handles MethodCount.
func (d *Drainer) methodCount(r *ring.Record) {
	method, class := trcxml.Number(r.Object), trcxml.Number(d.definitions.methods[r.Object].class)
	if r.Thread == 0 {
		d.write(methodCountAlone, nil, method, class, trcxml.Number(r.Argument))
		return
	}
	d.write(methodCount, nil, trcxml.Number(r.Thread), method, class, trcxml.Number(r.Argument))
}

// calls handles CallTree: it ends the nodes that are not above this one, and begins it.
func (d *Drainer) calls(r *ring.Record) {
	open := d.trees[r.Thread]
	for int64(len(open)) >= max(r.Argument, 1) {
		d.writeNode(aggregatedExit, r.Thread, open[len(open)-1])
		open = open[:len(open)-1]
	}
	if r.Argument <= 0 {
		delete(d.trees, r.Thread)
		return
	}
	d.trees[r.Thread] = append(open, r.Object)
	info, text := r.Calls(), d.scratch.spans[:0]
	values := []trcxml.Value{trcxml.Number(info.Calls)}
	for _, span := range [...]int64{info.Base, info.Cumulative, info.Least, info.Most} {
		begin := len(text)
		text = trace.Time(max(span, 0)).AppendTo(text)
		values = append(values, trcxml.Text(text[begin:]))
	}
	d.scratch.spans = text
	if info.Least < 0 {
		d.writeNode(aggregatedOpen, r.Thread, r.Object, values[:3]...)
	} else {
		d.writeNode(aggregated, r.Thread, r.Object, values...)
	}
}

// writeNode writes the begin or the end of a node. The form after that is without a thread.
func (d *Drainer) writeNode(form encoderID, thread, method int64, values ...trcxml.Value) {
	class := trcxml.Number(d.definitions.methods[method].class)
	values = append([]trcxml.Value{trcxml.Number(thread), trcxml.Number(method), class}, values...)
	if thread == 0 {
		form, values = form+1, values[1:]
	}
	d.write(form, nil, values...)
}
