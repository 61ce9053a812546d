package xmlscan

import "math"

// The elements of a trace are of a few dozen kinds, and nearly every one is written like an earlier one of its kind.
// The scanner learns two things about the tags of an element name:
//
//   - a template: which attributes they have, in which order. An expected attribute is recognized by comparing words;
//     only the end of its value is searched.
//   - patterns: tags of a template that differ in their digits only. Such a tag is recognized as a whole, by comparing
//     its words with the pattern's. Everything that a match proves was checked when the pattern was learned.
//
// Every other tag takes the complete path of startTag, so both affect speed, never results. Higher layers keep their
// own findings about such tags in columns, by the number of the template or the pattern; see Column.

// TemplateID is the number of a template in its scanner; 0 is no template.
type TemplateID uint32

// PatternID is the number of a pattern in its scanner; 0 is no pattern.
type PatternID uint32

// rowBits are the lower bits of an id, its row in columns. The bits above count the earlier patterns of the same row,
// so that a column can tell them apart.
const rowBits = 12

const (
	maxTemplates    = 1<<rowBits - 1
	maxOrders       = 16 // templates of one element name
	maxPatterns     = 1<<10 - 1
	patternsPerName = 8
	maxPatternSize  = 256 // bytes
	minPatternSize  = 16
	// freeLearns is the number of patterns that an element name learns freely; later it learns one for each
	// matchesPerLearn matching tags.
	freeLearns      = 32
	matchesPerLearn = 256
	// missesPerMatch is the number of tags without a match, beyond fewMisses, for each tag with a match above which the
	// patterns are dropped.
	missesPerMatch = 8
	fewMisses      = 1 << 10
)

// Column holds a T for each template, or each pattern, of one scanner. The zero value is empty.
type Column[ID TemplateID | PatternID, T any] struct {
	rows []columnRow[ID, T]
}

type columnRow[ID TemplateID | PatternID, T any] struct {
	id    ID
	value T
}

// At returns the value of the template or pattern, which must not be 0. The value is zero before it is set. The pointer
// is valid until the next call; a pattern that replaces another one has a new id and a zero value.
func (c *Column[ID, T]) At(id ID) *T {
	i := int(id % (1 << rowBits))
	if i >= len(c.rows) || c.rows[i].id != id {
		c.add(id, i)
	}
	return &c.rows[i].value
}

func (c *Column[ID, T]) add(id ID, i int) {
	if missing := i + 1 - len(c.rows); missing > 0 {
		c.rows = append(c.rows, make([]columnRow[ID, T], missing)...)
	}
	c.rows[i] = columnRow[ID, T]{id: id}
}

// templates has what the scanner has learned about tags.
type templates struct {
	off      bool                 // nothing is learned
	byPrefix [1 << 8][2]*template // by the first eight bytes of the name and the text after it
	last     *template            // of the last start tag
	count    int                  // of TemplateIDs
	patterns int                  // of rows of PatternIDs
	free     []PatternID          // of dropped patterns; the next one in such a row has a greater id
}

// template is what the scanner expects of the tags of an element name.
type template struct {
	name     *name
	id       TemplateID // 0 before the first tag
	opening  literal    // the name and a space, as a tag with attributes begins; size 0 if the name is too long
	expected []expected // the attributes, in order, of the last tag that had at least as many
	byStart  [16]uint8  // by startOf: the index in expected, plus one, of the last such attribute
	orders   int        // how often expected has changed
	next     *template  // of the element that followed the last one of this name

	patterns [patternsPerName]*pattern // most recent match first
	learned  int                       // patterns, including dropped ones
	matches  int                       // of patterns
	misses   int                       // tags that matched none
	paused   int                       // misses until patterns are learned again
}

// expected is an attribute as agents write its beginning.
type expected struct {
	literal
	unquoted literal // without the quote at the end
	earlier  uint8   // the index, plus one, of the previous attribute with the same startOf
	name     *name
}

// startOf returns the row in template.byStart of an attribute. The word has its first four bytes: a space and three of
// its name.
func startOf(w uint64) uint32 { return uint32(w) * (spreading >> 32) >> 28 }

// find returns the index of the expected attribute at p, in quotes of either kind, or -1.
func (t *template) find(b []byte, p int) int {
	for next := t.byStart[startOf(word(b, p))]; next > 0; {
		e := &t.expected[next-1]
		if e.unquoted.at(b, p) {
			if quote := b[p+e.unquoted.size]; quote != '"' && quote != '\'' {
				return -1
			}
			return int(next) - 1
		}
		next = e.earlier
	}
	return -1
}

