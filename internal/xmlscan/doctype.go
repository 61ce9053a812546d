package xmlscan

import "fmt"

// Doctype is a document type declaration with the declarations of its internal subset, and of the external one if
// Options.Open opens it.
type Doctype struct {
	// Name is the name of the root element, SystemID names the external subset.
	Name, SystemID string
	HasExternal    bool
	// Standalone reports that the document declares itself standalone.
	Standalone bool
	// Position is the place of the declaration.
	Position
	Declarations
	declared
}

// Declarations are the declarations of a DTD, in document order.
type Declarations struct {
	Elements   []ElementDeclaration
	Attributes []AttributeDeclaration
	Entities   []*Entity
	Notations  []NotationDeclaration
	// Problems are defects that make well-formed declarations invalid, as far as they are about the use of entities in
	// them.
	Problems []Problem
	// Unread are the parts of the declarations that were not read.
	Unread []Unread
}

// declared has the declarations by name. The first declaration of a name counts.
type declared struct {
	entities   map[string]*Entity // general ones
	parameters map[string]*Entity
	attributes map[[2]string]bool // by element and name
	undecided  bool               // a reference to an undeclared name does not make the document malformed
	ignoring   bool               // declarations are ignored, because earlier ones were not read
}

// Problem is something in the declarations that makes them invalid.
type Problem struct {
	Position
	Message string
}

// maxProblems limits the problems of one document that are kept.
const maxProblems = 1000

func newDoctype() *Doctype {
	return &Doctype{declared: declared{entities: map[string]*Entity{}, parameters: map[string]*Entity{},
		attributes: map[[2]string]bool{}}}
}

func (d *Doctype) addProblem(at Position, format string, arguments ...any) {
	if len(d.Problems) < maxProblems {
		d.Problems = append(d.Problems, Problem{at, fmt.Sprintf(format, arguments...)})
	}
}

// Unread is something external that was not read.
type Unread struct {
	SystemID string
	Reason   error // ErrNotOpened where Options.Open is nil
}

// Entity returns the general entity of the name, or nil.
func (d *Doctype) Entity(name string) *Entity { return d.entities[name] }

// ElementDeclaration is <!ELEMENT Name Content>.
type ElementDeclaration struct {
	Name    string
	Content Particle
	Outside bool // declared in the external subset or in a parameter entity
	Position
}

// Particle is a part of a content model.
type Particle struct {
	Kind     ParticleKind
	Name     string     // of a NameParticle
	Children []Particle // of the other kinds
	Repeat   byte       // '?', '*', '+', or 0 for exactly once
}

// ParticleKind is the kind of a particle.
type ParticleKind uint8

// The kinds of particles. The first three are whole content models.
const (
	EmptyContent ParticleKind = iota
	AnyContent
	MixedContent // text, and the Children, which are names, in any order
	NameParticle
	Sequence
	Choice
)

// AttributeDeclaration is one attribute of <!ATTLIST Element …>.
type AttributeDeclaration struct {
	Element, Name string
	Type          AttributeType
	Values        []string // of an Enumeration or a NotationType
	Presence      Presence
	Default       string // the value of HasDefault and Fixed, normalised
	Outside       bool   // declared in the external subset or in a parameter entity
	Position

	attribute *name
}

// AttributeType is the type of a declared attribute.
type AttributeType uint8

// The attribute types of XML 1.0.
const (
	CDATA AttributeType = iota
	ID
	IDREF
	IDREFS
	ENTITY
	ENTITIES
	NMTOKEN
	NMTOKENS
	NotationType
	Enumeration
)

// Presence is what an attribute's declaration states for elements without it.
type Presence uint8

// The presences.
const (
	HasDefault Presence = iota
	Required
	Implied
	Fixed
)

// NotationDeclaration is <!NOTATION Name …>.
type NotationDeclaration struct {
	Name string
	Position
}

