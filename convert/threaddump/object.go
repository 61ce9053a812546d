package threaddump

import (
	"strconv"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// traceObject is an object as the trace has it.
type traceObject struct {
	id    string // in the trace
	class string
	owner string // the thread's id in the trace; "" if it is unknown
}

// objectTable has the objects of the current dump. The garbage collector moves objects, so an address is an id in one
// dump only.
type objectTable struct {
	byName map[string]*traceObject // by address, or class@hash
	inDump map[string]string       // the class of each object that the dump names
	byID   map[string]*traceObject // those in byName
}

// moves are objects whose name was another one in the last dump.
type moves map[string]string // from the new name to the old one

// findMoved returns the objects that the garbage collector has moved. A thread that has the same calls and state as in
// the last dump wants the same object. The old name must be gone, the new one must be new, and no other thread may
// contradict.
func (s *series) findMoved(d *dump, names map[string]string) moves {
	found, taken, wrong := moves{}, map[string]string{}, map[string]bool{}
	for _, t := range d.threads {
		k := s.threads[t.id]
		if k == nil || !s.same(k, t) || k.previous.name == "" || k.previous.name == t.wanted.name ||
			!strings.HasPrefix(t.wanted.name, "0x") {
			continue
		}
		a := t.state
		_, stays := names[k.previous.name]
		_, wasThere := s.objects.inDump[t.wanted.name]
		if stays || wasThere || a.kind != k.state || *t.stack != *k.stack ||
			s.objects.inDump[k.previous.name] != t.wanted.class {
			continue
		}
		old, known := found[t.wanted.name]
		other, used := taken[k.previous.name]
		if known && old != k.previous.name || used && other != t.wanted.name {
			wrong[t.wanted.name], wrong[other] = true, true
		}
		found[t.wanted.name], taken[k.previous.name] = k.previous.name, t.wanted.name
	}
	for name := range wrong {
		delete(found, name)
	}
	return found
}

// identifyObjects finds the wanted objects of the dump in the trace, and defines the new ones.
func (s *series) identifyObjects(d *dump) {
	names := map[string]string{}
	for _, t := range d.threads {
		for _, o := range t.owned {
			names[o.name] = o.class
		}
		if t.wanted.known() {
			names[t.wanted.name] = t.wanted.class
		}
	}
	moved := s.findMoved(d, names)
	last := s.objects.byName
	if s.objects.inDump = names; d.emitted == 0 { // else those that are defined are of this dump
		s.objects.byName, s.objects.byID = map[string]*traceObject{}, map[string]*traceObject{}
	}
	for _, t := range d.threads {
		o := t.state.object
		if !o.known() || s.objects.byName[o.name] != nil {
			continue
		}
		name, ok := moved[o.name]
		if !ok {
			name = o.name
		}
		if before := last[name]; before != nil && before.class == o.class {
			s.objects.byName[o.name] = before
			s.objects.byID[before.id] = before
		}
	}
	for _, t := range d.threads {
		o := t.state.object
		if o.known() && s.objects.byName[o.name] == nil {
			s.define(o, t)
		}
	}
}

// objectID is the id of an object in the trace, if it is the only one that is called so.
func (p *process) objectID(o object) string {
	return o.name[strings.LastIndexByte(o.name, '@')+1:] + p.suffix
}

// define emits a new object. Its id is its address or hash; if another object has that, with a number.
func (s *series) define(o object, t *thread) {
	id := s.objectID(o)
	for n := 2; s.objects.byID[id] != nil; n++ {
		id = s.objectID(o) + "#" + strconv.Itoa(n)
	}
	known := &traceObject{id: id, class: o.class}
	s.objects.byName[o.name], s.objects.byID[id] = known, known
	if o.class == "" {
		return
	}
	s.at = t.place
	declared, represented := javaname.SplitClassObject(o.class)
	if represented != "" {
		s.out.Class(builder.Class{Name: innerName(represented), Object: id})
	}
	class := builder.Class{Name: innerName(declared)}
	if called := s.symbols.classes[declared]; called != nil { // the class of the call stacks
		called.defined, class.Source = true, called.source
	}
	number := s.out.Class(class)
	s.out.Element(trace.ObjAlloc, t.place.Offset).Text(trace.AttrObjID, id).Number(trace.AttrClassIDRef, number).Put()
}
