package xmlscan

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// Entity is an entity that the document's declarations declare.
type Entity struct {
	Name      string
	Parameter bool // declared with %, for use in declarations
	// Replacement is the text of an internal entity, with character references resolved.
	Replacement string
	// SystemID names an external entity, Notation the notation of an unparsed one.
	SystemID, Notation string
	Outside            bool // declared in the external subset or in a parameter entity
	Position

	external bool
	active   bool   // it is being expanded
	padded   []byte // the text, with padding after it; nil before it was used
	location string // where an external entity was found, to which references in it are relative
	base     string // where it is declared
	trouble  error  // why an external entity cannot be read
}

// External reports whether the entity's text is outside of the document. It is read only where Options.Open opens it.
func (e *Entity) External() bool { return e.external }

// Trouble returns why the text of a referenced external entity is unknown, or nil.
func (e *Entity) Trouble() error { return e.trouble }

// entityNamed finds the general entity that p refers to. It returns nil without an error if the entity may be declared
// in an unread part of the declarations, or if a missing declaration is only an error of validity.
func (s *Scanner) entityNamed(p int, name string) (*Entity, error) {
	if s.doctype != nil {
		entity := s.doctype.entities[name]
		if entity != nil && entity.Outside && s.standalone && !s.inDeclarations() {
			return nil,
				s.failAt(p, "the entity &%s; has an external declaration, but the document has standalone=\"yes\"",
					name)
		}
		if entity != nil {
			if entity.Notation != "" {
				return nil, s.failAt(p, "&%s; refers to an unparsed entity, which has no text", name)
			}
			return entity, nil
		}
		if s.doctype.undecided && !s.standalone {
			return nil, nil
		}
	}
	return nil, s.failAt(p, "the entity &%s; is not declared (write &amp; for the character '&')", name)
}

// inDeclarations reports whether the current text, or one around it, belongs to a parameter entity or to the external
// subset.
func (s *Scanner) inDeclarations() bool {
	return slices.ContainsFunc(s.outer, func(o outer) bool { return o.entity.Parameter })
}

// enterEntity continues in the replacement text of the entity that the reference at p names, and then at position after
// of the current text.
func (s *Scanner) enterEntity(p, after int, entity *Entity) error {
	if entity.active {
		return s.failAt(p, "the entity %s refers to itself", entity.Name)
	}
	if len(s.outer) >= s.limits.Depth {
		return s.exceeds(p, "Depth", "more than %d entities inside each other", s.limits.Depth)
	}
	if entity.padded == nil {
		entity.padded = append([]byte(entity.Replacement), make([]byte, padding)...)
	}
	size := len(entity.padded) - padding
	if err := s.chargeExpansion(p, size); err != nil {
		return err
	}
	s.pos = after
	s.outer = append(s.outer, outer{frame: s.frame, reference: p, entity: entity, depth: len(s.open)})
	s.texts++
	s.frame = frame{buf: entity.padded, end: size, whole: true, number: s.texts}
	entity.active = true
	return nil
}

// chargeExpansion counts the bytes to which the reference at p expands. The error is for exceeding the entity expansion
// limit.
func (s *Scanner) chargeExpansion(p, size int) error {
	s.expanded += size
	if s.expanded > s.limits.EntityExpansion {
		return s.exceeds(p, "EntityExpansion", "entities expand to more than %d bytes", s.limits.EntityExpansion)
	}
	if s.ratioLimited && s.expanded > s.before(p)*expansionRatio {
		return s.exceeds(p, "EntityExpansion", "entities expand to more than %d times the input before them",
			expansionRatio)
	}
	return nil
}

// entity returns the entity in whose text the scanner is.
func (s *Scanner) entity() *Entity { return s.outer[len(s.outer)-1].entity }

// before returns the bytes of input before the reference at p of the current text, plus the bytes that were fetched.
func (s *Scanner) before(p int) int {
	if len(s.outer) > 0 {
		p = s.outer[0].reference
	}
	return s.slid + p + s.fetchedBytes
}

// leaveEntity ends the expansion of an entity in content.
func (s *Scanner) leaveEntity() error {
	inner := &s.outer[len(s.outer)-1]
	if len(s.open) != inner.depth {
		return s.failAt(s.end, "the entity %s does not close the element <%s> that it opens", inner.entity.Name,
			s.open[len(s.open)-1].text)
	}
	s.returnFrom()
	return nil
}

// leaveAll goes back to the input, out of all entities.
func (s *Scanner) leaveAll() {
	for len(s.outer) > 0 {
		s.returnFrom()
	}
}