// doctypeDeclaration reads the document type declaration at p.
func (s *Scanner) doctypeDeclaration(p int) (Token, error) {
	if s.doctype != nil || s.rootSeen {
		return nothing, s.failAt(p, "<!DOCTYPE is only allowed once, before the first element")
	}
	doctype := newDoctype()
	doctype.Standalone, doctype.Position = s.standalone, s.position(p)
	d := declarations{s: s, p: p + len("<!DOCTYPE"), doctype: doctype}
	d.space()
	doctype.Name = d.name()
	if d.skipSpace() && (d.sees("SYSTEM") || d.sees("PUBLIC")) {
		doctype.SystemID = d.externalID(false)
		doctype.HasExternal, doctype.undecided = true, true
		d.skipSpace()
	}
	if d.accept("[") {
		d.subset("]")
		d.expect("]")
		d.skipSpace()
	}
	d.expect(">")
	after := d.p
	if d.err == nil && doctype.HasExternal {
		d.externalSubset(p)
	}
	s.leaveAll()
	if d.err != nil {
		return nothing, d.err
	}
	s.adopt(doctype)
	s.doctype, s.pos = doctype, after
	return DoctypeDecl, nil
}

// externalSubset reads the external subset of the document type declaration at p, if it is opened.
func (d *declarations) externalSubset(p int) {
	subset := &Entity{Parameter: true, Name: d.doctype.SystemID, SystemID: d.doctype.SystemID, base: d.s.base(),
		external: true}
	known, err := d.s.fetch(p, subset)
	switch {
	case err != nil:
		d.err = err
		return
	case !known:
		d.doctype.Unread = append(d.doctype.Unread, Unread{subset.SystemID, subset.trouble})
		return
	}
	d.outside = true
	if d.enter(p, subset); d.err == nil {
		d.subset("")
	}
}

// declaredOfName has the declared attributes of an element name whose values depend on the declaration: with a default,
// or a type other than CDATA.
type declaredOfName struct {
	byName   map[NameID]*AttributeDeclaration
	defaults []*AttributeDeclaration // those with a default value
}

// adopt assigns to each element name its declared attributes that can change elements.
func (s *Scanner) adopt(doctype *Doctype) {
	for _, attribute := range doctype.Attributes {
		if attribute.Type == CDATA && attribute.Presence != HasDefault && attribute.Presence != Fixed {
			continue
		}
		attribute.attribute = s.nameOf(attribute.Name)
		element := s.nameOf(attribute.Element)
		if element.declared == nil {
			element.declared = &declaredOfName{byName: map[NameID]*AttributeDeclaration{}}
		}
		element.declared.byName[attribute.attribute.id] = &attribute
		if attribute.hasDefault() {
			element.declared.defaults = append(element.declared.defaults, &attribute)
		}
	}
}

func (a *AttributeDeclaration) hasDefault() bool {
	return a.Presence == HasDefault || a.Presence == Fixed
}

// applyDefaults adds the declared attribute defaults to the current tag, and normalizes values of types other than
// CDATA: it removes outer spaces and all but one of each run of inner ones. It reports whether that changed anything.
func (s *Scanner) applyDefaults(declared *declaredOfName) (changed bool, err error) {
	s.markAttributes()
	for i := range s.attributes {
		if d := declared.byName[s.attributes[i].Name]; d != nil && d.Type != CDATA {
			changed = s.collapse(&s.attributes[i]) || changed
		}
	}
	for _, missing := range declared.defaults {
		if s.seen[missing.attribute.id] == s.generation {
			continue
		}
		if len(s.attributes) >= s.limits.Attributes {
			return false, s.exceeds(s.start, "Attributes",
				"an element of more than %d attributes, with those that the declarations add", s.limits.Attributes)
		}
		begin := uint32(len(s.scratch))
		s.scratch = append(s.scratch, missing.Default...)
		s.attributes = append(s.attributes, Attribute{missing.attribute.id, begin, uint32(len(s.scratch)), Defaulted,
			0})
		changed = true
	}
	return changed, nil
}

// collapse normalizes the value of an attribute that is not CDATA. It reports whether that changed it.
func (s *Scanner) collapse(a *Attribute) bool {
	value := s.Value(a)
	collapsed := CollapseSpaces(nil, value)
	if len(collapsed) == len(value) {
		return false
	}
	begin := uint32(len(s.scratch))
	s.scratch = append(s.scratch, collapsed...)
	a.begin, a.end, a.Form = begin, uint32(len(s.scratch)), Collapsed
	return true
}

// CollapseSpaces appends value without outer spaces and with one space for each run of inner ones.
func CollapseSpaces(dst, value []byte) []byte {
	for i, c := range value {
		if c != ' ' || len(dst) > 0 && i+1 < len(value) && value[i+1] != ' ' {
			dst = append(dst, c)
		}
	}
	return dst
}
