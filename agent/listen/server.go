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
)

// Options say where to listen, and what to do with what comes.
type Options struct {
	// TCP is host:port, Unix the path of a socket; either may be "".
	TCP, Unix string
	// Token is what every recorder has to know, if it is not "". Without it only addresses of this machine are listened
	// at.
	Token string
	// Pattern names the files, or is the folder for them; see Placeholders. By the endings .gz and .zst they are
	// compressed.
	Pattern string
	// MaxSize is how many bytes each file has at most, if above 0.
	MaxSize int64
	// MaxConnections is how many connections there are at the same time, above 0. Each needs up to 1.5 MiB of memory.
	MaxConnections int
	// Once ends the listening after one trace.
	Once bool
	// Say is told, a line each, what happens; trouble says that it is about what went wrong. It is called by one
	// goroutine at a time.
	Say func(line string, trouble bool)
}

// Server receives traces.
type Server struct {
	options   Options
	naming    *naming
	listeners []net.Listener
	places    chan struct{} // one for each connection
	numbers   atomic.Int64
	saying    sync.Mutex
	receiving context.Context
	finish    func()      // ends the receiving
	taken     atomic.Bool // the one trace of Once has come
	last      error       // what became of it
}

// ErrCutOff is the error for a trace whose recorder went away before its end.
var ErrCutOff = errors.New("the trace is cut off")

// errEnded is the error for a trace that ends because the listening does.
var errEnded = errors.New("trcx listen was ended")

// New begins to listen; recorders are served by Serve. The error is *Unsafe if a token is missing.
func New(options Options) (*Server, error) {
	naming, err := newNaming(options.Pattern)
	if err != nil {
		return nil, err
	}
	s := &Server{options: options, naming: naming, places: make(chan struct{}, options.MaxConnections)}
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

// Addresses are where recorders can connect to, such as "tcp 127.0.0.1:7411".
func (s *Server) Addresses() (all []string) {
	for _, listener := range s.listeners {
		all = append(all, listener.Addr().Network()+" "+listener.Addr().String())
	}
	return all
}

// Serve receives traces until ctx is done, or one has been received if that was asked for. All files are closed then.
// The error is about the only trace: ErrCutOff, or *output.Stopped if it could not be written; it has been said
// already.
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
	return s.last
}

// stopListening closes the listeners. There is nothing to be done about what cannot be closed.
func (s *Server) stopListening() {
	for _, listener := range s.listeners {
		listener.Close()
	}
}

// accept takes connections until its listener is closed.
func (s *Server) accept(listener net.Listener, serving *sync.WaitGroup) {
	for {
		socket, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.complain("a connection could not be accepted: %v", inner(err))
			s.pause()
			continue
		}
		select {
		case s.places <- struct{}{}:
			serving.Go(func() {
				defer func() { <-s.places }()
				s.serve(socket)
			})
		default:
			s.turnAway(socket)
		}
	}
}

// pause gives the system time to recover from a lack of resources.
func (s *Server) pause() {
	select {
	case <-s.receiving.Done():
	case <-time.After(time.Second):
	}
}

// turnAway refuses a connection that is one too many.
func (s *Server) turnAway(socket net.Conn) {
	reason := fmt.Sprintf("there are %d connections already (--max-connections)", s.options.MaxConnections)
	s.complain("%s: refused: %s", peer(socket), reason)
	answer(socket, output.AnswerRefused+reason)
	socket.Close()
}

// answerTime is how long a recorder may take to receive an answer.
const answerTime = time.Second

// answer sends a line. Who does not receive it finds out by the end of the connection.
func answer(socket net.Conn, line string) {
	if socket.SetWriteDeadline(time.Now().Add(answerTime)) == nil {
		socket.Write([]byte(line + "\n"))
	}
}

// peer is where a connection comes from.
func peer(socket net.Conn) string {
	if from := socket.RemoteAddr().String(); from != "" && from != "@" {
		return from
	}
	return "unix " + socket.LocalAddr().String()
}

func (s *Server) tell(format string, arguments ...any)     { s.say(false, format, arguments) }
func (s *Server) complain(format string, arguments ...any) { s.say(true, format, arguments) }

func (s *Server) say(trouble bool, format string, arguments []any) {
	s.saying.Lock()
	defer s.saying.Unlock()
	s.options.Say(fmt.Sprintf(format, arguments...), trouble)
}
