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

// Options are the addresses of a Server and the handling of traces.
type Options struct {
	// TCP is host:port, Unix the path of a socket; either may be "".
	TCP, Unix string
	// Token must be in every recorder's greeting, if it is not "". Without it, only loopback addresses are listened on.
	Token string
	// Pattern is the pattern of file names, or the folder for them; see Placeholders. The endings .gz and .zst select
	// compression.
	Pattern string
	// MaxSize is the limit of each file's size in bytes, if above 0.
	MaxSize int64
	// MaxConnections is the limit of concurrent connections, above 0. Each needs up to 1.5 MiB of memory.
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
	places    chan struct{} // one element for each connection
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

// New starts to listen; Serve accepts connections. The error is *Unsafe if a token is missing, and
// *Invalid if an address is none.
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

// Addresses returns the addresses that recorders can connect to, such as "tcp 127.0.0.1:7411".
func (s *Server) Addresses() (all []string) {
	for _, listener := range s.listeners {
		all = append(all, listener.Addr().Network()+" "+listener.Addr().String())
	}
	return all
}

// Serve receives traces until ctx is done or, with Once, one was received; then all files are closed. The error is that
// of the only trace: ErrCutOff, or *output.Stopped if it could not be written. It was passed to Log already.
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
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.fail("a connection could not be accepted: %v", inner(err))
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
			s.refuse(socket)
		}
	}
}

// pause waits after an error, so that the system can recover from a lack of resources.
func (s *Server) pause() {
	select {
	case <-s.receiving.Done():
	case <-time.After(time.Second):
	}
}

// refuse answers a connection above the limit and closes it.
func (s *Server) refuse(socket net.Conn) {
	reason := fmt.Sprintf("there are %d connections already (--max-connections)", s.options.MaxConnections)
	s.fail("%s: refused: %s", peer(socket), reason)
	answer(socket, output.AnswerRefused+reason)
	socket.Close()
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
