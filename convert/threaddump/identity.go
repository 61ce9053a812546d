package threaddump

import (
	"strconv"
	"strings"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// identity is an object of the trace.
type identity struct {
	id    string // in the trace
	class string
	owner string // the id of the thread that the trace takes for the owner; "" if it knows none

	wanted *last // of the thread that wants it, as the last dump said of one
}

// identities are the objects of the dumps. The garbage collector moves objects, so that an address is an id in one dump
// only.
type identities struct {
	now   map[string]*identity // by what the current dump calls them
	names map[string]string    // all that the current dump names, with their classes
	byID  map[string]*identity // those in now
}

// move says that the object that had one name in the last dump has another one in this.
type moves map[string]string // from the new name to the old one

// follow finds out which objects have moved: those that a thread wants which has the same calls, in the same
// state, as in the last dump, so that it has not moved; if the old name is gone, and the new one is new, and no other
// thread says something else.
func (s *series) follow(d *dump, names map[string]string) moves {
	found, taken, wrong := moves{}, map[string]string{}, map[string]bool{}
	for _, t := range d.threads {
		k := s.known[t.id]
		if k == nil || !s.same(k, t) || k.was().name == "" || k.was().name == t.wanted.name ||
			!strings.HasPrefix(t.wanted.name, "0x") {
			continue
		}
		a := t.now
		_, stays := names[k.was().name]
		_, wasThere := s.objects.names[t.wanted.name]
		if stays || wasThere || a.doing != k.doing || *t.stack != *k.stack ||
			s.objects.names[k.was().name] != t.wanted.class {
			continue
		}
		old, known := found[t.wanted.name]
		other, used := taken[k.was().name]
		if known && old != k.was().name || used && other != t.wanted.name {
			wrong[t.wanted.name], wrong[other] = true, true
		}
		found[t.wanted.name], taken[k.was().name] = k.was().name, t.wanted.name
	}
	for name := range wrong {
		delete(found, name)
	}
	return found
}

// identify gives each object that a thread of the dump wants an identity, and defines those that are new.
func (s *series) identify(d *dump) error {
	names := map[string]string{}
	for _, t := range d.threads {
		for _, o := range t.owned {
			names[o.name] = o.class
		}
		if t.wanted.known() {
			names[t.wanted.name] = t.wanted.class
		}
	}
	moved := s.follow(d, names)
	last := s.objects.now
	if s.objects.names = names; d.told == 0 { // else those that are defined are of this dump
		s.objects.now, s.objects.byID = map[string]*identity{}, map[string]*identity{}
	}
	for _, t := range d.threads {
		o := t.now.object
		if !o.known() || s.objects.now[o.name] != nil {
			continue
		}
		name, ok := moved[o.name]
		if !ok {
			name = o.name
		}
		if before := last[name]; before != nil && before.class == o.class {
			s.objects.now[o.name] = before
			s.objects.byID[before.id] = before
		}
	}
	for _, t := range d.threads {
		o := t.now.object
		if !o.known() || s.objects.now[o.name] != nil {
			continue
		}
		if err := s.define(o, t); err != nil {
			return err
		}
	}
	return nil
}

// objectID is the id of an object in the trace, if it is the only one that is called so.
func (p *process) objectID(o object) string {
	return o.name[strings.LastIndexByte(o.name, '@')+1:] + p.suffix
}

// define gives a new object an identity: its address, or its hash, as far as no other one has it.
func (s *series) define(o object, t *thread) error {
	id := s.objectID(o)
	for n := 2; s.objects.byID[id] != nil; n++ {
		id = s.objectID(o) + "#" + strconv.Itoa(n)
	}
	known := &identity{id: id, class: o.class}
	s.objects.now[o.name], s.objects.byID[id] = known, known
	if o.class == "" {
		return nil
	}
	class := builder.Class{Name: innerName(o.class)}
	if called := s.program.classes[o.class]; called != nil { // it is that of the call stacks
		called.told, class.Source = true, called.source
	}
	number := s.out.Class(class)
	s.place(t.place)
	return s.out.Element(trace.ObjAlloc, t.place.Offset).Text(trace.AttrObjID, id).Number(trace.AttrClassIDRef, number).
		Put()
}
