package xmlscan

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// elementDeclaration reads <!ELEMENT after its keyword.
func (d *declarations) elementDeclaration() {
	declaration := ElementDeclaration{Position: d.position(), Outside: d.mayNest()}
	d.space()
	declaration.Name = d.name()
	d.space()
	switch {
	case d.accept("EMPTY"):
		declaration.Content.Kind = EmptyContent
	case d.accept("ANY"):
		declaration.Content.Kind = AnyContent
	case d.accept("("):
		declaration.Content = d.model()
	default:
		d.unexpected("EMPTY, ANY or a content model in parentheses")
	}
	d.endDeclaration()
	if d.err == nil {
		d.doctype.Elements = append(d.doctype.Elements, declaration)
	}
}

// model reads a content model after its first parenthesis.
func (d *declarations) model() Particle {
	begun := d.s.number
	d.skipSpace()
	if d.accept("#PCDATA") {
		return d.mixed(begun)
	}
	group := d.group(begun)
	group.Repeat = d.repeat()
	return group
}

// mixed reads a mixed content model after #PCDATA. begun is the number of the text with its parenthesis.
func (d *declarations) mixed(begun int) Particle {
	model := Particle{Kind: MixedContent}
	for d.skipSpace(); d.err == nil && d.accept("|"); d.skipSpace() {
		d.skipSpace()
		model.Children = append(model.Children, Particle{Kind: NameParticle, Name: d.name()})
	}
	d.expect(")")
	d.sameText(begun, "a group in a content model")
	if len(model.Children) > 0 {
		d.expect("*")
	} else {
		d.accept("*")
	}
	return model
}

// group reads a choice or a sequence after its parenthesis. begun is the number of the text with the parenthesis.
func (d *declarations) group(begun int) Particle {
	group := Particle{Kind: Sequence}
	if d.depth++; d.depth > d.s.limits.Depth && d.err == nil {
		d.err = d.s.exceeds(d.p, "Depth", "a content model of more than %d levels", d.s.limits.Depth)
	}
	defer func() { d.depth-- }()
	separator := ""
	for d.err == nil {
		d.skipSpace()
		group.Children = append(group.Children, d.particle())
		d.skipSpace()
		switch {
		case d.accept(")"):
			d.sameText(begun, "a group in a content model")
			return group
		case separator == "" && d.sees("|"):
			separator, group.Kind = "|", Choice
		case separator == "":
			separator = ","
			if !d.sees(separator) {
				d.unexpected("',', '|' or ')'")
			}
		}
		d.expect(separator)
	}
	return group
}

func (d *declarations) particle() Particle {
	var particle Particle
	if begun := d.s.number; d.accept("(") {
		particle = d.group(begun)
	} else {
		particle = Particle{Kind: NameParticle, Name: d.name()}
	}
	particle.Repeat = d.repeat()
	return particle
}

func (d *declarations) repeat() byte {
	for _, sign := range []string{"?", "*", "+"} {
		if d.accept(sign) {
			return sign[0]
		}
	}
	return 0
}

// attributeDeclarations reads <!ATTLIST after its keyword.
func (d *declarations) attributeDeclarations() {
	d.space()
	element := d.name()
	for d.err == nil {
		spaced := d.skipSpace()
		if d.accept(">") {
			return
		}
		if !spaced {
			d.unexpected("white space or >")
			return
		}
		d.attributeDeclaration(element)
	}
}

func (d *declarations) attributeDeclaration(element string) {
	declaration := AttributeDeclaration{Element: element, Position: d.position(), Outside: d.mayNest()}
	declaration.Name = d.name()
	d.space()
	declaration.Type, declaration.Values = d.attributeType()
	d.space()
	switch {
	case d.accept("#REQUIRED"):
		declaration.Presence = Required
	case d.accept("#IMPLIED"):
		declaration.Presence = Implied
	default:
		if d.accept("#FIXED") {
			declaration.Presence = Fixed
			d.space()
		}
		declaration.Default = d.defaultValue(declaration.Name, declaration.Type)
	}
	key := [2]string{element, declaration.Name}
	if d.err != nil || d.doctype.ignoring || d.doctype.attributes[key] {
		return
	}
	d.doctype.attributes[key] = true
	d.doctype.Attributes = append(d.doctype.Attributes, declaration)
}

