package listen

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/internal/admission"
	"github.com/trcx/trcx/internal/phrase"
)

const (
	// greetingTimeout is the limit of waiting for a recorder's greeting.
	greetingTimeout = 2 * time.Second
	// batchDelay is the time that received text waits for more, so that the members of compressed files are not tiny.
	batchDelay = 50 * time.Millisecond
	// drainTimeout is the time after the server's end in which text in transit is still read.
	drainTimeout = 100 * time.Millisecond
	// bufferSize is the limit of text that waits to be written, in bytes.
	bufferSize = 256 << 10
)

// reception is a connection and the file for its trace.
type reception struct {
	socket net.Conn
	place  *admission.Place
	in     *bufio.Reader
	file   output.Writer
	text   []byte    // received, not yet written
	whole  int       // bytes of text that are whole lines
	since  time.Time // when the first whole line of text came
	size   int64     // bytes written
	tail   []byte    // the last tailMax bytes written
	root   bool      // the root's start tag was received

	mu  sync.Mutex
	end time.Time // limit of receiving; zero for none
}

// The parts of a document that are searched; endTag is searched in the last tailMax bytes.
const (
	rootTag = "<TRACE"
	endTag  = "</TRACE>"
	tailMax = 64
)

// newReception returns the reception of a new connection, with the time limit of its greeting. If a deadline cannot be
// set, the connection has ended already.
func (s *Server) newReception(socket net.Conn) *reception {
	r := &reception{socket: socket, in: bufio.NewReaderSize(socket, output.MaxLine)}
	socket.SetReadDeadline(time.Now().Add(s.patience - s.grace)) //nolint:errcheck // reading fails as well
	r.place = s.limit.Enter(func() {
		socket.SetReadDeadline(time.Now()) //nolint:errcheck // reading fails as well
	})
	return r
}

// serve receives a connection's trace.
func (s *Server) serve(r *reception) {
	defer r.place.Leave()
	defer r.socket.Close()
	defer context.AfterFunc(s.receiving, func() { r.endAt(time.Now().Add(drainTimeout)) })()
	greeting, err := s.greeting(r)
	if err != nil {
		s.refuseStranger(r, err)
		return
	}
	path, err := s.begin(r, greeting)
	if err != nil {
		s.refuse(r, err)
		return
	}
	answer(r.socket, output.AnswerReady)
	err = s.conclude(r, path, r.receive())
	if s.options.Once {
		if !errors.Is(err, errEnded) {
			s.last = err
		}
		s.finish()
	}
}

// begin opens the file for the trace of a recorder that has shown the token.
func (s *Server) begin(r *reception, greeting *output.Greeting) (path string, err error) {
	if !r.place.Welcome() {
		return "", fmt.Errorf("trcx listen receives at most %s at a time",
			phrase.Count(s.options.MaxConnections, "trace"))
	}
	if s.options.Once && !s.taken.CompareAndSwap(false, true) {
		return "", errors.New("trcx listen receives one trace only, which has begun")
	}
	r.file, path, err = s.naming.open(greeting, s.numbers.Add(1), time.Now(), s.options.MaxSize)
	if err != nil {
		s.taken.Store(false)
		return "", err
	}
	s.info("%s: process %d on %s: into %s", peer(r.socket), greeting.PID, greeting.Host, path)
	return path, nil
}

// conclude closes the file, reports the result and answers the recorder. err is the reason for the end.
func (s *Server) conclude(r *reception, path string, err error) error {
	var ending []byte
	if err != nil && !errors.Is(err, ErrCutOff) && r.root {
		ending = []byte(endTag + "\n")
	}
	closing := r.file.Close(ending)
	r.place.Leave() // before the answer: after it the recorder may send the next trace
	switch {
	case errors.Is(err, ErrCutOff):
		s.fail("%s: %d bytes, cut off: the connection ended without %s", path, r.size, endTag)
	case errors.Is(err, errEnded):
		s.info("%s: %d bytes, ended early: %v", path, r.size, err)
		answer(r.socket, output.AnswerStopped+err.Error())
	case err != nil:
		s.fail("%d bytes, ended early: %v", r.size, err)
		answer(r.socket, output.AnswerStopped+err.Error())
	case closing == nil:
		s.info("%s: %d bytes, complete", path, r.size)
		answer(r.socket, output.AnswerDone)
	}
	if closing != nil {
		s.fail("%v", closing)
		answer(r.socket, output.AnswerStopped+closing.Error())
	}
	return errors.Join(err, closing)
}

