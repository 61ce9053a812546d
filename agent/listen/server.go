package listen

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/internal/admission"
)

// Options are the addresses of a Server and the handling of traces.
type Options struct {
	// TCP is host:port, Unix the path of a socket; either may be "".
	TCP, Unix string
	// Token, if not "", must be in every recorder's greeting. If it is "", only loopback addresses are allowed.
	Token string
	// Pattern is the pattern of file names, or the folder for them; see Placeholders. The endings .gz and .zst select
	// compression.
	Pattern string
	// MaxSize is the limit of each file's size in bytes, if above 0.
	MaxSize int64
	// MaxConnections is the limit of traces that are received at the same time, above 0. Each needs up to 1.5 MiB of
	// memory. Connections without the token have their own limit: a new one displaces the oldest.
	MaxConnections int
	// Once ends the server after one trace.
	Once bool
	// Log receives one line for each thing that happens; failure reports whether it is an error. Calls are sequential.
	Log func(line string, failure bool)
}

// Server receives traces.
type Server struct {
	options   Options
	naming    *naming
	listeners []net.Listener
	limit     *admission.Limit
	patience  time.Duration // time for a recorder's greeting
	grace     time.Duration // the part of it that a displaced connection still gets
	recovery  time.Duration // pause after a connection could not be accepted
	refusals  refusals
	numbers   atomic.Int64
	logging   sync.Mutex
	receiving context.Context
	finish    func()      // cancels receiving
	taken     atomic.Bool // the one trace of Once has begun
	last      error       // its error
}

// ErrCutOff is the error for a trace whose connection ended before the document did.
var ErrCutOff = errors.New("the trace is cut off")

// errEnded is the error for a trace that ends because the server does.
var errEnded = errors.New("trcx listen was ended")

// New starts to listen; Serve accepts connections. The error is *Unsafe if a token is missing, and *Invalid for an
// invalid address.
func New(options Options) (*Server, error) {
	naming, err := newNaming(options.Pattern)
	if err != nil {
		return nil, err
	}
	strangers := min(maxStrangers, max(1, openFiles()/8))
	s := &Server{options: options, naming: naming, limit: admission.NewLimit(strangers, options.MaxConnections),
		patience: greetingTimeout, grace: time.Duration(strangers) * graceEach, recovery: time.Second}
	s.receiving, s.finish = context.WithCancel(context.Background())
	outliveSizeLimit()
	if options.TCP != "" {
		listener, err := listenTCP(options.TCP, options.Token)
		if err != nil {
			return nil, err
		}
		s.listeners = append(s.listeners, listener)
	}
	if options.Unix != "" {
		listener, err := listenUnix(options.Unix)
		if err != nil {
			s.stopListening()
			return nil, err
		}
		s.listeners = append(s.listeners, listener)
	}
	return s, nil
}

// maxStrangers is the limit of connections that have not shown the token. Together with as many displaced ones, they
// take at most a quarter of the files that the process may open.
const maxStrangers = 1024

// graceEach makes the grace so short that 10,000 connections a second can be displaced. So recorders are accepted soon.
const graceEach = 100 * time.Microsecond

// Addresses returns the addresses that recorders can connect to, such as "tcp 127.0.0.1:7411".
func (s *Server) Addresses() (all []string) {
	for _, listener := range s.listeners {
		all = append(all, listener.Addr().Network()+" "+listener.Addr().String())
	}
	return all
}

// Serve receives traces until ctx is done or, with Once, one was received; then all files are closed. The error is
// about the only trace: ErrCutOff, or *output.Stopped if it could not be written. Log has already received it.
func (s *Server) Serve(ctx context.Context) error {
	var serving sync.WaitGroup
	for _, listener := range s.listeners {
		serving.Go(func() { s.accept(listener, &serving) })
	}
	select {
	case <-ctx.Done():
		s.finish()
	case <-s.receiving.Done(): // with the only trace
	}
	s.stopListening()
	serving.Wait()
	s.sum(s.refusals.end())
	return s.last
}

// stopListening closes the listeners. Their errors have no consequence.
func (s *Server) stopListening() {
	for _, listener := range s.listeners {
		listener.Close()
	}
}

// accept accepts connections until its listener is closed.
func (s *Server) accept(listener net.Listener, serving *sync.WaitGroup) {
	for {
		socket, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) || err != nil && s.receiving.Err() != nil {
			return
		}
		if err != nil {
			s.fail("a connection could not be accepted: %v", inner(err))
			s.pause()
			continue
		}
		r := s.newReception(socket)
		serving.Go(func() { s.serve(r) })
	}
}

// pause waits after an error, so that the system can recover from a lack of resources.
func (s *Server) pause() {
	select {
	case <-s.receiving.Done():
	case <-time.After(s.recovery):
	}
}

// answerTimeout is the limit of sending an answer.
const answerTimeout = time.Second

// answer sends a line. A recorder that does not receive it sees the end of the connection.
func answer(socket net.Conn, line string) {
	if socket.SetWriteDeadline(time.Now().Add(answerTimeout)) == nil {
		socket.Write([]byte(line + "\n")) //nolint:errcheck // see above
	}
}

// peer returns the address of a connection's other end.
func peer(socket net.Conn) string {
	if from := socket.RemoteAddr().String(); from != "" && from != "@" {
		return from
	}
	return "unix " + socket.LocalAddr().String()
}

func (s *Server) info(format string, arguments ...any) { s.log(false, format, arguments) }
func (s *Server) fail(format string, arguments ...any) { s.log(true, format, arguments) }

func (s *Server) log(failure bool, format string, arguments []any) {
	s.logging.Lock()
	defer s.logging.Unlock()
	s.options.Log(fmt.Sprintf(format, arguments...), failure)
}

// refuse answers a connection with the reason for closing it, and logs the reason.
func (s *Server) refuse(r *reception, reason error) {
	s.fail("%s: refused: %v", peer(r.socket), reason)
	answer(r.socket, output.AnswerRefused+reason.Error())
}

// refuseStranger refuses a connection without a valid greeting. Any program can open any number of them, so only some
// are logged one by one.
func (s *Server) refuseStranger(r *reception, reason error) {
	logged, before := s.refusals.add(time.Now())
	s.sum(before)
	if logged {
		s.refuse(r, reason)
		return
	}
	answer(r.socket, output.AnswerRefused+reason.Error())
}

// sum logs the number of refusals that were not logged one by one.
func (s *Server) sum(refused int) {
	if refused > 0 {
		s.fail("%d more connections were refused, none with a valid greeting", refused)
	}
}

// refusals counts connections that were refused because they sent no valid greeting.
type refusals struct {
	mu    sync.Mutex
	since time.Time
	count int // since then
}

// The limit of refusals that are logged one by one, and the time for which it holds.
const (
	maxLogged     = 20
	refusalPeriod = time.Minute
)

// add counts a refusal and reports whether it is logged. If a new period begins, before is the number of refusals of
// the last one that were not logged.
func (r *refusals) add(now time.Time) (logged bool, before int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.since) >= refusalPeriod {
		before = r.restart(now)
	}
	r.count++
	return r.count <= maxLogged, before
}

// end returns the number of refusals that were not logged.
func (r *refusals) end() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.restart(time.Time{})
}

func (r *refusals) restart(now time.Time) (unlogged int) {
	unlogged = max(0, r.count-maxLogged)
	r.since, r.count = now, 0
	return unlogged
}