// pattern is the common form of tags that differ only in their digits.
type pattern struct {
	id         PatternID
	template   TemplateID
	of         *template
	size       int // of the tag in bytes
	blocks     []patternBlock
	attributes []Attribute // their offsets count from the beginning of the tag
}

// patternBlock are the words that are compared at once.
type patternBlock [4]patternWord

const blockSize = 4 * 8 // bytes

// patternWord is eight bytes of a pattern. want has the bytes of the tag, with '0' for each digit. A byte of another
// tag may differ by 0, or by up to 9 where want has '0': adding bias to the difference must not set its highest bit.
// After the end of the tag the bias is 0, which ignores all bits except the highest; a byte with that bit makes the tag
// take the complete path.
type patternWord struct{ want, bias uint64 }

const (
	biasExact = 0x7F
	biasDigit = 0x7F - 9
)

// differs returns a word with one of the highest bits set if have does not match. No carry hides a difference: a byte
// that produces a carry has its own highest bit set.
func (w *patternWord) differs(have uint64) uint64 {
	difference := have ^ w.want
	return difference | (difference + w.bias)
}

// at reports whether a tag of the pattern is at p. The zeros after the end of the input match no tag.
func (f *pattern) at(buf []byte, p int) bool {
	text := buf[p:]
	for i := range f.blocks {
		if len(text) < blockSize {
			return false
		}
		want, have := &f.blocks[i], (*[blockSize]byte)(text)
		if (want[0].differs(word(have[:], 0))|want[1].differs(word(have[:], 8))|
			want[2].differs(word(have[:], 16))|want[3].differs(word(have[:], 24)))&highs != 0 {
			return false
		}
		text = text[blockSize:]
	}
	return true
}

// Template returns the template that the attributes of the current tag match, all of them or the first ones, and the
// pattern of the tag, if it has one. All values of a tag with a template are Raw; a tag with a pattern is Plain.
func (s *Scanner) Template() (TemplateID, PatternID) { return s.template, s.pattern }

// Match is a tag that MatchRun has found.
type Match struct {
	pattern *pattern
	at      int
}

// MatchRun appends to dst, up to its capacity, the next elements as long as they are in the buffer and match patterns
// that are ready. Select makes each the current token, in order; Next continues after the last one selected. Matching
// many tags before decoding them is faster than doing both in turn, because the tables of the scanner and of its caller
// evict each other from the processor's caches.
func (s *Scanner) MatchRun(dst []Match, ready *Column[PatternID, bool]) []Match {
	if s.err != nil || len(s.outer) > 0 || !s.elementsAllowed() {
		return dst
	}
	for p := s.pos; len(dst) < cap(dst); {
		p = s.pastLineEnd(p)
		matched := s.patternAt(p)
		if matched == nil || !*ready.At(matched.id) {
			break
		}
		dst = append(dst, Match{matched, p})
		p += matched.size
	}
	return dst
}

// Select makes an element that MatchRun has found the current token.
func (s *Scanner) Select(m Match) {
	s.start, s.beyond = m.at, 0
	s.usePattern(m.pattern, m.at)
}

// patternAt returns the pattern that the tag at p matches, or nil.
func (s *Scanner) patternAt(p int) *pattern {
	for _, t := range &s.templates.byPrefix[word(s.buf, p+1)*spreading>>56] {
		if t == nil || t.patterns[0] == nil {
			continue
		}
		if first := t.patterns[0]; first.at(s.buf, p) {
			return first
		}
		for i, other := range t.patterns[1:] {
			if other == nil {
				break
			}
			if other.at(s.buf, p) {
				t.patterns[0], t.patterns[i+1] = other, t.patterns[0]
				return other
			}
		}
	}
	return nil
}

// matchPattern makes the tag at p the current one if it matches a pattern.
func (s *Scanner) matchPattern(p int) bool {
	matched := s.patternAt(p)
	if matched != nil {
		s.usePattern(matched, p)
	}
	return matched != nil
}

// usePattern makes the tag at p, which matches the pattern, the current one.
func (s *Scanner) usePattern(matched *pattern, p int) {
	t := matched.of
	t.matches++
	s.template, s.arranged, s.pattern, s.tagAt = matched.template, matched.template, matched.id, uint32(p)
	s.attributes = matched.attributes
	s.tag, s.templates.last, s.empty, s.plain = t.name, t, true, true
	s.scratch, s.unresolved = s.scratch[:0], ""
	s.pos, s.rootSeen, s.begun = p+matched.size, true, true
}