// greeting reads a recorder's greeting and checks its token. When the connection is displaced, its recorder or this
// goroutine may not have run yet on a busy machine, so they get some more time.
func (s *Server) greeting(r *reception) (*output.Greeting, error) {
	line, err := r.line()
	if errors.Is(err, os.ErrDeadlineExceeded) && r.wait(time.Now().Add(s.grace)) == nil {
		line, err = r.line()
	}
	switch {
	case err == nil:
	case r.over():
		return nil, errEnded
	case errors.Is(err, os.ErrDeadlineExceeded) && r.place.Displaced():
		return nil, errors.New("no greeting was received before too many other connections came; try again")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("no greeting was received within %v", s.patience)
	case err == io.EOF:
		return nil, errors.New("the connection has ended before a greeting")
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("the greeting is longer than %d bytes", output.MaxLine)
	default:
		return nil, inner(err)
	}
	greeting, err := output.ParseGreeting(string(line))
	switch {
	case err != nil:
		return nil, err
	case s.options.Token != "" && greeting.Token == "":
		return nil, errors.New("a token is needed; give the recorder that of trcx listen")
	case s.options.Token != "" && !output.SameToken(s.options.Token, greeting.Token):
		return nil, errors.New("the token is not that of trcx listen")
	}
	return greeting, nil
}

// line reads a line. After an error, another call continues with the text read so far.
func (r *reception) line() ([]byte, error) {
	for {
		text, err := r.in.Peek(r.in.Buffered())
		if end := bytes.IndexByte(text, '\n') + 1; end > 0 && err == nil {
			_, err = r.in.Discard(end)
			return text[:end], err
		}
		if _, err := r.in.Peek(len(text) + 1); err != nil {
			return nil, err
		}
	}
}

// receive writes received text until the recorder ends the trace (nil), the connection is lost (ErrCutOff), the server
// ends (errEnded) or the file accepts no more (*output.Stopped).
func (r *reception) receive() error {
	r.text = make([]byte, 0, bufferSize)
	for {
		due, lost := r.read()
		if due {
			if err := r.write(errors.Is(lost, ErrCutOff)); err != nil {
				return err
			}
		}
		switch {
		case lost != nil && bytes.HasSuffix(bytes.TrimRight(r.tail, " \t\r\n"), []byte(endTag)):
			return nil
		case lost != nil:
			return lost
		}
	}
}

// read reads the next text. due reports whether it should be written now; lost is the reason why no more follows.
func (r *reception) read() (due bool, lost error) {
	var until time.Time
	if r.whole > 0 {
		until = r.since.Add(batchDelay)
	}
	if r.wait(until) != nil {
		return true, ErrCutOff
	}
	had := len(r.text)
	n, err := r.in.Read(r.text[had:cap(r.text)])
	r.text = r.text[:had+n]
	if at := bytes.LastIndexByte(r.text[had:], '\n'); at >= 0 {
		if r.whole == 0 {
			r.since = time.Now()
		}
		r.whole = had + at + 1
	}
	switch {
	case err == nil:
		return len(r.text) == cap(r.text), nil
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return true, ErrCutOff
	case r.over():
		return true, errEnded
	}
	return true, nil
}

// write writes the whole lines that were received, or everything.
func (r *reception) write(all bool) error {
	if all || r.whole == 0 && len(r.text) == cap(r.text) { // a line longer than the buffer is written in pieces
		r.whole = len(r.text)
	}
	lines := r.text[:r.whole]
	r.root = r.root || bytes.Contains(lines, []byte(rootTag))
	if err := r.file.Write(lines); err != nil {
		return err
	}
	r.tail = append(r.tail, lines[max(0, len(lines)-tailMax):]...)
	r.tail = r.tail[:copy(r.tail, r.tail[max(0, len(r.tail)-tailMax):])]
	r.size += int64(len(lines))
	r.text = r.text[:copy(r.text, r.text[r.whole:])]
	r.whole = 0
	return nil
}

// wait sets the deadline of the next read; the zero time is no deadline.
func (r *reception) wait(until time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if until.IsZero() || !r.end.IsZero() && r.end.Before(until) {
		until = r.end
	}
	return r.socket.SetReadDeadline(until)
}

// endAt sets a limit to receiving. If the deadline cannot be set, the connection has ended already.
func (r *reception) endAt(end time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end = end
	r.socket.SetReadDeadline(end) //nolint:errcheck // reading fails as well
}

// over reports whether the limit of receiving has passed.
func (r *reception) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.end.IsZero() && !time.Now().Before(r.end)
}
