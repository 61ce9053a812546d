package schema

import (
	"bytes"
	"errors"

	"github.com/trcx/trcx/internal/jsontext"
)

// stream validates a model that is a stream of lines, each a JSON object.
type stream struct {
	*checker
	streamIDs
}

func (c *checker) checkStream() error {
	c.Lines = true
	s := &stream{checker: c}
	for s.blank() {
		if err := s.line(); err != nil {
			return err
		}
	}
	if err := c.Err(); err != nil {
		return err
	}
	s.end()
	return nil
}

// blank skips empty lines. It reports whether the input has more.
func (s *stream) blank() bool {
	for s.Space(); s.Accept("\n"); s.Space() {
	}
	_, more := s.Peek()
	return more
}

// line reads and validates a line. After an error the rest of the line is skipped.
func (s *stream) line() error {
	s.path = s.path[:0]
	v, err := s.only()
	if err != nil {
		if err := s.stopped(err); err != nil {
			return err
		}
		var syntax *jsontext.SyntaxError
		s.lost, s.cut = true, s.cut || errors.As(err, &syntax) && syntax.Truncated
		s.skip()
		return nil
	}
	err = s.judge(s.grammar.line, v)
	s.checkIDs(v)
	return err
}

// only reads the value of a line. Anything after it in the line is an error.
func (s *stream) only() (value, error) {
	v, err := s.piece()
	if err != nil {
		return v, err
	}
	s.Space()
	if _, more := s.Peek(); more && !s.Accept("\n") {
		return v, s.Unexpected("the end of the line")
	}
	return v, s.Err()
}

// skip skips the rest of the line.
func (s *stream) skip() {
	for rest := s.Ahead(1); len(rest) > 0; rest = s.Ahead(1) {
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			s.Skip(i + 1)
			return
		}
		s.Skip(len(rest))
	}
}