// learnOrder makes the attributes of the current tag the expected ones of its template, unless it has fewer: the last
// attributes may be missing.
func (s *Scanner) learnOrder(t *template) {
	known := &s.templates
	if len(s.attributes) < len(t.expected) || len(s.attributes) > math.MaxUint16 || t.orders >= maxOrders ||
		known.count >= maxTemplates || known.off {
		return
	}
	known.count++
	t.id, t.orders = TemplateID(known.count), t.orders+1
	t.expected = make([]expected, 0, len(s.attributes))
	for _, attribute := range s.attributes {
		if this := s.names.all[attribute.Name]; this.assignment.size > 0 {
			t.expected = append(t.expected, expected{literal: this.assignment, name: this,
				unquoted: literalOf(" " + this.text + "=")})
		}
	}
	t.byStart = [len(t.byStart)]uint8{}
	for i := range min(len(t.expected), math.MaxUint8) {
		row := &t.byStart[startOf(t.expected[i].words[0])]
		t.expected[i].earlier, *row = *row, uint8(i+1)
	}
	known.dropPatterns(t)
}

// missed counts a tag that matches no pattern. If hardly any tag matches, patterns cost more than they gain: they are
// dropped, and others are learned after the same number of tags.
func (s *Scanner) missed(t *template) {
	t.misses++
	missed := t.misses - t.paused
	if t.patterns[0] == nil || missed < fewMisses || missed/missesPerMatch < t.matches {
		return
	}
	s.templates.dropPatterns(t)
	t.learned, t.matches, t.paused = 0, 0, 2*t.misses
}

// dropPatterns drops the patterns of the template.
func (t *templates) dropPatterns(of *template) {
	for i, dropped := range of.patterns {
		if dropped != nil {
			t.free = append(t.free, dropped.id)
			of.patterns[i] = nil
		}
	}
}

// learnPattern learns the pattern of the current tag, which has a template and is Plain, if all its values are numbers.
func (s *Scanner) learnPattern(t *template) {
	text := s.buf[s.start:s.pos]
	if t.misses < t.paused || t.learned >= freeLearns+t.matches/matchesPerLearn || len(text) > maxPatternSize ||
		len(text) < minPatternSize || t.opening.size == 0 || s.tag.declared != nil || len(s.outer) > 0 {
		return
	}
	t.learned++
	made := newPattern(text, s.attributes, uint32(s.start))
	if made == nil {
		return
	}
	last := patternsPerName - 1
	if made.id = s.templates.newPatternID(t.patterns[last]); made.id == 0 {
		return
	}
	made.of, made.template = t, s.template
	s.templates.add(t, word(s.buf, s.start+1)) // another name with the same prefix may have replaced it
	copy(t.patterns[1:], t.patterns[:last])
	t.patterns[0] = made
}

// newPattern returns the pattern of a tag, or nil if one of its values is not a number. The attributes' offsets count
// from the byte that is begin bytes before the tag.
func newPattern(tag []byte, attributes []Attribute, begin uint32) *pattern {
	made := &pattern{size: len(tag), blocks: make([]patternBlock, (len(tag)+blockSize-1)/blockSize)}
	for i, c := range tag {
		w := &made.blocks[i/blockSize][i/8%4]
		w.want |= uint64(c) << (i % 8 * 8)
		w.bias |= biasExact << (i % 8 * 8)
	}
	for _, a := range attributes {
		a.begin, a.end = a.begin-begin, a.end-begin
		for i := a.begin; i < a.end; i++ {
			w := &made.blocks[i/blockSize][i/8%4]
			switch c := tag[i]; {
			case c-'0' <= 9:
				w.want ^= uint64(c^'0') << (i % 8 * 8)
				w.bias -= (biasExact - biasDigit) << (i % 8 * 8)
			case c != '.' && c != '-':
				return nil
			}
		}
		made.attributes = append(made.attributes, a)
	}
	return made
}

// add enters the template under the prefix with which its tags begin.
func (t *templates) add(added *template, prefix uint64) {
	if slot := &t.byPrefix[prefix*spreading>>56]; slot[0] != added && !t.off {
		slot[0], slot[1] = added, slot[0]
	}
}

// newPatternID returns the id for a new pattern, which may replace another one. It returns 0 if there are no more ids.
func (t *templates) newPatternID(replaced *pattern) PatternID {
	last := len(t.free) - 1
	switch {
	case replaced != nil:
		return nextID(replaced.id)
	case last >= 0:
		id := t.free[last]
		t.free = t.free[:last]
		return nextID(id)
	case t.patterns < maxPatterns && !t.off:
		t.patterns++
		return PatternID(t.patterns)
	}
	return 0
}

// nextID returns the id that follows in the same row of columns, or 0 after the last one.
func nextID(id PatternID) PatternID {
	if next := id + 1<<rowBits; next > id {
		return next
	}
	return 0
}
