package schema

import (
	"bytes"
	"errors"

	"github.com/trcx/trcx/trace"
)

// stream validates a model that is a stream of lines, each a JSON object.
type stream struct {
	*checker
	streamIDs
}

func (c *checker) checkStream() error {
	c.lines = true
	s := &stream{checker: c}
	for s.blank() {
		if err := s.line(); err != nil {
			return err
		}
	}
	if err := c.failure(); err != nil {
		return err
	}
	s.end()
	return nil
}

// blank skips empty lines. It reports whether the input has more.
func (s *stream) blank() bool {
	for s.space(); s.accept("\n"); s.space() {
	}
	return s.at < len(s.buf)
}

// line reads and validates a line. After a fault the rest of the line is skipped.
func (s *stream) line() error {
	s.path = s.path[:0]
	v, err := s.only()
	var f *fault
	if errors.As(err, &f) {
		s.lost, s.cut = true, s.cut || f.rule == trace.RuleTruncated
		s.skip()
		return s.stopped(err)
	}
	if err != nil {
		return err
	}
	err = s.judge(s.grammar.line, v)
	s.checkIDs(v)
	return err
}

// only reads the value of a line. Anything after it in the line is a fault.
func (s *stream) only() (value, error) {
	v, err := s.piece()
	if err != nil {
		return v, err
	}
	if s.space(); s.at < len(s.buf) && !s.accept("\n") {
		return v, s.wrong("the end of the line")
	}
	return v, s.failure()
}

// skip skips the rest of the line.
func (s *stream) skip() {
	for _, ok := s.peek(); ok; _, ok = s.peek() {
		if i := bytes.IndexByte(s.buf[s.at:], '\n'); i >= 0 {
			s.at += i + 1
			return
		}
		s.at = len(s.buf)
	}
}