var attributeTypes = []struct {
	keyword string
	typ     AttributeType
}{{"CDATA", CDATA}, {"IDREFS", IDREFS}, {"IDREF", IDREF}, {"ID", ID}, {"ENTITIES", ENTITIES}, {"ENTITY", ENTITY},
	{"NMTOKENS", NMTOKENS}, {"NMTOKEN", NMTOKEN}}

func (d *declarations) attributeType() (AttributeType, []string) {
	for _, known := range attributeTypes {
		if d.accept(known.keyword) {
			return known.typ, nil
		}
	}
	if d.accept("NOTATION") {
		d.space()
		d.expect("(")
		return NotationType, d.enumeration(d.name)
	}
	if !d.accept("(") {
		d.unexpected("the type of an attribute")
		return CDATA, nil
	}
	return Enumeration, d.enumeration(d.nameToken)
}

// enumeration reads values after the parenthesis.
func (d *declarations) enumeration(value func() string) []string {
	var values []string
	for d.err == nil {
		d.skipSpace()
		values = append(values, value())
		d.skipSpace()
		if d.accept(")") {
			break
		}
		d.expect("|")
	}
	return values
}

// defaultValue reads the default of an attribute of the name and type.
func (d *declarations) defaultValue(name string, typ AttributeType) string {
	quote := d.quote()
	if d.err != nil {
		return ""
	}
	// Entities of the current declaration are already known to the references in it.
	outer := d.s.doctype
	d.s.doctype = d.doctype
	defer func() { d.s.doctype = outer }()
	mark := len(d.s.scratch)
	value, after, err := d.s.value(name, d.p, quote, Raw)
	if err != nil {
		d.err = err
		return ""
	}
	d.p = after
	if reference := d.s.unresolved; reference != "" {
		d.s.unresolved = ""
		d.problem("the default of the attribute %s refers to %s, which is not declared before it", name, reference)
	}
	text := d.s.Value(&value)
	if typ != CDATA {
		text = CollapseSpaces(nil, text)
	}
	d.s.scratch = d.s.scratch[:mark]
	return string(text)
}

// entityDeclaration reads <!ENTITY after its keyword.
func (d *declarations) entityDeclaration() {
	entity := &Entity{Outside: d.mayNest(), base: d.s.base()}
	d.space()
	if d.accept("%") {
		entity.Parameter = true
		d.space()
	}
	entity.Name = d.name()
	entity.Position = d.position()
	d.space()
	if d.sees(`"`) || d.sees("'") {
		entity.Replacement = d.entityValue()
	} else {
		entity.external = true
		entity.SystemID = d.externalID(false)
		if d.skipSpace() && !entity.Parameter && d.accept("NDATA") {
			d.space()
			entity.Notation = d.name()
		}
	}
	d.endDeclaration()
	known := d.doctype.entities
	if entity.Parameter {
		known = d.doctype.parameters
	}
	if d.err != nil || d.doctype.ignoring && !entity.Parameter {
		return
	}
	if known[entity.Name] == nil {
		known[entity.Name] = entity
		d.doctype.Entities = append(d.doctype.Entities, entity)
	}
}

// entityValue reads the quoted text of an internal entity: it resolves character references and, where allowed,
// references to parameter entities; references to general entities stay.
func (d *declarations) entityValue() string {
	quote := d.quote()
	floor := len(d.s.outer)
	var value []byte
	for d.err == nil {
		if d.p >= d.s.end {
			if len(d.s.outer) > floor {
				d.leave()
				continue
			}
			d.err = d.s.fail(d.p, "the value of an entity has no closing quote")
			break
		}
		switch c := d.s.buf[d.p]; {
		case c == quote && len(d.s.outer) == floor:
			d.p++
			return string(value)
		case c == '%' && !d.mayNest():
			d.err = d.s.failAt(d.p,
				"a parameter entity is referred to inside a declaration of the internal subset (write &#37; for "+
					"the character '%%')")
		case c == '%':
			d.p++
			d.parameterReference()
		case c == '&':
			value = d.entityReference(value)
		default:
			value = d.character(value)
		}
		if len(value) > d.s.limits.Value {
			d.err = d.s.exceeds(d.p, "Value", "the value of an entity has more than %d bytes",
				d.s.limits.Value)
		}
	}
	return ""
}

