package xmlscan

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// Open opens an external subset or entity. The base is the location of the text that names it, to which the system
// identifier is relative; location is where it was found, the base of what it names itself.
type Open func(systemID, base string) (text io.ReadCloser, location string, err error)

// ErrNotOpened is why an external entity is not read where nothing is opened.
var ErrNotOpened = errors.New("nothing external is read")

// fetch loads the text of the entity to which p refers, unless it is loaded. It returns false if the text cannot be
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
	known, ok := s.fetched[key] // a token that is begun again reads nothing again
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

// external is an external entity that was fetched, or the reason why that could not be.
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

// ReadSubset reads a file of declarations, as an external subset is one. The error is a *SyntaxError, or one of the
// reader.
func ReadSubset(r io.Reader, options Options) (*Doctype, error) {
	s := New(r, options)
	s.laterVersion = true // the documents that it is for are not known
	if err := s.readWhole(); err != nil {
		return nil, err
	}
	doctype := newDoctype()
	doctype.HasExternal, doctype.undecided = true, true
	d := declarations{s: s, p: s.pos, doctype: doctype, outside: true}
	d.subset("")
	return doctype, d.err
}
