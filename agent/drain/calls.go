package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// methodCount handles MethodCount.
func (d *Drainer) methodCount(r *ring.Record) {
	d.writeOf(methodCount, d.known(r.Thread), trcxml.Number(r.Object),
		trcxml.Number(d.definitions.methods[r.Object].class), trcxml.Number(r.Argument))
}

// known returns the thread, or 0 if the trace does not have it: for example, a virtual thread that started before the
// recording and had no event.
func (d *Drainer) known(thread int64) int64 {
	if d.live(thread) == nil {
		return 0
	}
	return thread
}

// callNode is an open node of a tree of calls. The nodes above it may be lost.
type callNode struct{ method, depth int64 }

// calls handles CallTree: it ends the open nodes that are not above this node, and begins this node.
func (d *Drainer) calls(r *ring.Record) {
	open, thread := d.trees[r.Thread], d.known(r.Thread)
	for len(open) > 0 && open[len(open)-1].depth >= r.Argument {
		d.writeNode(aggregatedExit, thread, open[len(open)-1].method)
		open = open[:len(open)-1]
	}
	if r.Argument <= 0 {
		delete(d.trees, r.Thread)
		return
	}
	d.trees[r.Thread] = append(open, callNode{r.Object, r.Argument})
	info, text := r.Calls(), d.scratch.spans[:0]
	values := []trcxml.Value{trcxml.Number(info.Calls)}
	for _, span := range [...]int64{info.Base, info.Cumulative, info.Least, info.Most} {
		begin := len(text)
		text = trace.Time(max(span, 0)).AppendTo(text)
		values = append(values, trcxml.Text(text[begin:]))
	}
	d.scratch.spans = text
	if info.Least < 0 {
		d.writeNode(aggregatedOpen, thread, r.Object, values[:3]...)
	} else {
		d.writeNode(aggregated, thread, r.Object, values...)
	}
}

// writeNode writes the begin or the end of a node.
func (d *Drainer) writeNode(form encoderID, thread, method int64, values ...trcxml.Value) {
	class := trcxml.Number(d.definitions.methods[method].class)
	d.writeOf(form, thread, append([]trcxml.Value{trcxml.Number(method), class}, values...)...)
}

// writeOf writes an element of a thread; for thread 0, none, it uses the next form, which has no thread.
func (d *Drainer) writeOf(form encoderID, thread int64, values ...trcxml.Value) {
	if thread == 0 {
		d.write(form+1, nil, values...)
		return
	}
	d.write(form, nil, append([]trcxml.Value{trcxml.Number(thread)}, values...)...)
}

// leftOut handles LeftOut.
func (d *Drainer) leftOut(r *ring.Record) {
	d.scratch.annotation = appendIDs(d.scratch.annotation[:0], trace.NoteLeftOut, r.Took())
	d.write(methodCountAlone, d.scratch.annotation, trcxml.Number(r.Object),
		trcxml.Number(d.definitions.methods[r.Object].class), trcxml.Number(r.Argument))
}

// openCall is a call that has not ended.
type openCall struct {
	method, ticket int64
	depth          uint32
}

// methodEntry handles MethodEntry. A thread that the trace shows waiting can run code of the JDK, as virtual threads do
// before they park; such calls are left out, with their exits.
func (d *Drainer) methodEntry(t *thread, r *ring.Record, now int64) {
	if t.State.Suspended() {
		return
	}
	depth := uint32(r.Argument)
	d.endCalls(t, depth, now)
	d.tickets++
	t.calls = append(t.calls, openCall{r.Object, d.tickets, depth})
	d.write(methodEntry, nil, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object),
		trcxml.Number(d.definitions.methods[r.Object].class), trcxml.Number(d.tickets), trcxml.Number(int64(depth)))
}

// methodExit handles MethodExit. An exit without its entry is left out.
func (d *Drainer) methodExit(t *thread, r *ring.Record, now int64) {
	if t.State.Suspended() {
		return
	}
	depth := uint32(r.Argument)
	d.endCalls(t, depth+1, now)
	if n := len(t.calls); n == 0 || t.calls[n-1].depth != depth || t.calls[n-1].method != r.Object {
		d.summary.Strays++
		return
	}
	var inner []byte
	if skipped := r.Argument >> 32; skipped > 0 {
		inner = appendIDs(d.scratch.annotation[:0], trace.NoteSkipped, skipped)
		d.scratch.annotation = inner
		d.summary.Skipped += uint64(skipped)
	}
	d.endCall(t, inner, now)
}

// endCalls writes the ends of the thread's open calls from the depth on: their records are lost or never come.
func (d *Drainer) endCalls(t *thread, depth uint32, now int64) {
	for n := len(t.calls); n > 0 && t.calls[n-1].depth >= depth; n-- {
		d.endCall(t, nil, now)
		d.summary.Repaired++
	}
}

// endCall writes the end of the thread's innermost open call.
func (d *Drainer) endCall(t *thread, inner []byte, now int64) {
	c := t.calls[len(t.calls)-1]
	t.calls = t.calls[:len(t.calls)-1]
	text := trace.Time(d.segment.Overhead()).AppendTo(d.scratch.spans[:0])
	d.scratch.spans = text
	d.write(methodExit, inner, trcxml.Number(t.id), trcxml.Number(c.method),
		trcxml.Number(d.definitions.methods[c.method].class), trcxml.Number(c.ticket), trcxml.Number(now),
		trcxml.Text(text))
}
