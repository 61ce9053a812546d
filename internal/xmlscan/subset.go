package xmlscan

import (
	"bytes"
	"slices"
	"strings"
)

// declarations reads markup declarations of the current text. It keeps the first error and reads nothing after it.
type declarations struct {
	s        *Scanner
	p        int
	doctype  *Doctype
	err      error
	depth    int       // of the current content model
	inside   bool      // inside a declaration, where the text of a parameter entity is a part of it
	outside  bool      // outside the document: in the external subset
	sections []section // open conditional sections
	place    Position  // of the byte at placeAt in the input's buffer, if that is not 0
	placeAt  int
}

// section is an open conditional section that is included.
type section struct {
	text  int // in which it began
	floor int // texts around that one
}

// subset reads declarations up to the closing text, or to the end of the current text if closing is "".
func (d *declarations) subset(closing string) {
	floor := len(d.s.outer)
	for d.err == nil {
		d.p = d.s.skipSpace(d.p)
		switch {
		case d.p >= d.s.end && len(d.s.outer) > floor:
			d.leave()
		case d.p >= d.s.end && closing == "" && d.s.whole,
			closing != "" && len(d.s.outer) == floor && d.sees(closing):
			d.checkSections()
			return
		case d.accept("%"):
			d.parameterReference()
		case d.sees("<!--"):
			d.passed(d.s.comment(d.p))
		case d.sees("<?"):
			d.passed(d.s.instruction(d.p))
		case d.inExternal() && d.accept("<!["):
			d.conditionalSection()
		case len(d.sections) > 0 && d.accept("]]>"):
			d.endSection()
		default:
			d.declaration()
		}
	}
}

// declaration reads one markup declaration, in which references to parameter entities are allowed.
func (d *declarations) declaration() {
	begun := d.s.number
	d.inside = true
	defer func() { d.inside = false }()
	switch {
	case d.accept("<!ELEMENT"):
		d.elementDeclaration()
	case d.accept("<!ATTLIST"):
		d.attributeDeclarations()
	case d.accept("<!ENTITY"):
		d.entityDeclaration()
	case d.accept("<!NOTATION"):
		d.notationDeclaration()
	default:
		if d.err == nil {
			d.err = d.s.fail(d.p, "a declaration (<!ELEMENT, <!ATTLIST, <!ENTITY, <!NOTATION) is expected here")
		}
	}
	d.sameText(begun, "a declaration")
}

// mayNest reports whether the current text is outside of the document's own subset, where references to parameter
// entities are allowed inside declarations.
func (d *declarations) mayNest() bool { return d.outside || len(d.s.outer) > 0 }

// inExternal reports whether the current text, or one around it, is external, where conditional sections are allowed.
func (d *declarations) inExternal() bool {
	return d.outside || slices.ContainsFunc(d.s.outer, func(o outer) bool { return o.entity.external })
}

// sameText notes a problem if something that began in the text of number begun does not end in it.
func (d *declarations) sameText(begun int, what string) {
	if d.err == nil && d.s.number != begun {
		d.problem("%s does not end in the text of the parameter entity that it begins in", what)
	}
}

// problem notes a defect that makes well-formed declarations invalid.
func (d *declarations) problem(format string, arguments ...any) {
	d.doctype.addProblem(d.position(), format, arguments...)
}

// parameterReference reads %name; after the percent sign and continues in the entity's text.
func (d *declarations) parameterReference() {
	at := d.p - 1
	name := d.name()
	d.expect(";")
	if d.err != nil {
		return
	}
	doctype := d.doctype
	entity := doctype.parameters[name]
	known := entity != nil
	if known {
		if known, d.err = d.s.fetch(at, entity); d.err != nil {
			return
		}
	}
	doctype.undecided = true // a reader that does not validate need not know what the reference declares
	switch {
	case entity == nil: // not an error of form (production 69)
		d.problem("the parameter entity %%%s; is not declared", name)
	case !known && d.inside:
		d.err = d.s.failAt(at, "the parameter entity %%%s; is a part of a declaration and cannot be read: %v", name,
			entity.trouble)
	case !known:
		doctype.ignoring = !d.s.standalone
		doctype.Unread = append(doctype.Unread, Unread{entity.SystemID, entity.trouble})
	default:
		d.enter(at, entity)
	}
}

// enter continues in the text of an entity. The reference to it begins at at and ends here.
func (d *declarations) enter(at int, entity *Entity) {
	if d.err = d.s.enterEntity(at, d.p, entity); d.err == nil {
		d.s.between = !d.inside
		d.p = 0
	}
}

// leave returns to the text with the reference to the current entity.
func (d *declarations) leave() {
	if d.s.between {
		if d.inside {
			d.err = d.s.failAt(d.p, "the parameter entity %s ends inside of a declaration", d.s.entity().Name)
			return
		}
		if n := len(d.sections); n > 0 && d.sections[n-1].text == d.s.number {
			d.err = d.s.failAt(d.p, "the parameter entity %s ends inside of a conditional section", d.s.entity().Name)
			return
		}
	}
	d.s.returnFrom()
	d.p = d.s.pos
}

// conditionalSection reads <![INCLUDE[ or <![IGNORE[ after its beginning, and all of an ignored section.
func (d *declarations) conditionalSection() {
	begun := section{text: d.s.number, floor: len(d.s.outer)}
	d.inside = true
	d.skipSpace()
	ignored := d.accept("IGNORE")
	if !ignored && !d.accept("INCLUDE") {
		d.unexpected("INCLUDE or IGNORE")
	}
	d.skipSpace()
	d.expect("[")
	d.inside = false
	d.sameText(begun.text, "the beginning of a conditional section")
	switch {
	case d.err != nil:
	case ignored:
		d.ignore()
	case len(d.sections) >= d.s.limits.Depth:
		d.err = d.s.exceeds(d.p, "Depth", "more than %d conditional sections inside each other",
			d.s.limits.Depth)
	default:
		d.sections = append(d.sections, begun)
	}
}

