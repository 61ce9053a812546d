package drain

import (
	"slices"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/modified"
	"github.com/trcx/trcx/trace/javaname"
	"github.com/trcx/trcx/trace/polling"
)

// definitions has the classes and methods of stack traces, for as long as the recording lasts.
type definitions struct {
	classes map[int64]string // names, if methods are selected by them
	polling map[int64]string // names of classes whose calls show what a thread is parked for in the JDK's poller
	methods map[int64]method
	lines   []uint32 // of all methods: the location in the upper half, the line in the lower one, in ascending order
}

// method is a method in a stack trace.
type method struct {
	hidden     bool
	polling    polling.Call
	class      int64
	begin, end uint32 // the range of its entries in lines
}

func newDefinitions() definitions {
	return definitions{classes: map[int64]string{}, polling: map[int64]string{}, methods: map[int64]method{}}
}

// definers has the function that writes a definition, by its kind.
var definers = [256]func(*Drainer, *ring.Record){
	ring.DefineClass:  (*Drainer).defineClass,
	ring.DefineObject: (*Drainer).defineObject,
	ring.DefineMethod: (*Drainer).defineMethod,
}

func (d *Drainer) defineClass(r *ring.Record) {
	info := r.ClassInfo()
	if d.shows != nil {
		d.definitions.classes[r.Object] = modified.Decode(info.Name)
	}
	if name := string(info.Name); polling.IsShown(name) {
		d.definitions.polling[r.Object] = name
	}
	if string(info.Name) == javaname.PermitClass {
		d.blockers.permitClass = r.Object
	}
	d.allocations.defineClass(r.Object, string(info.Name), d.shows)
	names := d.names(info.Name, info.Source)
	d.write(classDef, nil, names[0], names[1], trcxml.Number(r.Object), trcxml.Number(mirrorOf(r.Object)),
		trcxml.Number(d.traceTime(r.Time)))
}

// mirrorOf returns the id of the java.lang.Class object of a class: the agent allocates it just before the class's id.
func mirrorOf(class int64) int64 { return class - 1 }

func (d *Drainer) defineObject(r *ring.Record) {
	d.blockers.define(r.Object, r.Argument)
	if r.Flags&ring.Recorded != 0 && !d.allocations.hidden[r.Argument] {
		return // its allocation defines it
	}
	d.write(objAlloc, nil, trcxml.Number(r.Object), trcxml.Number(r.Argument), trcxml.Number(d.traceTime(r.Time)))
}

func (d *Drainer) defineMethod(r *ring.Record) {
	info := r.MethodInfo()
	name := []byte(javaname.TraceMethod(string(info.Name)))
	first, last := d.definitions.add(r, &info)
	if d.shows != nil && !d.shows(d.definitions.classes[r.Argument], modified.Decode(info.Name)) {
		known := d.definitions.methods[r.Object]
		known.hidden = true
		d.definitions.methods[r.Object] = known
	}
	names := d.names(name, info.Signature)
	if last == 0 {
		d.write(methodDef, nil, names[0], names[1], trcxml.Number(r.Object), trcxml.Number(r.Argument))
		return
	}
	d.write(methodDefLines, nil, names[0], names[1], trcxml.Number(int64(first)), trcxml.Number(int64(last)),
		trcxml.Number(r.Object), trcxml.Number(r.Argument))
}

// add keeps the method's line table, and returns its smallest and its largest line, or 0 if it has none. Class files
// have 16 bits for a location and for a line.
func (x *definitions) add(r *ring.Record, info *ring.MethodInfo) (first, last uint32) {
	begin := len(x.lines)
	for location, line := range info.Lines {
		if line == 0 || line > 0xFFFF || location > 0xFFFF {
			continue
		}
		x.lines = append(x.lines, location<<16|line)
		if first == 0 || line < first {
			first = line
		}
		last = max(last, line)
	}
	slices.Sort(x.lines[begin:])
	m := method{class: r.Argument, begin: uint32(begin), end: uint32(len(x.lines))}
	if class, shows := x.polling[r.Argument]; shows {
		m.polling = polling.Of(class, string(info.Name))
	}
	x.methods[r.Object] = m
	return first, last
}

// line returns the line of the method's code at the location, or 0 if it is unknown.
func (x *definitions) line(m method, location uint16) uint32 {
	lines := x.lines[m.begin:m.end]
	after, _ := slices.BinarySearch(lines, uint32(location)<<16+1<<16)
	if location == ring.NoLocation || after == 0 {
		return 0
	}
	return lines[after-1] & 0xFFFF
}
