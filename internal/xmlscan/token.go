package xmlscan

// Token is what the scanner found.
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
	Skipped                  // a reference to an entity that was declared where nothing was fetched: see Text
	nothing                  // white space outside of all elements, the end of an entity
)

// Attribute is an attribute of the start tag at hand.
type Attribute struct {
	Name       NameID
	begin, end uint32
	Form       Form
}

// Form says how an attribute's value stands in the input.
type Form uint8

// The forms.
const (
	Raw       Form = iota // in double quotes, just as it is
	Quoted                // just as it is, but in single quotes or with unusual white space around
	Resolved              // with references or white space to be resolved: the value stands nowhere as it is
	Collapsed             // with spaces that the document's declarations take away
	Defaulted             // not at all; it comes from the document's declarations
)

// Name is the name of the tag at hand.
func (s *Scanner) Name() NameID { return s.tag.id }

// Attributes are those of the start tag at hand, in the order of the input, those that the declarations add last.
func (s *Scanner) Attributes() []Attribute { return s.attributes }

// Empty says that the start tag at hand is that of an empty element, <name/>: there will be no EndTag.
func (s *Scanner) Empty() bool { return s.empty }

// Plain says that the empty element at hand is written in the plainest form: every attribute Raw, behind one space,
// without space around its equals sign or before the closing slash.
func (s *Scanner) Plain() bool { return s.plain }

// Bounds returns where the token at hand begins and ends in Spans.
func (s *Scanner) Bounds() (begin, end uint32) { return uint32(s.start), uint32(s.pos) }

// Source is the token at hand as it stands in the input, or in the text of an entity: at most so many bytes of it.
// After an error it is what the scanner was about to read.
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

// Span returns where the attribute's value stands in Spans; ok is false where it does not stand there as it is.
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

// Unresolved returns the last reference in an attribute of the start tag at hand to an entity that is not known, for
// example because nothing external is fetched; the reference stands for nothing. It is "" if there is none.
func (s *Scanner) Unresolved() string { return s.unresolved }

// References counts the references to entities in content that were followed so far: their text comes as tokens of its
// own, but an element with a reference in it is not empty.
func (s *Scanner) References() int { return s.references }

// Text is the content of the Text, Comment, Instruction or Skipped at hand, with references resolved.
func (s *Scanner) Text() []byte { return s.text }

// Literal says that the Text at hand stands in the document as it is, not in a CDATA section or as a reference.
func (s *Scanner) Literal() bool { return s.literal }

// Blank says that the Text at hand is literal white space alone.
func (s *Scanner) Blank() bool { return s.blank }

// Doctype is the document type declaration, or nil before it was met.
func (s *Scanner) Doctype() *Doctype { return s.doctype }

// TextOf returns the name itself.
func (s *Scanner) TextOf(id NameID) string { return s.names.all[id].text }

// Offset is where the token at hand begins, in bytes of the input.
func (s *Scanner) Offset() int64 {
	switch {
	case len(s.outer) > 0:
		return s.position(s.start).Offset
	case s.input.coding != utf8Coding:
		s.settle()
	}
	return s.origin.Offset + int64(s.start-s.originAt)
}

// Position is where the token at hand begins.
func (s *Scanner) Position() Position {
	if len(s.outer) == 0 {
		s.settle()
	}
	return s.position(s.start)
}
