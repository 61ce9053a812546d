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
)

const (
	// greetingTime is how long a recorder may take to introduce itself.
	greetingTime = 5 * time.Second
	// gathering is how long received text waits for more, so that compressed files are worth their name.
	gathering = 50 * time.Millisecond
	// lastTime is how long text is taken in that is on its way when the listening ends.
	lastTime = 100 * time.Millisecond
	// bufferSize bounds what waits to be written, in bytes.
	bufferSize = 256 << 10
)

// reception is a connection with the file that its trace goes to.
type reception struct {
	socket net.Conn
	in     *bufio.Reader
	file   output.Outlet
	text   []byte    // received, not yet written
	whole  int       // how much of it are whole lines
	since  time.Time // when the first of these came
	size   int64     // of what has been written
	tail   []byte    // the end of it
	root   bool      // the root's start tag has come

	mu  sync.Mutex
	end time.Time // when receiving ends, if it is to end
}

// The parts of a document that are looked for, the last one within so many bytes of its end.
const (
	rootTag = "<TRACE"
	endTag  = "</TRACE>"
	tailMax = 64
)

// serve receives what comes by a connection.
func (s *Server) serve(socket net.Conn) {
	defer socket.Close()
	r := &reception{socket: socket, in: bufio.NewReaderSize(socket, output.MaxLine)}
	defer context.AfterFunc(s.receiving, func() { r.endAt(time.Now().Add(lastTime)) })()
	path, err := s.begin(r)
	if err != nil {
		s.complain("%s: refused: %v", peer(socket), err)
		answer(socket, output.AnswerRefused+err.Error())
		return
	}
	answer(socket, output.AnswerTaken)
	err = s.conclude(r, path, r.receive())
	if s.options.Once {
		if !errors.Is(err, errEnded) {
			s.last = err
		}
		s.finish()
	}
}

// begin opens the file for a recorder that has introduced itself.
func (s *Server) begin(r *reception) (path string, err error) {
	greeting, err := r.greeting(s.options.Token)
	if err != nil {
		return "", err
	}
	if s.options.Once && !s.taken.CompareAndSwap(false, true) {
		return "", errors.New("trcx listen receives one trace only (--once), and has begun with it")
	}
	r.file, path, err = s.naming.open(greeting, s.numbers.Add(1), time.Now(), s.options.MaxSize)
	if err != nil {
		s.taken.Store(false)
		return "", err
	}
	s.tell("%s: process %d on %s: into %s", peer(r.socket), greeting.PID, greeting.Host, path)
	return path, nil
}

// conclude closes the file, of which err says why it ends, and tells everyone.
func (s *Server) conclude(r *reception, path string, err error) error {
	var ending []byte
	if err != nil && !errors.Is(err, ErrCutOff) && r.root {
		ending = []byte(endTag + "\n")
	}
	closing := r.file.Close(ending)
	switch {
	case errors.Is(err, ErrCutOff):
		s.complain("%s: %d bytes, cut off: the recorder went away without %s", path, r.size, endTag)
	case errors.Is(err, errEnded):
		s.tell("%s: %d bytes, ended early: %v", path, r.size, err)
		answer(r.socket, output.AnswerStopped+err.Error())
	case err != nil:
		s.complain("%d bytes, ended early: %v", r.size, err)
		answer(r.socket, output.AnswerStopped+err.Error())
	case closing == nil:
		s.tell("%s: %d bytes, complete", path, r.size)
		answer(r.socket, output.AnswerDone)
	}
	if closing != nil {
		s.complain("%v", closing)
		answer(r.socket, output.AnswerStopped+closing.Error())
	}
	return errors.Join(err, closing)
}

// greeting reads the introduction of a recorder and looks at its token.
func (r *reception) greeting(token string) (*output.Greeting, error) {
	if err := r.wait(time.Now().Add(greetingTime)); err != nil {
		return nil, inner(err)
	}
	line, err := r.in.ReadSlice('\n')
	switch {
	case r.over():
		return nil, errEnded
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, fmt.Errorf("no greeting has come for %v", greetingTime)
	case err == io.EOF:
		return nil, errors.New("the connection has ended before a greeting")
	case errors.Is(err, bufio.ErrBufferFull):
		return nil, fmt.Errorf("the greeting is longer than %d bytes", output.MaxLine)
	case err != nil:
		return nil, inner(err)
	}
	greeting, err := output.ParseGreeting(string(line))
	switch {
	case err != nil:
		return nil, err
	case token != "" && greeting.Token == "":
		return nil, errors.New("a token is needed; give the recorder that of trcx listen")
	case token != "" && !output.SameToken(token, greeting.Token):
		return nil, errors.New("the token is not that of trcx listen")
	}
	return greeting, nil
}

// receive writes what comes, until the recorder ends (nil) or goes away (ErrCutOff), or nothing more is to be received
// (errEnded) or can be written (*output.Stopped).
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

// read takes in what comes next. due says that it is time to write, lost why nothing more comes.
func (r *reception) read() (due bool, lost error) {
	var until time.Time
	if r.whole > 0 {
		until = r.since.Add(gathering)
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

// write writes the whole lines that have come, or all that has.
func (r *reception) write(all bool) error {
	if all || r.whole == 0 && len(r.text) == cap(r.text) { // a line that is longer than the buffer goes in pieces
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

// wait sets until when to wait for more; the zero time is for as long as it takes.
func (r *reception) wait(until time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if until.IsZero() || !r.end.IsZero() && r.end.Before(until) {
		until = r.end
	}
	return r.socket.SetReadDeadline(until)
}

// endAt makes receiving end. A connection that cannot be told has ended by itself.
func (r *reception) endAt(end time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end = end
	r.socket.SetReadDeadline(end)
}

// over says whether the time of receiving has come to its end.
func (r *reception) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.end.IsZero() && !time.Now().Before(r.end)
}
