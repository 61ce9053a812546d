package xmlscan

// Token is the kind of a token.
type Token uint8

// The tokens.
const (
	End         Token = iota // the input is over, and everything was well-formed
	StartTag                 // see Name, Attributes, Empty
	EndTag                   // see Name; an element that is Empty has none
	Text                     // character data, a part of it: see Text and Literal
	Comment                  // see Text
	Instruction              // a processing instruction: see Text
	Declaration              // the XML declaration
	DoctypeDecl              // see Doctype
	Skipped                  // a reference to an entity whose text was not fetched: see Text
	nothing                  // white space outside of all elements, the end of an entity
)

// Attribute is an attribute of the current start tag.
type Attribute struct {
	Name       NameID
	begin, end uint32
	Form       Form
	Place      uint16 // its index in the template, if the tag has one; see Arranged
}

// Form is how an attribute's value is written in the input.
type Form uint8

// The forms.
const (
	Raw       Form = iota // in double quotes, just as it is
	Quoted                // just as it is, but in single quotes or with unusual white space around
	Resolved              // with references or white space to resolve: the value is not part of the input
	Collapsed             // with spaces that the document's declarations remove
	Defaulted             // not at all: it is a default of the document's declarations
)

// Name returns the name of the current tag.
func (s *Scanner) Name() NameID { return s.tag.id }

// Attributes returns the attributes of the current start tag, in the order of the input; defaults come last.
func (s *Scanner) Attributes() []Attribute { return s.attributes }

// Arranged returns the template that the attributes of the current start tag match in any order, or 0. Their values are
// then Raw or Quoted.
func (s *Scanner) Arranged() TemplateID { return s.arranged }

// Empty reports whether the current start tag is an empty element, <name/>, which has no EndTag.
func (s *Scanner) Empty() bool { return s.empty }

// Plain reports whether the current empty element is written in the plainest form: every attribute Raw, after one
// space, without space around its equals sign or before the closing slash.
func (s *Scanner) Plain() bool { return s.plain }

// Bounds returns where the current token begins and ends in Spans.
func (s *Scanner) Bounds() (begin, end uint32) { return uint32(s.start), uint32(s.pos) }

// Source returns at most most bytes of the current token's text in the input or in an entity. After an error it is the
// unread text.
func (s *Scanner) Source(most int) []byte {
	end := s.pos
	if s.err != nil {
		end = s.end
	}
	begin := min(s.start, end)
	return s.buf[begin:min(end, begin+most)]
}

// Spans returns the text to which the begins and ends of Span refer.
func (s *Scanner) Spans() []byte { return s.buf }

// Span returns where the attribute's value is in Spans; ok is false if the value is not part of the input.
func (s *Scanner) Span(a *Attribute) (begin, end uint32, ok bool) {
	return s.tagAt + a.begin, s.tagAt + a.end, a.Form <= Quoted
}

// Value returns the attribute's value, with references and white space resolved.
func (s *Scanner) Value(a *Attribute) []byte {
	if a.Form <= Quoted {
		return s.buf[s.tagAt+a.begin : s.tagAt+a.end]
	}
	return s.scratch[a.begin:a.end]
}

// Unresolved returns the last reference to an unknown entity in an attribute of the current start tag, or "". An entity
// is unknown, for example, if nothing external is fetched; the reference is replaced by nothing.
func (s *Scanner) Unresolved() string { return s.unresolved }

// References returns the number of references to entities in content that were followed so far. Their text comes as
// tokens, but even an empty one makes its element not empty.
func (s *Scanner) References() int { return s.references }

// Text returns the content of the current Text, Comment, Instruction or Skipped, with references resolved.
func (s *Scanner) Text() []byte { return s.text }

// Literal reports whether the current Text is plain character data, not a CDATA section or a reference.
func (s *Scanner) Literal() bool { return s.literal }

// Blank reports whether the current Text is Literal white space.
func (s *Scanner) Blank() bool { return s.blank }

// Doctype returns the document type declaration, or nil before it was read.
func (s *Scanner) Doctype() *Doctype { return s.doctype }

// TextOf returns the text of the name.
func (s *Scanner) TextOf(id NameID) string { return s.names.all[id].text }

// Offset returns where the current token begins, in bytes of the input.
func (s *Scanner) Offset() int64 {
	switch {
	case len(s.outer) > 0:
		return s.position(s.start).Offset
	case s.input.coding != utf8Coding:
		s.moveOrigin()
	}
	return s.origin.Offset + int64(s.start-s.originAt)
}

// Position returns where the current token begins.
func (s *Scanner) Position() Position {
	if len(s.outer) == 0 {
		s.moveOrigin()
	}
	return s.position(s.start)
}