// entityReference appends the replacement of the current reference in the value of an entity.
func (d *declarations) entityReference(value []byte) []byte {
	if d.s.buf[d.p+1] == '#' {
		r, after, err := d.s.characterReference(d.p)
		d.err, d.p = err, after
		return utf8.AppendRune(value, r)
	}
	begin := d.p
	d.p++
	d.name()
	d.expect(";")
	if d.err != nil {
		return value
	}
	return append(value, d.s.buf[begin:d.p]...)
}

// character appends the current character, a line end as a single line feed.
func (d *declarations) character(value []byte) []byte {
	_, size, err := d.s.char(d.p)
	if err != nil {
		d.err = err
		return value
	}
	at := d.p
	d.p += size
	if d.s.buf[at] == '\r' && len(d.s.outer) == 0 {
		if d.p >= d.s.end && !d.s.whole {
			d.err = errMore
		} else if d.s.buf[d.p] == '\n' {
			return value
		}
		return append(value, '\n')
	}
	return append(value, d.s.buf[at:d.p]...)
}

// notationDeclaration reads <!NOTATION after its keyword.
func (d *declarations) notationDeclaration() {
	declaration := NotationDeclaration{Position: d.position()}
	d.space()
	declaration.Name = d.name()
	d.space()
	d.externalID(true)
	d.endDeclaration()
	if d.err == nil {
		d.doctype.Notations = append(d.doctype.Notations, declaration)
	}
}

// externalID reads SYSTEM "…" or PUBLIC "…" "…" and returns the system identifier; a notation may lack the second part
// of PUBLIC.
func (d *declarations) externalID(ofNotation bool) string {
	switch {
	case d.accept("SYSTEM"):
		d.space()
		return d.systemLiteral()
	case d.accept("PUBLIC"):
		d.space()
		d.publicLiteral()
		spaced := d.skipSpace()
		if ofNotation && !(d.sees(`"`) || d.sees("'")) {
			return ""
		}
		if !spaced {
			d.unexpected("white space")
		}
		return d.systemLiteral()
	}
	d.unexpected("a quoted text, SYSTEM or PUBLIC")
	return ""
}

func (d *declarations) systemLiteral() string {
	text := d.quotedText()
	if d.err == nil {
		d.err = d.s.checkChars(d.p-1-len(text), d.p-1)
	}
	return string(text)
}

const publicMarks = " \r\n-'()+,./:=?;!*#@$_%"

func (d *declarations) publicLiteral() {
	text := d.quotedText()
	for i, c := range text {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
		if d.err == nil && !letter && strings.IndexByte(publicMarks, c) < 0 {
			d.err = d.s.failAt(d.p-1-len(text)+i, "%s is not allowed in a public identifier",
				d.s.describe(d.p-1-len(text)+i))
		}
	}
}

// quotedText reads a text between quotes as it is.
func (d *declarations) quotedText() []byte {
	quote := d.quote()
	if d.err != nil {
		return nil
	}
	size := bytes.IndexByte(d.s.buf[d.p:d.s.end], quote)
	if size < 0 {
		d.err = d.s.fail(d.s.end, "a closing quote is missing")
		return nil
	}
	text := d.s.buf[d.p : d.p+size]
	d.p += size + 1
	return text
}

func (d *declarations) quote() byte {
	for _, quote := range []string{`"`, "'"} {
		if d.accept(quote) {
			return quote[0]
		}
	}
	d.unexpected("a quoted text")
	return 0
}
