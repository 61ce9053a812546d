package xmlscan

import "io"

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

// Options say how a Scanner reads.
type Options struct {
	// Fragments allows any number of elements side by side, where a document has one.
	Fragments bool
	Limits    Limits
	// SkipBlank leaves out line ends between tags, which most readers have no use for; see SetSkipBlank.
	SkipBlank bool
	// BufferSize is the first size of the buffer in bytes; the default is 256 KiB.
	BufferSize int
}

const defaultBuffer = 256 << 10

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
	Defaulted             // not at all; it comes from the document's declarations
)

// Scanner reads the tokens of one input. What its methods return belongs to it and is good until the next call of Next.
type Scanner struct {
	limits    Limits
	fragments bool
	skipBlank bool
	names     names

	frame            // the text at hand: the input, or the replacement text of an entity
	outer    []outer // the texts that refer to it; the first is the input
	expanded int     // bytes that entities were expanded to
	input    source
	slid     int      // bytes that have left the input's buffer
	origin   Position // of the byte at originAt in the input's buffer, which is no later than the token at hand
	originAt int

	start      int // of the token at hand
	err        error
	resuming   bool // Resume looks for a tag
	beyond     int  // where it begins to, if what is wrong was looked for up to there
	open       []*name
	rootSeen   bool
	begun      bool // something stood before: an XML declaration may come no more
	standalone bool
	doctype    *Doctype

	last       *name // the element before, whatever stood in between
	tag        *name
	attributes []Attribute
	habit      int
	empty      bool
	plain      bool
	literal    bool
	blank      bool
	text       []byte
	scratch    []byte // resolved values and texts
	seen       []uint32
	generation uint32
}

// frame is a text with the place that was reached in it. padding zeros stand behind its end.
type frame struct {
	buf      []byte
	pos, end int
	whole    bool // nothing comes after end
}

// outer is a text that waits for the end of an entity it refers to.
type outer struct {
	frame
	reference int // where the reference stands
	entity    *Entity
	depth     int // open elements there
}

// New returns a Scanner of the input.
func New(r io.Reader, options Options) *Scanner {
	size := options.BufferSize
	if size <= 0 {
		size = defaultBuffer
	}
	s := &Scanner{limits: options.Limits.withDefaults(), fragments: options.Fragments, input: source{reader: r}}
	s.skipBlank = options.SkipBlank
	s.buf = make([]byte, max(size, 16)+padding)
	s.origin = Position{Line: 1, Column: 1}
	s.last = new(name)
	return s
}

// Next reads the next token. After an error it returns that error again, until Resume. The error is a *SyntaxError, or
// one of the input's reader.
func (s *Scanner) Next() (Token, error) {
	for s.err == nil {
		if s.skipBlank && s.buf[s.pos] == '\n' && s.buf[s.pos+1] == '<' {
			s.pos++
		}
		s.start, s.beyond = s.pos, 0
		expanded := s.expanded
		token, err := s.token()
		switch {
		case err == errMore:
			s.pos, s.expanded = s.start, expanded
			s.err = s.more()
		case err != nil:
			s.err = err
			if len(s.outer) == 0 {
				s.settle() // or many errors would each count the lines from far away
			}
		case token != nothing:
			s.begun = true
			return token, nil
		}
	}
	return End, s.err
}

// token reads one token of the text at hand. It changes nothing that lasts before it has the whole of it.
func (s *Scanner) token() (Token, error) {
	p := s.pos
	if p >= s.end {
		return s.endOfText()
	}
	if s.buf[p] == '<' {
		switch s.buf[p+1] {
		case 0: // behind the end
			if !s.whole {
				return nothing, errMore
			}
		case '/':
			return s.endTag(p)
		case '!':
			return s.markup(p)
		case '?':
			return s.instruction(p)
		}
		return s.startTag(p)
	}
	if len(s.open) > 0 {
		return s.content(p)
	}
	return s.outside(p)
}

