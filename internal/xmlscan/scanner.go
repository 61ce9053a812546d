package xmlscan

import "io"

// Options say how a Scanner reads.
type Options struct {
	// Fragments allows any number of elements in sequence, where a document has one.
	Fragments bool
	Limits    Limits
	// SkipBlank skips line ends between tags, which most readers do not need; see SetSkipBlank.
	SkipBlank bool
	// Open opens external subsets and entities; nil reads none of them. Location is the location of the input, the base
	// of relative identifiers.
	Open     Open
	Location string
	// NoTemplates switches off templates: every tag takes the complete path. Results are the same.
	NoTemplates bool
	// BufferSize is the first size of the buffer in bytes; the default is 256 KiB.
	BufferSize int
}

const defaultBuffer = 256 << 10

// Scanner reads the tokens of one input. Results of its methods are valid until the next call of Next.
type Scanner struct {
	settings
	names     names
	templates templates
	input     source
	frame     // the current text: the input, or the replacement text of an entity
	entities
	externals
	origins
	document
	recovery
	startTagToken
	textToken
	buffers
	start int // of the current token
	err   error
}

// settings are the Options that hold while the scanner reads.
type settings struct {
	limits Limits
	// ratioLimited reports that the expansion of entities is limited to expansionRatio times the input before them.
	ratioLimited bool
	fragments    bool
	skipBlank    bool
	ofEntity     bool // the input is an external entity and not a document
	laterVersion bool // the document declares a later version of XML than 1.0, so its entities may, too
}

// document is the state of the document so far.
type document struct {
	open       []*name // elements
	rootSeen   bool
	begun      bool // a token was read: an XML declaration is not allowed any more
	standalone bool
	doctype    *Doctype
}

// origins are the points from which positions are counted.
type origins struct {
	slid     int      // bytes that were removed from the input's buffer
	origin   Position // of the byte at originAt in the input's buffer, at or before the current token
	originAt int
}

// recovery is where Resume and PassEndTag continue after an error.
type recovery struct {
	stray    int  // after an error about an end tag that closes nothing: the position after it
	resuming bool // Resume looks for a tag
	beyond   int  // where it begins to look, if the text before was searched for the error
}

// entities are the entities that the current text is in.
type entities struct {
	outer      []outer // the texts that refer to it; the first is the input
	texts      int     // entities that were entered
	expanded   int     // bytes that entities were expanded to
	references int     // see References
}

// externals are external subsets and entities.
type externals struct {
	opener       Open
	location     string
	fetched      map[[2]string]external // by system identifier and base
	fetchedBytes int
}

// startTagToken is the current StartTag.
type startTagToken struct {
	tag        *name
	attributes []Attribute
	template   TemplateID
	arranged   TemplateID
	pattern    PatternID
	tagAt      uint32 // offsets of attributes count from here
	empty      bool
	plain      bool
	unresolved string // see Unresolved
}

// textToken is the current Text.
type textToken struct {
	text    []byte
	literal bool
	blank   bool
}

// buffers are memory that tokens reuse.
type buffers struct {
	slots      []Attribute // of attributes, unless a pattern has them
	scratch    []byte      // resolved values and texts
	seen       []uint32    // by NameID: the generation of the last tag that had the attribute
	generation uint32
}

// frame is a text and the position in it. Padding zeros follow its end.
type frame struct {
	buf      []byte
	pos, end int
	whole    bool // nothing comes after end
	number   int  // counts the entities as they were entered; 0 is the input
	between  bool // it is referred to between declarations
}

// outer is a text that waits for the end of an entity it refers to.
type outer struct {
	frame
	reference int // where the reference is
	entity    *Entity
	depth     int // open elements there
}

// New returns a Scanner of the input.
func New(r io.Reader, options Options) *Scanner {
	size := options.BufferSize
	if size <= 0 {
		size = defaultBuffer
	}
	s := &Scanner{
		settings: settings{limits: options.Limits.withDefaults(), ratioLimited: options.Limits.EntityExpansion <= 0,
			fragments: options.Fragments, skipBlank: options.SkipBlank},
		input:     source{reader: r},
		externals: externals{opener: options.Open, location: options.Location},
	}
	s.buf = make([]byte, max(size, 16)+padding)
	s.origin = Position{Line: 1, Column: 1}
	s.templates = templates{off: options.NoTemplates, last: new(template)}
	return s
}

// Next reads the next token. After an error it returns that error again, until Resume. The error is a *SyntaxError or
// from the input's reader.
func (s *Scanner) Next() (Token, error) {
	for s.err == nil {
		s.pos = s.pastLineEnd(s.pos)
		s.start, s.beyond = s.pos, 0
		expanded := s.expanded
		var token Token
		var err error
		if c := s.buf[s.pos+1] | 0x20; s.buf[s.pos] == '<' && c >= 'a' && c <= 'z' { // nearly always
			if s.elementsAllowed() && s.matchPattern(s.pos) {
				return StartTag, nil
			}
			token, err = s.startTag(s.pos)
		} else {
			token, err = s.token()
		}
		switch {
		case err == errMore:
			s.pos, s.expanded = s.start, expanded
			s.err = s.more()
		case err != nil:
			s.err = err
			if len(s.outer) == 0 {
				s.moveOrigin() // otherwise each of many errors would count the lines from far away
			}
		case token != nothing:
			s.begun = true
			return token, nil
		}
	}
	return End, s.err
}

// pastLineEnd returns the position after a line end at p that is skipped, or p.
func (s *Scanner) pastLineEnd(p int) int {
	if s.skipBlank && s.buf[p] == '\n' && s.buf[p+1] == '<' {
		return p + 1
	}
	return p
}

// elementsAllowed reports whether any number of elements is allowed here.
func (s *Scanner) elementsAllowed() bool { return len(s.open) > 0 || s.fragments }

// token reads one token of the current text. It changes no lasting state before the token is complete.
func (s *Scanner) token() (Token, error) {
	p := s.pos
	if p >= s.end {
		return s.endOfText()
	}
	if s.buf[p] == '<' {
		switch s.buf[p+1] {
		case 0: // after the end
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

// endOfText returns the token at the end of the current text.
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

// more reads more of the input after the beginning of the current token.
func (s *Scanner) more() error {
	if s.end-s.start > tagValues*s.limits.Value {
		return s.exceeds(s.start, "Value", "%s of more than %d bytes", s.what(), tagValues*s.limits.Value)
	}
	s.slide()
	if s.end+padding >= len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	// A long token is not read again for every few new bytes.
	for had := s.end; ; {
		if err := s.fill(); err != nil || s.whole || had < patience || s.end-had >= had/2 ||
			s.end+padding >= len(s.buf) {
			return err
		}
	}
}

// patience is the size above which an incomplete token waits until it has grown by half before it is read again.
const patience = 4 << 10

// slide moves the current token to the front of the buffer.
func (s *Scanner) slide() {
	if s.start == 0 {
		return
	}
	s.moveOrigin()
	copy(s.buf, s.buf[s.start:s.end])
	s.slid += s.start
	s.originAt = 0
	s.end -= s.start
	s.pos -= s.start
	s.start = 0
}

// SetFragments allows any number of elements from here on, or one; see Options.
func (s *Scanner) SetFragments(allowed bool) { s.fragments = allowed }

// SetSkipBlank skips single line feeds before markup from here on, or returns each as a Text.
func (s *Scanner) SetSkipBlank(skip bool) { s.skipBlank = skip }
