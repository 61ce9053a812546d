package enrich

import (
	"strconv"

	"github.com/trcx/trcx/trace"
)

// maxCollections limits the collections at the same time. A JVM nests a young one in an old one.
const maxCollections = 64

// wholeCollection is, while a collection is read, a pause as long as the collection.
const wholeCollection = -1

// gcStart begins a garbage collection.
func (e *Enricher) gcStart(event *trace.Event) {
	if !event.Timed() || len(e.scope.collections) == maxCollections {
		return
	}
	name, named := event.Extra.Annotation(trace.NoteCollection)
	c := trace.Collection{Time: event.Time, Paused: wholeCollection, Name: name}
	if paused, ok := nanoseconds(event, trace.NotePaused); ok {
		c.Paused, c.Longest = paused, paused
		if longest, ok := nanoseconds(event, trace.NoteLongest); ok {
			c.Longest = min(longest, paused)
		}
	} else if named {
		c.Paused = 0 // the recorder knows the collection's pauses, and it had none
	}
	e.scope.collections = append(e.scope.collections, c)
}

// nanoseconds returns the number of an annotation, from 0 on.
func nanoseconds(event *trace.Event, name string) (n int64, ok bool) {
	text, ok := event.Extra.Annotation(name)
	n, err := strconv.ParseInt(text, 10, 64)
	return n, ok && err == nil && n >= 0
}

// gcFinish ends the garbage collection that began last, and puts it. One without a begin counts for allocations only.
func (e *Enricher) gcFinish(event *trace.Event) {
	last := len(e.scope.collections) - 1
	if last < 0 && e.allocations && event.Timed() {
		c := trace.Collection{Time: event.Time, End: event.Time}
		describe(&c, event)
		e.put(&c)
	}
	if !event.Timed() || last < 0 {
		return
	}
	c := e.scope.collections[last]
	e.scope.collections = e.scope.collections[:last]
	c.End = max(c.Time, event.Time)
	if c.Paused == wholeCollection {
		c.Paused = int64(c.End - c.Time)
		c.Longest = c.Paused
	}
	describe(&c, event)
	e.put(&c)
}

// describe sets what a gcFinish has about its collection.
func describe(c *trace.Collection, event *trace.Event) {
	c.Collector, _ = event.Extra.Annotation(trace.NoteCollector)
	ends, _ := event.Extra.Annotation(trace.NoteEnds)
	c.Pause = ends == trace.EndsPause
	c.Number, _ = count(event, trace.NoteNumber)
	c.Full, c.FullKnown = count(event, trace.NoteFull)
	c.Used, c.Total = space(event, trace.AttrUsedObjSpace), space(event, trace.AttrTotalObjSpace)
}

// count returns the number of an annotation; 0 and false if there is none.
func count(event *trace.Event, name string) (uint64, bool) {
	text, _ := event.Extra.Annotation(name)
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil
}

// space returns a number of bytes; 0 if it is unknown.
func space(event *trace.Event, a trace.Attr) uint64 {
	bytes, err := strconv.ParseUint(string(event.Value(a)), 10, 64)
	if err != nil {
		return 0
	}
	return bytes
}

// loadOptions are the keys of the options with the load of the processors.
var loadOptions = map[string]func(*trace.Load) *float64{
	trace.OptionJVMLoad:        func(l *trace.Load) *float64 { return &l.JVM.Mean },
	trace.OptionJVMMaxLoad:     func(l *trace.Load) *float64 { return &l.JVM.Max },
	trace.OptionMachineLoad:    func(l *trace.Load) *float64 { return &l.Machine.Mean },
	trace.OptionMachineMaxLoad: func(l *trace.Load) *float64 { return &l.Machine.Max },
}

// option keeps the load of the processors.
func (e *Enricher) option(event *trace.Event) {
	figure := loadOptions[event.Text(trace.AttrKey)]
	if figure == nil {
		return
	}
	load, err := strconv.ParseFloat(event.Text(trace.AttrValue), 64)
	if err != nil || !(load >= 0 && load <= 1) {
		return
	}
	e.session.Load.Known = true
	*figure(&e.session.Load), e.sessionPut = load, false
}