// ignore skips the rest of an ignored section, and the sections inside of it.
func (d *declarations) ignore() {
	begin := d.p
	for level := 1; level > 0 && d.err == nil; {
		rest := d.s.buf[d.p:d.s.end]
		n := bytes.IndexAny(rest, "<]")
		switch {
		case n < 0:
			d.err = d.s.fail(d.s.end, "the conditional section has no end; ]]> is missing")
			return
		case bytes.HasPrefix(rest[n:], []byte("<![")):
			level++
			n += 3
		case bytes.HasPrefix(rest[n:], []byte("]]>")):
			level--
			n += 3
		case !d.s.whole && len(rest)-n < 3:
			d.err = errMore
		default:
			n++
		}
		d.p += n
	}
	if d.err == nil {
		d.err = d.s.checkChars(begin, d.p)
	}
}

// endSection ends the innermost conditional section.
func (d *declarations) endSection() {
	last := len(d.sections) - 1
	if d.sections[last].text != d.s.number {
		d.problem("a conditional section does not end in the text of the parameter entity that it begins in")
	}
	d.sections = d.sections[:last]
}

// checkSections checks that no conditional section is open at the end.
func (d *declarations) checkSections() {
	if len(d.sections) > 0 {
		d.err = d.s.fail(d.p, "the conditional section has no end; ]]> is missing")
	}
}

// endDeclaration reads the end of a declaration.
func (d *declarations) endDeclaration() {
	d.skipSpace()
	d.expect(">")
}

// passed continues after a comment or processing instruction that the scanner has read.
func (d *declarations) passed(_ Token, err error) {
	d.err = err
	if err == nil {
		d.p = d.s.pos
	}
}

func (d *declarations) name() string {
	if d.err != nil {
		return ""
	}
	begin := d.p
	end, err := d.s.skipName(begin)
	if err != nil {
		d.err = err
		return ""
	}
	d.p = end
	return string(d.s.buf[begin:end])
}

// nameToken reads a Nmtoken: like a name, but any of its characters is allowed first.
func (d *declarations) nameToken() string {
	begin := d.p
	for d.err == nil && d.p < d.s.end {
		r, size, err := d.s.char(d.p)
		if err != nil || !isNameChar(r) {
			d.err = err
			break
		}
		d.p += size
	}
	if d.err == nil && (d.p == begin || d.p >= d.s.end && !d.s.whole) {
		d.unexpected("a value")
	}
	return string(d.s.buf[begin:d.p])
}

// space reads white space, which must be there.
func (d *declarations) space() {
	if !d.skipSpace() {
		d.unexpected("white space")
	}
}

// skipSpace reads white space and, where allowed, the beginnings and ends of parameter entities, which count as white
// space.
func (d *declarations) skipSpace() bool {
	spaced := false
	for d.err == nil {
		begin := d.p
		d.p = d.s.skipSpace(begin)
		spaced = spaced || d.p > begin
		if !d.inside || !d.enterReferences() && !d.leaveEnds() {
			break
		}
		spaced = true
	}
	return spaced
}

// enterReferences continues in the text of a parameter entity that is referred to here, inside a declaration.
func (d *declarations) enterReferences() bool {
	if !d.inside || d.err != nil || d.p >= d.s.end || d.s.buf[d.p] != '%' || !d.mayNest() {
		return false
	}
	r, _, err := d.s.char(min(d.p+1, d.s.end-1))
	if err != nil || !isNameStart(r) {
		return false
	}
	d.p++
	d.parameterReference()
	return d.err == nil
}

// leaveEnds leaves a parameter entity that ends here, inside a declaration.
func (d *declarations) leaveEnds() bool {
	if d.err != nil || d.p < d.s.end || len(d.s.outer) == 0 {
		return false
	}
	d.leave()
	return d.err == nil
}

// sees reports whether text comes next.
func (d *declarations) sees(text string) bool {
	if d.err != nil {
		return false
	}
	rest := d.s.buf[d.p:d.s.end]
	if len(rest) < len(text) && !d.s.whole && strings.HasPrefix(text, string(rest)) {
		d.err = errMore
		return false
	}
	return len(rest) >= len(text) && string(rest[:len(text)]) == text
}

func (d *declarations) accept(text string) bool {
	if !d.sees(text) {
		return false
	}
	d.p += len(text)
	return true
}

func (d *declarations) expect(text string) {
	if !d.accept(text) {
		d.unexpected("'" + text + "'")
	}
}

func (d *declarations) unexpected(wanted string) {
	if d.err == nil {
		d.err = d.s.fail(d.p, "in a declaration: %s is expected here", wanted)
	}
}

// position returns the current position in the input. It is counted from the last one, because there may be many
// declarations.
func (d *declarations) position() Position {
	buf, p := d.s.buf, d.p
	if len(d.s.outer) > 0 {
		buf, p = d.s.outer[0].buf, d.s.outer[0].reference
	}
	if d.placeAt == 0 || p < d.placeAt {
		d.place = d.s.position(d.p)
	} else {
		d.place = d.s.advance(d.place, buf[d.placeAt:p])
	}
	d.placeAt = p
	return d.place
}
