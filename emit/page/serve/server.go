package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/internal/admission"
	"github.com/trcx/trcx/trace"
)

// Server serves traces to pages on this machine.
type Server struct {
	traces   []*Trace
	names    []string
	listener net.Listener
	token    string
	busy     chan struct{} // has an entry for each answer that is being computed
	counting chan struct{} // the same for statistics, which take long and must not delay other answers
	failed   func(error)
}

// The server's limits of time and load.
const (
	patience    = 5 * time.Second  // for a request to come; for the first one, from the begin of the connection
	longest     = 60 * time.Second // to send an answer, once it is computed
	idle        = 2 * time.Minute  // between two requests, both with the token
	mostHeader  = 128 << 10        // bytes of a request: the threads of a selection are in its address
	mostAtOnce  = 3                // answers that are computed at the same time; others wait
	mostClients = 256              // connections with the token, and as many without it
)

// Unsafe is the error for an address that other machines could reach, or that is invalid.
type Unsafe struct{ Reason string }

func (e *Unsafe) Error() string { return e.Reason }

// Listen begins to listen at the address, HOST:PORT. If that is not on loopback, the error is an *Unsafe.
func Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, &Unsafe{err.Error()}
	}
	if host == "" {
		return nil, &Unsafe{address + " names no host, and would be all of this machine's addresses; 127.0.0.1" +
			address + " is on loopback"}
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return nil, &Unsafe{port + " is no port; there are those from 0 to 65535, 0 being a free one"}
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, &Unsafe{host + " is not on loopback; other machines cannot be served: use a tunnel, such as ssh -L"}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	if at, ok := listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		listener.Close()
		return nil, &Unsafe{address + " is not on loopback"}
	}
	return listener, nil
}

// New returns a Server of the traces for a listener of Listen. It passes errors of an index to failed; clients learn
// only that something went wrong.
func New(listener net.Listener, traces []*Trace, failed func(error)) *Server {
	s := &Server{
		traces: traces, listener: listener, token: newToken(), busy: make(chan struct{}, mostAtOnce),
		counting: make(chan struct{}, 1), failed: failed,
	}
	for _, t := range traces {
		s.names = append(s.names, t.Name)
	}
	return s
}

// URL returns the address of the page. Anyone who has it can see the traces.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/" + s.token + "/" }

// Serve answers until the context is done.
func (s *Server) Serve(ctx context.Context) error {
	host, port, _ := net.SplitHostPort(s.listener.Addr().String())
	server := &http.Server{
		Handler: &guard{hosts: append(loopback[:len(loopback):len(loopback)], host), port: port,
			token: s.token, next: s.routes()},
		ReadHeaderTimeout: patience, ReadTimeout: patience, IdleTimeout: idle, MaxHeaderBytes: mostHeader,
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(io.Discard, "", 0), // its messages are about clients that leave
		BaseContext:                  func(net.Listener) context.Context { return ctx }, ConnContext: withConnection,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	limited := &clients{s.listener, admission.NewLimit(mostClients, mostClients)}
	if err := server.Serve(limited); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// routes returns the handler of all paths. It serves no files of the machine.
func (s *Server) routes() http.Handler {
	files := map[string]string{"/page.css": "text/css; charset=utf-8", "/page.js": "text/javascript; charset=utf-8"}
	answers := map[string]func(*http.Request, *query, *Trace) ([]byte, error){
		"/about": whole(func(t *Trace) ([]byte, error) { return t.about(s.names) }),
		"/path":  whole(func(t *Trace) ([]byte, error) { return t.Path() }),
		"/blame": whole(func(t *Trace) ([]byte, error) { return t.Blame() }),
		"/heap":  whole(heap), "/methods": whole(methods),
		"/window": window, "/overview": overview, "/detail": detail, "/statistics": statistics,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.recover(w)
		if kind, is := files[r.URL.Path]; is {
			send(w, kind, page.Asset(strings.TrimPrefix(r.URL.Path, "/")))
			return
		}
		if r.URL.Path == "/" {
			s.page(w)
			return
		}
		answer := answers[r.URL.Path]
		if answer == nil {
			refuse(w, http.StatusNotFound, "there is nothing here")
			return
		}
		s.answer(w, r, answer)
	})
}

// recover reports a panic, so that it ends only one answer.
func (s *Server) recover(w http.ResponseWriter) {
	if defect := recover(); defect != nil {
		s.fail(w, fmt.Errorf("a defect of trcx: %v\n%s", defect, debug.Stack()))
	}
}

// fail reports an error to the user of the server. The client learns only that there is one, since its text may name
// files of the machine.
func (s *Server) fail(w http.ResponseWriter, err error) {
	s.failed(err)
	if _, ok := errors.AsType[*timeline.Damaged](err); ok {
		refuse(w, http.StatusInternalServerError,
			"the index of this trace is damaged: end trcx serve and start it again; its terminal shows more")
		return
	}
	refuse(w, http.StatusInternalServerError, "the server could not answer this; its terminal shows why")
}

// page sends the page without data.
func (s *Server) page(w http.ResponseWriter) {
	var text bytes.Buffer
	if err := page.Served(&text, strings.Join(s.names, ", ")); err != nil {
		s.fail(w, err)
		return
	}
	send(w, "text/html; charset=utf-8", text.Bytes())
}

// answer answers a request about a trace.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, compute func(*http.Request, *query, *Trace) ([]byte,
	error)) {
	text, err := s.inTurn(r, compute)
	var bad *wrong
	switch {
	case errors.As(err, &bad):
		refuse(w, http.StatusBadRequest, bad.message)
	case r.Context().Err() != nil: // the client has gone
	case err != nil:
		s.fail(w, err)
	case text == nil:
		refuse(w, http.StatusNotFound, "the trace has no such event")
	default:
		send(w, "application/json", text)
	}
}

