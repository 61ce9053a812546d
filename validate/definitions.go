package validate

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var (
	classUndefined  = ruleOf("class-undefined")
	methodUndefined = ruleOf("method-undefined")
)

// space is a kind of id that must be defined before it is used.
type space uint8

const (
	classSpace space = iota
	methodSpace
	objectSpace
	spaces
)

// spaceOf has these spaces of the table.
var spaceOf = map[trace.Space]space{trace.ClassSpace: classSpace, trace.MethodSpace: methodSpace,
	trace.ObjectSpace: objectSpace}

// undefined has for each space the rule about ids that are not defined.
var undefined = [spaces]*Rule{classSpace: classUndefined, methodSpace: methodUndefined, objectSpace: objectUndefined}

const (
	// maxKnown limits the words of defined ids that are kept in each space. Beyond it no id of the space is reported as
	// undefined.
	maxKnown = 1 << 18
	// maxReported limits the words of reported ids that are kept. The next use of a forgotten id is reported again.
	maxReported = 1 << 12
	// maxMembers limits the methods that are kept with their classes. Others stay defined when their class is unloaded.
	maxMembers = 1 << 20
)

// known has the ids of a space.
type known struct {
	defined  idSet
	reported idSet // as undefined
}

func newKnown() (all [spaces]known) {
	for i := range all {
		all[i] = known{defined: newIDSet(maxKnown, false), reported: newIDSet(maxReported, true)}
	}
	return all
}

// define defines the id from here on, and reports whether it was undefined.
func (k *known) define(i threadstate.Key) bool {
	fresh := i.Names() && k.defined.add(i)
	if fresh {
		k.reported.remove(i)
	}
	return fresh
}

// link is an attribute of an element that refers to an id, defines it or ends it.
type link struct {
	position int8
	space    space
	does     trace.Link
	attr     trace.Attr
}

// order is the order of the links of one element: an objMove ends one id and can define the same again.
var order = [...]int{trace.Refers: 0, trace.Ends: 1, trace.Defines: 2}

// linksOf returns the links of an element. A classDef also defines its java.lang.Class object, which has no objAlloc.
func linksOf(element *trace.Element) (links []link) {
	for position, attribute := range element.Attributes {
		space, ok := spaceOf[attribute.Space]
		if !ok {
			continue
		}
		does := attribute.Link
		if element.Kind == trace.ClassDef && space == objectSpace {
			does = trace.Defines
		}
		links = append(links, link{int8(position), space, does, attribute.Attr})
	}
	slices.SortStableFunc(links, func(a, b link) int { return order[a.does] - order[b.does] })
	return links
}

// follow applies a link of the current event to the id.
func (c *Checker) follow(l *link, i threadstate.Key) {
	k := &c.known[l.space]
	if l.does == trace.Defines {
		c.fresh = k.define(i)
		return
	}
	c.ids[l.space] = i
	if !k.defined.has(i) {
		c.checkDefined(l, i)
	} else if l.does == trace.Ends {
		k.defined.remove(i)
	}
}

// checkDefined reports an undefined id, once.
func (c *Checker) checkDefined(l *link, i threadstate.Key) {
	if c.lacks(l.space, i) {
		c.report(undefined[l.space], l.attr, func() string {
			return undefinedWords(l.space, c.text(l.attr),
				c.event.Name())
		})
	}
}

// lacks reports whether the id is undefined and has not been reported yet.
func (c *Checker) lacks(in space, i threadstate.Key) bool {
	k := &c.known[in]
	return i.Names() && !k.defined.full && (in != objectSpace || c.definesObjects()) && k.reported.add(i)
}

// definesObjects reports whether the object of the current event must be defined.
func (c *Checker) definesObjects() bool {
	kind := c.event.Kind
	return c.sized || c.sampled && (kind == trace.ObjFree || kind == trace.ObjMove)
}

// members has the methods of each class that is defined.
type members struct {
	byClass map[threadstate.Key][]threadstate.Key
	size    int // methods of all classes
}

// add adds a method to its class.
func (m *members) add(class, method threadstate.Key) {
	if m.size >= maxMembers {
		return
	}
	if m.byClass == nil {
		m.byClass = map[threadstate.Key][]threadstate.Key{}
	}
	m.byClass[class] = append(m.byClass[class], method)
	m.size++
}

// remove removes a class and returns its methods.
func (m *members) remove(class threadstate.Key) []threadstate.Key {
	methods := m.byClass[class]
	delete(m.byClass, class)
	m.size -= len(methods)
	return methods
}

// undefinedWords returns the message about an undefined id.
func undefinedWords(in space, text, element string) string {
	return fmt.Sprintf("%s %s of %s is not defined: %s", in, text, element, definers[in])
}

// definers has, for each space, the elements that define and end its ids.
var definers = [spaces]string{
	classSpace:  "no classDef comes before, or its classUnload does",
	methodSpace: "no methodDef comes before, or the classUnload of its class does",
	objectSpace: "no objAlloc, objDef or objMove comes before, or its objFree does",
}

// String returns what an id of the space names.
func (s space) String() string {
	return [spaces]string{classSpace: "class", methodSpace: "method", objectSpace: "object"}[s]
}

// classUnload ends a class, with its methods.
func (c *Checker) classUnload(_ *trace.Event, _ *thread) {
	for _, method := range c.members.remove(c.ids[classSpace]) {
		c.known[methodSpace].defined.remove(method)
	}
}

// checkFrames reports the undefined methods in a stack trace of the current event. The reader of a log makes its
// definitions and reports unknown methods itself.
func (c *Checker) checkFrames(stack []byte) {
	if c.Logs {
		return
	}
	for method := range trace.Frames(stack) {
		if i := threadstate.KeyOf(method); !c.known[methodSpace].defined.has(i) && c.lacks(methodSpace, i) {
			c.report(methodUndefined, trace.NoAttr, func() string {
				return undefinedWords(methodSpace, sanitize.Clip(method, maxQuoted), "the call stack of "+
					c.event.Name())
			})
		}
	}
}

// methodDef adds a method to its class.
func (c *Checker) methodDef(e *trace.Event, _ *thread) {
	class, method := c.ids[classSpace], threadstate.KeyOf(e.Value(trace.AttrMethodID))
	if c.fresh && method.Names() && class.Names() {
		c.members.add(class, method)
	}
}
