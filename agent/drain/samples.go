package drain

import (
	"fmt"
	"strconv"
	"time"

	"github.com/trcx/trcx/agent/flight"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// sampledIDs is below the ids of classes and methods that only samples name. The ids in records are lower.
const sampledIDs = 1 << 48

// The keys of the options that say how samples were taken: the type of the JVM's events, and the actual interval, which
// is the CPU time of the threads divided by the number of samples.
const optionSampler, optionReached = "sampler", "intervalReached"

// writeSamples writes the samples of methods: their tree, and how they were taken.
func (d *Drainer) writeSamples() {
	if d.Samples == nil || !d.delivery.open() || d.segment.PID() == 0 {
		return
	}
	s, err := d.Samples(d.segment.JavaVersion())
	if err != nil {
		d.summary.Unsampled = err
		d.writeOption(trace.OptionNotRecorded, "samples of methods: "+err.Error())
		return
	}
	d.writeOption(optionSampler, s.Event)
	if perSample := d.usage.total / int64(max(s.Count+s.Stackless, 1)); perSample > 0 && s.Count+s.Stackless > 0 {
		d.writeOption(optionReached, time.Duration(perSample).String())
	}
	if s.Stackless > 0 {
		d.writeOption(trace.OptionNotRecorded, fmt.Sprintf("the call stacks of %d samples", s.Stackless))
	}
	if s.Shortened > 0 {
		d.writeOption(trace.OptionNotRecorded, fmt.Sprintf("the innermost methods of %d samples, because of max-nodes",
			s.Shortened))
	}
	if s.Losses > 0 {
		d.writeOption(trace.OptionNotRecorded, fmt.Sprintf("samples of methods: %s (%d times)", s.Loss, s.Losses))
	}
	d.defineSampled(s)
	id := func(n int) trcxml.Value { return trcxml.Number(sampledIDs + int64(n)) }
	s.Walk(func(n *flight.Node) {
		text := trace.Time(n.Base).AppendTo(d.scratch.spans[:0])
		base := len(text)
		text = trace.Time(n.Cumulative).AppendTo(text)
		d.scratch.spans = text
		d.writeSampled(n, sampledNode, id(n.Method), id(s.Methods[n.Method].Class), trcxml.Number(int64(n.Count)),
			trcxml.Text(text[:base]), trcxml.Text(text[base:]))
	}, func(n *flight.Node) {
		d.writeSampled(n, aggregatedExit, id(n.Method), id(s.Methods[n.Method].Class))
	})
}

// writeSampled writes the begin or the end of a node, of its thread if the trace has that.
func (d *Drainer) writeSampled(n *flight.Node, form encoderID, values ...trcxml.Value) {
	thread := n.Thread
	if _, known := d.usage.begun[thread]; !known {
		thread = 0
	}
	d.writeOf(form, thread, values...)
	d.flushFull()
}

// flushFull flushes the text if it is full.
func (d *Drainer) flushFull() {
	if d.delivery.full() {
		d.delivery.flush()
	}
}

// writeOption writes an option among the events.
func (d *Drainer) writeOption(key, value string) {
	d.delivery.text = appendOption(d.delivery.text, Option{key, value})
	d.delivery.counts.events[trace.Option]++
}

// defineSampled writes the definitions of the classes and methods of samples.
func (d *Drainer) defineSampled(s *flight.Samples) {
	define := func(kind trace.Kind, values ...value) {
		d.delivery.text = appendElement(d.delivery.text, kind, values...)
		d.delivery.counts.events[kind]++
		d.flushFull()
	}
	id := func(n int) string { return strconv.FormatInt(sampledIDs+int64(n), 10) }
	at := d.summary.First.String()
	for i, c := range s.Classes {
		define(trace.ClassDef, value{trace.AttrName, c.Name}, value{trace.AttrSourceName, c.Source},
			value{trace.AttrClassID, id(i)}, value{trace.AttrTime, at})
	}
	for i, m := range s.Methods {
		define(trace.MethodDef, value{trace.AttrName, m.Name}, value{trace.AttrSignature, m.Signature},
			value{trace.AttrMethodID, id(i)}, value{trace.AttrClassIDRef, id(m.Class)})
	}
}
