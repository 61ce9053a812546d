package enrich

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// maxCollections limits the collections that are open at the same time. A JVM nests a young one in an old one.
const maxCollections = 64

// openCollections are the collections that have not ended; the last one ends first.
type openCollections struct {
	list    []openCollection
	skipped int // open ones beyond maxCollections
}

type openCollection struct {
	trace.Collection
	named    bool // the input names the collector: it knows the collection's pauses
	reported bool // the input says how long they took
}

// gcStart begins a garbage collection.
func (e *Enricher) gcStart(event *trace.Event) {
	open := &e.scope.collections
	if !event.Timed() {
		return
	}
	if len(open.list) == maxCollections {
		open.skipped++
		return
	}
	c := openCollection{Collection: trace.Collection{Time: event.Time}}
	c.Name, c.named = event.Extra.Annotation(trace.NoteCollection)
	if _, c.reported = event.Extra.Annotation(trace.NotePaused); c.reported {
		c.Paused, c.Stopped = nanoseconds(event, trace.NotePaused)
		c.Longest = c.Paused
		if longest, ok := nanoseconds(event, trace.NoteLongest); ok {
			c.Longest = min(longest, c.Paused)
		}
	}
	open.list = append(open.list, c)
}

// nanoseconds returns the number of an annotation; 0 and false if the event does not have it.
func nanoseconds(event *trace.Event, name string) (n int64, ok bool) {
	text, _ := event.Extra.Annotation(name)
	unsigned, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, false
	}
	return int64(unsigned), true
}

// gcFinish ends and puts the collection that began last. A gcFinish without a gcStart counts for allocations only.
func (e *Enricher) gcFinish(event *trace.Event) {
	open := &e.scope.collections
	last := len(open.list) - 1
	switch {
	case !event.Timed():
	case open.skipped > 0:
		open.skipped--
	case last >= 0:
		c := open.list[last]
		open.list = open.list[:last]
		c.end(event.Time)
		c.Part = !c.reported && !c.named &&
			slices.ContainsFunc(open.list, func(o openCollection) bool { return o.reported })
		describe(&c.Collection, event)
		e.put(&c.Collection)
	case e.allocations:
		c := trace.Collection{Time: event.Time, End: event.Time}
		describe(&c, event)
		e.put(&c)
	}
}

// end sets the end, and whether the JVM was stopped all the time. If the input reports pauses, nine tenths of the
// collection suffice, because recorders measure the two a little apart.
func (c *openCollection) end(at trace.Time) {
	c.End = max(c.Time, at)
	length := int64(c.End - c.Time)
	switch {
	case c.reported:
		c.Stopped = c.Stopped && length-c.Paused <= length/10
	case c.named:
		c.Stopped = true
	default:
		c.Paused, c.Longest, c.Stopped = length, length, true
	}
}

// describe sets what a gcFinish reports about its collection.
func describe(c *trace.Collection, event *trace.Event) {
	c.Collector, _ = event.Extra.Annotation(trace.NoteCollector)
	ends, _ := event.Extra.Annotation(trace.NoteEnds)
	c.Pause = ends == trace.EndsPause
	c.Number, _ = count(event, trace.NoteNumber)
	c.Full, c.FullKnown = count(event, trace.NoteFull)
	c.Used, c.Total = space(event, trace.AttrUsedObjSpace), space(event, trace.AttrTotalObjSpace)
}

// count returns the number of an annotation; 0 and false if the event does not have it.
func count(event *trace.Event, name string) (uint64, bool) {
	text, _ := event.Extra.Annotation(name)
	return parseNumber(text)
}

// space returns a number of bytes; 0 if it is unknown.
func space(event *trace.Event, a trace.Attr) uint64 {
	bytes, _ := parseNumber(string(event.Value(a)))
	return bytes
}

// loadOptions are the options that have the load of the processors, by key.
var loadOptions = map[string]func(*trace.Load) *float64{
	trace.OptionJVMLoad:        func(l *trace.Load) *float64 { return &l.JVM.Mean },
	trace.OptionJVMMaxLoad:     func(l *trace.Load) *float64 { return &l.JVM.Max },
	trace.OptionMachineLoad:    func(l *trace.Load) *float64 { return &l.Machine.Mean },
	trace.OptionMachineMaxLoad: func(l *trace.Load) *float64 { return &l.Machine.Max },
}

// maxTroubles limits the troubles of a recording.
const maxTroubles = 64

// option keeps the load of the processors and the troubles that the options report, and that times are no measure.
func (e *Enricher) option(event *trace.Event) {
	if event.Text(trace.AttrKey) == "TIMESTAMPS" && event.Text(trace.AttrValue) == "false" {
		e.session.Untimed, e.sessionPut = true, false
		return
	}
	kind, is := strings.CutPrefix(event.Text(trace.AttrKey), trace.OptionTrouble)
	if is && len(e.session.Troubles) < maxTroubles {
		e.session.Troubles = append(slices.Clip(e.session.Troubles), trace.NamedValue{Name: kind,
			Value: event.Text(trace.AttrValue)})
		e.sessionPut = false
		return
	}
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