// endOfText is what comes where the text at hand is at its end.
func (s *Scanner) endOfText() (Token, error) {
	switch {
	case !s.whole:
		return nothing, errMore
	case len(s.outer) > 0:
		return nothing, s.leaveEntity()
	case len(s.open) > 0:
		return nothing, &SyntaxError{Position: s.position(s.end), Incomplete: true, Open: len(s.open),
			Message: "the input ends before </" + s.open[len(s.open)-1].text + ">"}
	case !s.rootSeen && !s.fragments:
		return nothing, &SyntaxError{Position: s.position(s.end), Incomplete: true, Open: 0,
			Message: "the input ends before its first element"}
	}
	return End, nil
}

// outside reads white space where no element is open; nothing else is allowed there.
func (s *Scanner) outside(p int) (Token, error) {
	for p < s.end && isSpace(s.buf[p]) {
		p++
	}
	if p < s.end && s.buf[p] != '<' {
		if _, _, err := s.char(p); err != nil {
			return nothing, err
		}
		if s.rootSeen && !s.fragments {
			return nothing, s.failAt(p, "text after the end of the document")
		}
		return nothing, s.failAt(p, "text outside of any element; an element, which begins with <, is expected here")
	}
	s.pos, s.begun = p, true
	return nothing, nil
}

// more reads more of the input behind the part of the token that is there.
func (s *Scanner) more() error {
	if s.end-s.start > tagValues*s.limits.Value {
		return s.failAt(s.start, "%s of more than %d bytes (limit: max-value)", s.what(), tagValues*s.limits.Value)
	}
	s.slide()
	if s.end+padding >= len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	// A long token is not begun again for every few bytes that come.
	for had := s.end; ; {
		if err := s.fill(); err != nil || s.whole || had < patience || s.end-had >= had/2 || s.end+padding >= len(s.buf) {
			return err
		}
	}
}

// patience is the size from which on a token waits for half of that again before it is looked at anew.
const patience = 4 << 10

// slide moves the token at hand to the front of the buffer.
func (s *Scanner) slide() {
	if s.start == 0 {
		return
	}
	s.settle()
	copy(s.buf, s.buf[s.start:s.end])
	s.slid += s.start
	s.originAt = 0
	s.end -= s.start
	s.pos -= s.start
	s.start = 0
}

// SetFragments says whether elements may stand side by side from here on; see Options.
func (s *Scanner) SetFragments(allowed bool) { s.fragments = allowed }

// SetSkipBlank says whether a single line feed before markup is left out from here on, and not given as a Text.
func (s *Scanner) SetSkipBlank(skip bool) { s.skipBlank = skip }

// Name is the name of the tag at hand.
func (s *Scanner) Name() NameID { return s.tag.id }

// Attributes are those of the start tag at hand, in the order of the input, those that the declarations add last.
func (s *Scanner) Attributes() []Attribute { return s.attributes }

// Habit returns a number of 0 or more if the attributes at hand are the first ones, in order and each standing in the input as
// it is, of those that elements of this name use to have; it is another number when that use is another one. It is
// -1 if the attributes came in another way.
func (s *Scanner) Habit() int { return s.habit }

// Empty says that the start tag at hand is that of an empty element, <name/>: there will be no EndTag.
func (s *Scanner) Empty() bool { return s.empty }

// Plain says that the empty element at hand is written in the plainest form: every attribute Raw, behind one space,
// without space around its equals sign or before the closing slash.
func (s *Scanner) Plain() bool { return s.plain }

// Bounds returns where the token at hand begins and ends in Spans.
func (s *Scanner) Bounds() (begin, end uint32) { return uint32(s.start), uint32(s.pos) }

// Spans returns the text to which the begins and ends of Span refer.
func (s *Scanner) Spans() []byte { return s.buf }

// Span returns where the attribute's value stands in Spans; ok is false where it does not stand there as it is.
func (s *Scanner) Span(a *Attribute) (begin, end uint32, ok bool) {
	return a.begin, a.end, a.Form <= Quoted
}

// Value returns the attribute's value, with references and white space resolved.
func (s *Scanner) Value(a *Attribute) []byte {
	if a.Form <= Quoted {
		return s.buf[a.begin:a.end]
	}
	return s.scratch[a.begin:a.end]
}

// Text is the content of the Text, Comment, Instruction or Skipped at hand, with references resolved.
func (s *Scanner) Text() []byte { return s.text }

