package trace

import "iter"

// Kind names an element of the table. The zero Kind is Foreign: an element that the table does not know.
type Kind uint8

// Element is a row of the table: one element of the format.
type Element struct {
	Kind Kind
	// Name is the element's name in the XML.
	Name    string
	Group   Group
	Content Content
	// Established reports that public material has the whole attribute list. Of other elements some attributes are
	// unknown, or all.
	Established bool
	// Attributes are in the order in which agents write them. Writers keep it, because some readers depend on it.
	Attributes []Attribute
	// States are the thread states (model event types) in which the event can leave its thread.
	States []ModelType
	// Instants are the momentary model events that the event can bring about, on its own thread or on another.
	Instants []ModelType
	// Summary is the meaning of the element in one line.
	Summary string

	position [attrCount]int8 // of each attribute in Attributes, plus one; 0 where the element does not have it
	thread   Attr            // the attribute that names the acting thread
}

// Attribute is one attribute in the row of its element.
type Attribute struct {
	Attr Attr
	// Name is the attribute's name in the XML; Alias is another spelling that readers accept and writers do not use:
	// threadId for threadIdRef, and the other way round, in elements that do not have both.
	Name, Alias string
	Type        Type
	// Required reports that the event means nothing without the attribute. In the grammar every attribute is #IMPLIED.
	Required bool
	// Link and Space say what an id attribute does with which kind of id.
	Link  Link
	Space Space
}

// Group is the chapter of the format that an element belongs to.
type Group uint8

// The chapters, in the order in which the documentation shows them.
const (
	GroupLifecycle Group = iota
	GroupThreads
	GroupMonitors
	GroupCalls
	GroupCode
	GroupHeap
	GroupAnnotations
)

var groupNames = [...]string{
	GroupLifecycle: "Preamble and life cycle", GroupThreads: "Threads", GroupMonitors: "Monitors",
	GroupCalls: "Calls between threads",
	GroupCode:  "Classes and methods", GroupHeap: "Heap", GroupAnnotations: "Annotations",
}

// String is the chapter's heading.
func (g Group) String() string { return groupNames[g] }

// Content is what may be between an element's start tag and its end tag.
type Content uint8

// The kinds of content.
const (
	Empty         Content = iota // nothing
	AnnotationsOf                // any number of annotation elements
	TextContent                  // character data and elements in any order
	RootContent                  // every element that can be in a trace, in any order
)

// String names the content.
func (c Content) String() string {
	return [...]string{Empty: "empty", AnnotationsOf: "annotations", TextContent: "text", RootContent: "root"}[c]
}

// Type is how the text of an attribute is to be read.
type Type uint8

// The types. The grammar has CDATA for all of them, and (1|0) for Flag.
const (
	Text       Type = iota // any string
	Identifier             // an id; usually decimal, but any string is one
	Clock                  // decimal seconds since the Unix epoch, UTC
	Seconds                // a length of time in decimal seconds
	Integer                // a decimal integer
	Flag                   // 1 or 0; true and false are understood
)

var typeNames = [...]string{
	Text: "text", Identifier: "id", Clock: "time", Seconds: "seconds", Integer: "integer", Flag: "1 or 0",
}

// String names the type as the documentation does.
func (t Type) String() string { return typeNames[t] }

// Link is what an id attribute does with its id.
type Link uint8

// The links.
const (
	NoLink  Link = iota
	Defines      // from here on the id is known
	Refers       // the id must be known
	Ends         // the id is known no longer, and may be used again
)

var linkNames = [...]string{NoLink: "", Defines: "defines", Refers: "refers to", Ends: "ends"}

// String names the link as the documentation does.
func (l Link) String() string { return linkNames[l] }

// Space is a kind of id. Ids of different spaces are different even where their texts are equal.
type Space uint8

// The id spaces of the format. Transient ids are the JVM's own, which it uses again at will.
const (
	NoSpace Space = iota
	NodeSpace
	ProcessSpace
	AgentSpace
	TraceSpace
	ThreadSpace
	TransientThreadSpace
	ObjectSpace
	TransientObjectSpace
	ClassSpace
	TransientClassSpace
	MethodSpace
)

var spaceNames = [...]string{
	NoSpace: "", NodeSpace: "node", ProcessSpace: "process", AgentSpace: "agent", TraceSpace: "trace",
	ThreadSpace: "thread", TransientThreadSpace: "transient thread", ObjectSpace: "object",
	TransientObjectSpace: "transient object", ClassSpace: "class", TransientClassSpace: "transient class",
	MethodSpace: "method",
}

// String names the space as the documentation does.
func (s Space) String() string { return spaceNames[s] }

// Position returns where a is in the element's attributes, counted from 0, or -1 if the element does not have it.
func (e *Element) Position(a Attr) int { return int(e.position[a]) - 1 }

// Thread returns the attribute that names the thread that acts in the element, or NoAttr.
func (e *Element) Thread() Attr { return e.thread }

// Find returns the position of the attribute of the given spelling, counted from 0, and whether that spelling is the
// one that writers use. The position is -1 if the element has no such attribute.
func (e *Element) Find(spelling []byte) (position int, proper bool) {
	for i := range e.Attributes {
		if e.Attributes[i].Name == string(spelling) {
			return i, true
		}
	}
	for i := range e.Attributes {
		if alias := e.Attributes[i].Alias; alias != "" && alias == string(spelling) {
			return i, false
		}
	}
	return -1, false
}

// Lookup returns the kind of the element of the given name, or Foreign.
func Lookup(name []byte) Kind { return kinds[string(name)] }

// Elements iterates over the rows of the table: every element that public material knows, in the order of their kinds.
func Elements() iter.Seq[*Element] {
	return func(yield func(*Element) bool) {
		for k := Root; k < KindCount && yield(&elements[k]); k++ {
		}
	}
}

// Element returns the row of the kind. Foreign has a row without name and attributes.
func (k Kind) Element() *Element { return &elements[k] }

// String is the element's name in the XML; "" for Foreign.
func (k Kind) String() string { return elements[k].Name }

var kinds = make(map[string]Kind, len(elements))

// init derives from the table what its users look up: the kinds by name and, for each element, the places of its
// attributes.
func init() {
	for k := range elements {
		element := &elements[k]
		element.Kind = Kind(k)
		if element.Kind != Foreign {
			kinds[element.Name] = element.Kind
		}
		for i, attribute := range element.Attributes {
			element.position[attribute.Attr] = int8(i + 1)
			if position, _ := element.Find([]byte(attribute.otherSpelling())); position < 0 {
				element.Attributes[i].Alias = attribute.otherSpelling()
			}
			if element.thread == NoAttr && attribute.Space == ThreadSpace && attribute.Attr != AttrThreadOwner {
				element.thread = attribute.Attr
			}
		}
	}
}
