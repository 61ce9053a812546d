package validate

import (
	"slices"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
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
	// mostKnown is how many words of ids are kept as defined, in each space. Beyond, no id of the space is called
	// undefined any more.
	mostKnown = 1 << 18
	// maxReported is how many words of ids are kept as reported. Of those that were forgotten the next use is reported
	// again.
	maxReported = 1 << 12
	// mostListed is how many methods are listed with their classes. Others stay defined when their class is unloaded.
	mostListed = 1 << 20
)

// known is what is known of the ids of a space.
type known struct {
	defined  idSet
	reported idSet // those that are not defined, as has been said
}

func newKnown() (all [spaces]known) {
	for i := range all {
		all[i] = known{defined: newIDSet(mostKnown, false), reported: newIDSet(maxReported, true)}
	}
	return all
}

// define notes that the id is defined from here on, and says whether it was not yet.
func (k *known) define(i threadstate.Key) bool {
	fresh := i.Names() && k.defined.add(i)
	if fresh {
		k.reported.remove(i)
	}
	return fresh
}

// link is an id attribute in the row of its element.
type link struct {
	position int8
	space    space
	does     trace.Link
	attr     trace.Attr
}

// order has what is done first in an element that does several things: an objMove ends one id and may define the same
// again.
var order = [...]int{trace.Refers: 0, trace.Ends: 1, trace.Defines: 2}

// linksOf lists what the element does with ids. A classDef defines its java.lang.Class object, too: no objAlloc does
// that.
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

// follow does what the element at hand does with an id.
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

// checkDefined reports an id that nothing has defined, once.
func (c *Checker) checkDefined(l *link, i threadstate.Key) {
	if c.lacks(l.space, i) {
		c.report(undefined[l.space], l.attr, func() string {
			return undefinedWords(l.space, c.text(l.attr),
				c.event.Name())
		})
	}
}

// lacks says whether it is to be reported that nothing has defined the id, which is the case once.
func (c *Checker) lacks(in space, i threadstate.Key) bool {
	k := &c.known[in]
	return i.Names() && !k.defined.full && (in != objectSpace || c.sized) && k.reported.add(i)
}