// inTurn computes an answer when its turn comes. The turn ends before the answer is sent, so that a client that does
// not read does not delay others.
func (s *Server) inTurn(r *http.Request, compute func(*http.Request, *query, *Trace) ([]byte, error)) ([]byte, error) {
	turn := s.busy
	if r.URL.Path == "/statistics" {
		turn = s.counting
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, &wrong{"the parameters cannot be read"}
	}
	q := &query{values: values}
	number := q.number("trace", 0, 0, int64(len(s.traces)-1))
	q.values.Del("trace")
	if q.err != nil {
		return nil, q.err
	}
	return compute(r, q, s.traces[number])
}

// send sends an answer, within a limited time.
func send(w http.ResponseWriter, kind string, text []byte) {
	// a connection without deadlines is used without one
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(longest))
	w.Header().Set("Content-Type", kind)
	w.Write(text) //nolint:errcheck // the browser has gone
}

// whole returns the answer with a document that has no parameters.
func whole(document func(*Trace) ([]byte, error)) func(*http.Request, *query, *Trace) ([]byte, error) {
	return func(_ *http.Request, q *query, t *Trace) ([]byte, error) {
		if q.only(); q.err != nil {
			return nil, q.err
		}
		defer t.hold()()
		return document(t)
	}
}

func window(r *http.Request, q *query, t *Trace) ([]byte, error) {
	q.only("threads", "from", "to", "resolution")
	from, to := q.part()
	request := timeline.Request{Threads: q.threads("threads", t.threads()), From: from, To: min(to, t.duration()),
		Arrows: mostArrows}
	request.Resolution = q.number("resolution", max((request.To-request.From)/usualParts, 1), 0, 1<<62)
	if q.err != nil {
		return nil, q.err
	}
	return t.window(r.Context(), request)
}

func overview(r *http.Request, q *query, t *Trace) ([]byte, error) {
	q.only("threads", "buckets")
	threads, parts := q.threads("threads", t.threads()), q.number("buckets", usualParts, 1, mostParts)
	if q.err != nil {
		return nil, q.err
	}
	return t.overviewOf(r.Context(), threads, int(parts))
}

func detail(_ *http.Request, q *query, t *Trace) ([]byte, error) {
	q.only("thread", "event")
	thread, event := q.number("thread", 0, 1, 1<<32-1), q.number("event", 0, 1, 1<<62)
	if q.err != nil {
		return nil, q.err
	}
	return t.detail(trace.ThreadKey(thread), trace.EventID(event))
}

func statistics(r *http.Request, q *query, t *Trace) ([]byte, error) {
	q.only("threads", "from", "to")
	from, to := q.part()
	threads := q.threads("threads", t.threads())
	if q.err != nil {
		return nil, q.err
	}
	return t.statistics(r.Context(), threads, from, to)
}

func heap(t *Trace) ([]byte, error) {
	if !t.HasHeap() {
		return nil, &wrong{"the trace has nothing of the heap"}
	}
	return t.Heap()
}

func methods(t *Trace) ([]byte, error) {
	switch {
	case !t.HasMethods():
		return nil, &wrong{"the trace has no calls or samples of methods"}
	case t.live():
		return nil, &wrong{"the methods can be asked for when the recording has ended"}
	}
	return t.Methods()
}

// threads returns the number of threads, duration the length of the trace.
func (t *Trace) threads() int {
	defer t.hold()()
	return t.Index.Size()
}

func (t *Trace) duration() int64 {
	defer t.hold()()
	return t.Index.Duration()
}