// returnFrom goes back to the text that refers to the current entity.
func (s *Scanner) returnFrom() {
	last := len(s.outer) - 1
	s.outer[last].entity.active = false
	s.frame = s.outer[last].frame
	s.outer = s.outer[:last]
}

// Open opens an external subset or entity. The system identifier is relative to base, the location of the text that
// names it. location is where the entity was found, the base of the identifiers in it.
type Open func(systemID, base string) (text io.ReadCloser, location string, err error)

// ErrNotOpened is why an external entity is not read if Options.Open is nil.
var ErrNotOpened = errors.New("nothing external is read")

// fetch loads the text of the entity that p refers to, unless it is loaded. It returns false if the text cannot be
// read, and keeps the reason in the entity. The error is for a text that is not an external entity.
func (s *Scanner) fetch(p int, entity *Entity) (bool, error) {
	if !entity.external || entity.padded != nil {
		return true, nil
	}
	if s.opener == nil {
		entity.trouble = ErrNotOpened
		return false, nil
	}
	key := [2]string{entity.SystemID, entity.base}
	known, ok := s.fetched[key] // a token that is read again fetches nothing again
	if !ok {
		if s.fetchedBytes > s.limits.EntityExpansion {
			return false, s.exceeds(p, "EntityExpansion", "external entities of more than %d bytes together",
				s.limits.EntityExpansion)
		}
		known = s.readExternal(entity)
		if s.fetched == nil {
			s.fetched = map[[2]string]external{}
		}
		s.fetched[key] = known
		s.fetchedBytes += len(known.padded)
	}
	entity.padded, entity.location, entity.trouble = known.padded, known.location, known.trouble
	var malformed *SyntaxError
	if errors.As(entity.trouble, &malformed) {
		return false, s.failAt(p, "in %s, %v", entity.location, malformed)
	}
	return entity.trouble == nil, nil
}

// external is a fetched external entity, or the reason why it could not be fetched.
type external struct {
	padded   []byte
	location string
	trouble  error
}

// readExternal reads the whole text of an external entity.
func (s *Scanner) readExternal(entity *Entity) external {
	in, location, err := s.opener(entity.SystemID, entity.base)
	if err != nil {
		return external{trouble: err}
	}
	defer in.Close()
	text, err := s.externalText(in)
	if err != nil {
		return external{location: location, trouble: err}
	}
	return external{padded: append(text, make([]byte, padding)...), location: location}
}

// externalText reads an entity's own text, without its text declaration and with single line feeds as line ends.
func (s *Scanner) externalText(in io.Reader) ([]byte, error) {
	text := New(in, Options{Limits: s.limits, BufferSize: 16 << 10})
	text.laterVersion = s.laterVersion
	if err := text.readWhole(); err != nil {
		return nil, err
	}
	plain := normaliseLines(nil, text.buf[text.pos:text.end])
	if text.input.asciiOnly {
		for _, c := range plain {
			if c >= utf8.RuneSelf {
				return nil, &SyntaxError{Position: Position{Line: 1, Column: 1},
					Message: fmt.Sprintf("byte 0x%02X in a text that says it is US-ASCII", c)}
			}
		}
	}
	return plain, nil
}

// readWhole reads all of an external entity, and its text declaration.
func (s *Scanner) readWhole() error {
	s.ofEntity = true
	for !s.whole {
		if s.end > s.limits.EntityExpansion {
			return s.exceeds(0, "EntityExpansion", "an external entity of more than %d bytes",
				s.limits.EntityExpansion)
		}
		if s.end+padding >= len(s.buf) {
			s.buf = append(s.buf, make([]byte, len(s.buf))...)
		}
		if err := s.fill(); err != nil {
			return err
		}
	}
	const opening = "<?xml"
	if s.end > len(opening) && string(s.buf[:len(opening)]) == opening && isSpace(s.buf[len(opening)]) {
		_, err := s.xmlDeclaration(0, len(opening))
		return err
	}
	return nil
}

// base is the location of the current text.
func (s *Scanner) base() string {
	for i := len(s.outer) - 1; i >= 0; i-- {
		if e := s.outer[i].entity; e.external {
			return e.location
		}
	}
	return s.location
}

// ReadSubset reads a file of declarations, like an external subset. The error is a *SyntaxError or from the reader.
func ReadSubset(r io.Reader, options Options) (*Doctype, error) {
	s := New(r, options)
	s.laterVersion = true // its documents are unknown
	if err := s.readWhole(); err != nil {
		return nil, err
	}
	doctype := newDoctype()
	doctype.HasExternal, doctype.undecided = true, true
	d := declarations{s: s, p: s.pos, doctype: doctype, outside: true}
	d.subset("")
	return doctype, d.err
}
