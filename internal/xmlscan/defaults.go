package xmlscan

// declaredOfName are the declared attributes of an element name whose values depend on the declaration: they have a
// default, or a type other than CDATA.
type declaredOfName struct {
	byName   map[NameID]*AttributeDeclaration
	defaults []*AttributeDeclaration // those with a default value
}

// adopt gives each element name its declared attributes, as far as these change what elements have.
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

// applyDefaults adds the attribute defaults that the declarations give the current tag, and normalizes values of types
// other than CDATA: they lose outer spaces and all but one of each run of inner ones. It reports whether that changed
// anything.
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
