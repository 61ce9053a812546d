package xmlscan

// Entity is an entity that the document's declarations declare.
type Entity struct {
	Name      string
	Parameter bool // declared with %, for use in declarations
	// Replacement is the text of an internal entity, with character references resolved.
	Replacement string
	// PublicID and SystemID name an external entity, Notation the notation of an unparsed one.
	PublicID, SystemID, Notation string
	Outside                      bool // declared in the external subset or in a parameter entity
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

// Trouble is why the text of an external entity that was referred to is not known; nil if it is.
func (e *Entity) Trouble() error { return e.trouble }

// entityNamed finds the general entity that p refers to. It is nil, without an error, if it may be declared in a part
// of the declarations that is not read, or if only a reader that validates may mind that it is not declared.
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
	for i := range s.outer {
		if s.outer[i].entity.Parameter {
			return true
		}
	}
	return false
}

// enterEntity continues in the replacement text of an entity, to which the reference at p refers, and after that at
// position after of the current text.
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

// chargeExpansion counts the bytes to which the reference at p expands. It returns an error beyond the entity expansion
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

// entity is the one in whose text the scanner is.
func (s *Scanner) entity() *Entity { return s.outer[len(s.outer)-1].entity }

// before is the amount of input in front of the reference at p of the current text, together with what was fetched.
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