// Literal says that the Text at hand stands in the document as it is, not in a CDATA section or as a reference.
func (s *Scanner) Literal() bool { return s.literal }

// Blank says that the Text at hand is literal white space alone.
func (s *Scanner) Blank() bool { return s.blank }

// Depth is the number of open elements.
func (s *Scanner) Depth() int { return len(s.open) }

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

// Detach takes what was read of the input behind the token at hand out of the scanner, to be read by others; last says that
// it is all there is. ok is false where that cannot be: inside an entity, or in an input that is not in UTF-8.
func (s *Scanner) Detach() (rest []byte, last, ok bool) {
	if len(s.outer) > 0 || s.input.coding != utf8Coding || len(s.input.raw) > 0 {
		return nil, false, false
	}
	s.start = s.pos
	s.settle()
	rest = append(rest, s.buf[s.pos:s.end]...)
	s.slid += s.start
	s.start, s.pos, s.end, s.originAt = 0, 0, 0, 0
	clear(s.buf[:padding])
	return rest, s.whole, true
}

// Passed tells a detached scanner that text was read by others.
func (s *Scanner) Passed(text []byte) {
	s.origin = s.advance(s.origin, text)
	s.slid += len(text)
}

// Attach makes a detached scanner go on with another reader. Its errors no longer hold.
func (s *Scanner) Attach(r io.Reader) {
	s.input.reader, s.input.over, s.whole, s.err = r, false, false, nil
}

// Idle says that the scanner has nothing left of what it has read, and is not in the middle of anything but depth elements.
func (s *Scanner) Idle(depth int) bool {
	return s.pos == s.end && len(s.outer) == 0 && len(s.open) == depth && !s.resuming
}

// Branch returns a Scanner for parts of the same input: what Reset gives it are runs of elements that stand in depth others. It
// declares and resolves no entities.
func (s *Scanner) Branch(depth int) *Scanner {
	branch := &Scanner{limits: s.limits, fragments: true, skipBlank: s.skipBlank, last: new(name)}
	branch.limits.Depth -= depth
	branch.input = source{detected: true, asciiOnly: s.input.asciiOnly}
	if s.doctype != nil {
		branch.adopt(s.doctype)
	}
	return branch
}

// Reset makes a branch begin with another text, behind which there must be Padding bytes of zero.
func (s *Scanner) Reset(text []byte) {
	s.frame = frame{buf: text[:len(text)+padding], end: len(text), whole: true}
	s.origin, s.originAt, s.slid = Position{Line: 1, Column: 1}, 0, 0
	s.open, s.outer, s.err, s.begun = s.open[:0], s.outer[:0], nil, true
}

// Resume goes on after a SyntaxError at the next start tag of an element for which known returns true, as if it stood
// in the innermost of the first depth open elements, or at the next end tag of that one. It returns false if the
// input ends before such a tag.
func (s *Scanner) Resume(depth int, known func(name []byte) bool) bool {
	s.err = nil
	s.resuming = true
	defer func() { s.resuming = false }()
	if len(s.outer) > 0 {
		s.frame = s.outer[0].frame
		s.outer = s.outer[:0]
		s.start = s.pos - 1
	}
	s.open = s.open[:min(depth, len(s.open))]
	s.pos = min(max(s.start+1, s.beyond), s.end)
	for {
		if s.findTag(known) {
			return true
		}
		if s.whole {
			return false
		}
		s.start = s.pos
		if s.err = s.more(); s.err != nil {
			return false
		}
	}
}

// findTag moves to the next place in the buffer where Resume can go on, or as far as the buffer certainly holds none.
func (s *Scanner) findTag(known func(name []byte) bool) bool {
	for ; s.pos < s.end; s.pos++ {
		if s.buf[s.pos] != '<' {
			continue
		}
		q := s.pos + 1
		closing := s.buf[q] == '/'
		if closing {
			q++
		}
		n := nameEnd(s.buf, q)
		if n >= s.end && !s.whole && n-q <= s.limits.Name {
			return false
		}
		if closing && len(s.open) > 0 && s.open[len(s.open)-1].text == string(s.buf[q:n]) || !closing && known(s.buf[q:n]) {
			return true
		}
	}
	return false
}
