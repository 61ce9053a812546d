package enrich

import (
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// class is what is known of a class. A later classDef of its id makes another class, for the definitions that follow.
type class struct {
	name, source string
	defined      bool // its classDef has come
	// members are the methods that are dropped with the class, also those defined for earlier classes of the id.
	members map[threadstate.Key]struct{}
	mirror  *mirror // set if this is the class of one java.lang.Class object
}

// mirror is a java.lang.Class object. Its class has a name of its own; see javaname.ClassObject.
type mirror struct {
	declared, represented *class // declared is nil if the trace has not defined the object
	of                    string // the name of declared, if the object's class is named after it
}

// title returns the name of the class of an object.
func (c *class) title() string {
	m := c.mirror
	if m == nil {
		return c.name
	}
	declared := ""
	if m.declared != nil {
		declared = m.declared.name
	}
	if c.name == "" || m.of != declared {
		m.of, c.name = declared, declared
		if declared == "" || declared == javaname.ClassOfClasses {
			c.name = javaname.ClassObject(declared, m.represented.name)
		}
	}
	return c.name
}

// setMirror makes the object the java.lang.Class object of the class.
func (e *Enricher) setMirror(id trace.ObjectID, represented *class) {
	if !id.IsObject() || represented.name == "" {
		return
	}
	declared := e.scope.classOf.get(id.ID)
	if declared != nil && declared.mirror != nil {
		declared = declared.mirror.declared
	}
	e.scope.classOf.set(id.ID, &class{mirror: &mirror{declared: declared, represented: represented}})
}

// setClass sets the class of an object. A java.lang.Class object keeps the class that it represents.
func (e *Enricher) setClass(id trace.ObjectID, c *class) {
	if known := e.scope.classOf.get(id.ID); known != nil && known.mirror != nil {
		c = &class{mirror: &mirror{declared: c, represented: known.mirror.represented}}
	}
	e.scope.classOf.set(id.ID, c)
}

// method is what is known of a method.
type method struct {
	described *trace.ModelMethod // as frames name it; nil until a frame has and its class is defined
	waits     bool               // the JDK lets threads wait by it
	foreign   bool               // it is not the program's own
	classless *trace.ModelMethod // as frames name it while its class is not defined
	name      string
	class     *class // nil if the trace does not say it
}

// undescribed is the method of frames whose method the trace has not defined.
var undescribed = &trace.ModelMethod{}

// describe returns the method as frames name it, a new one with the next number. It is complete if the class is
// defined, or the trace names no class.
func (m *method) describe(number *uint32) (described *trace.ModelMethod, complete bool) {
	switch {
	case m == nil:
		return undescribed, false
	case m.described != nil:
		return m.described, true
	case m.class == nil:
		return m.define(trace.ModelMethod{Name: m.name}, number), true
	case !m.class.defined:
		if m.classless == nil {
			m.classless = &trace.ModelMethod{Name: m.name}
		}
		return m.classless, false
	}
	return m.define(trace.ModelMethod{Class: m.class.name, Name: m.name, File: m.class.source}, number), true
}

// define sets and returns the method as frames name it, with the next number.
func (m *method) define(described trace.ModelMethod, number *uint32) *trace.ModelMethod {
	*number++
	described.Number = *number
	m.described, m.waits, m.foreign = &described, isWayToWait(described.Class), IsLibrary(described.Class)
	return m.described
}

// class returns the class of the id, which a later classDef may name.
func (e *Enricher) class(id trace.ClassID) *class {
	if !id.Known() {
		return nil
	}
	c := e.scope.classes.get(id.ID)
	if c == nil {
		c = &class{}
		e.scope.classes.set(id.ID, c)
	}
	return c
}

// classDef names a class, also for the objects and methods that were defined before.
func (e *Enricher) classDef(event *trace.Event) {
	id := event.Class(trace.AttrClassID)
	c := e.class(id)
	if c == nil {
		return
	}
	if c.defined {
		c = &class{members: c.members}
		e.scope.classes.set(id.ID, c)
	}
	c.name, c.source, c.defined = event.Text(trace.AttrName), event.Text(trace.AttrSourceName), true
	e.setMirror(event.Object(trace.AttrObjIDRef), c)
	e.scope.stacks.resetIncomplete()
}

// classUnload drops a class, with its methods.
func (e *Enricher) classUnload(event *trace.Event) {
	id := event.Class(trace.AttrClassIDRef)
	if !id.Known() {
		return
	}
	c := e.scope.classes.get(id.ID)
	if c == nil {
		return
	}
	e.scope.classes.set(id.ID, nil)
	if c.members == nil {
		return
	}
	for method := range c.members {
		delete(e.scope.methods, method)
		e.scope.calls.redefine(method)
	}
	clear(c.members) // objects of the class may still know it
	e.scope.stacks.reset()
}

// methodDef names a method, for the frames from here on.
func (e *Enricher) methodDef(event *trace.Event) {
	id := threadstate.KeyOf(event.Value(trace.AttrMethodID))
	if id == threadstate.None {
		return
	}
	defined := method{name: event.Text(trace.AttrName), class: e.class(event.Class(trace.AttrClassIDRef))}
	m := e.scope.methods[id]
	switch {
	case m == nil:
		m = &method{}
		e.scope.methods[id] = m
		e.scope.stacks.resetIncomplete()
	case m.name == defined.name && m.class == defined.class:
		return // agents may say it again
	default:
		if m.class != nil {
			delete(m.class.members, id)
		}
		e.scope.stacks.reset()
		e.scope.calls.redefine(id)
	}
	*m = defined
	if m.class == nil {
		return
	}
	if m.class.members == nil {
		m.class.members = map[threadstate.Key]struct{}{}
	}
	m.class.members[id] = struct{}{}
}
