package schema

import (
	"bytes"
	"errors"

	"github.com/trcx/trcx/trace"
)

// stream reads the model as a stream of lines, each a JSON object.
type stream struct {
	*checker
	story
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
	s.over()
	return nil
}

// blank passes over empty lines. It returns whether there is something behind them.
func (s *stream) blank() bool {
	for s.space(); s.take("\n"); s.space() {
	}
	return s.at < len(s.buf)
}

// line reads and judges a line. What is wrong with one does not keep the next from being read.
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
	s.hear(v)
	return err
}

// only reads the value that a line is, behind which there must be nothing in it.
func (s *stream) only() (value, error) {
	v, err := s.piece()
	if err != nil {
		return v, err
	}
	if s.space(); s.at < len(s.buf) && !s.take("\n") {
		return v, s.wrong("the end of the line")
	}
	return v, s.failure()
}

// skip passes over the rest of the line.
func (s *stream) skip() {
	for _, ok := s.peek(); ok; _, ok = s.peek() {
		if i := bytes.IndexByte(s.buf[s.at:], '\n'); i >= 0 {
			s.at += i + 1
			return
		}
		s.at = len(s.buf)
	}
}
