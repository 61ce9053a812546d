package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/emit/page"
	"github.com/trcx/trcx/emit/page/serve"
	"github.com/trcx/trcx/enrich/sinktest"
)

// served starts a server for the documents, and returns its page's address.
func served(t *testing.T, documents ...[]byte) string {
	t.Helper()
	var traces []*serve.Trace
	for i, document := range documents {
		recorder, err := timeline.NewRecorder("", false)
		sinktest.Check(t, err)
		t.Cleanup(func() { recorder.Index().Close() })
		sinktest.Read(t, recorder, document)
		traces = append(traces, &serve.Trace{
			Name: fmt.Sprint("trace ", i), Index: recorder.Index(), Path: func() ([]byte, error) {
				return []byte(`{"pieces":[]}`), nil
			},
			Blame:      func() ([]byte, error) { return []byte(`{"threads":[]}`), nil },
			Heap:       func() ([]byte, error) { return []byte(`{"dump":null}`), nil },
			HasHeap:    func() bool { return i == 0 },
			Methods:    func() ([]byte, error) { return []byte(`{"rows":{}}`), nil },
			HasMethods: func() bool { return i == 0 },
			Verdicts:   func() []page.Verdict { return nil }, Notes: func() []string { return nil },
		})
	}
	return servedTraces(t, traces)
}

// servedTraces starts a server for the traces, and returns its page's address.
func servedTraces(t *testing.T, traces []*serve.Trace) string {
	t.Helper()
	listener, err := serve.Listen("127.0.0.1:0")
	sinktest.Check(t, err)
	server := serve.New(listener, traces, func(err error) { t.Error(err) })
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- server.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		sinktest.Check(t, <-done)
	})
	return server.URL()
}

func recorded(t *testing.T) []byte {
	return sinktest.File(t, "../../../testdata/recorded/warehouse-stacks-jdk25.trcxml")
}

// ask sends a request, which change may change before, and returns the status and the answer.
func ask(t *testing.T, address string, change func(*http.Request)) (status int, header http.Header, text string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, address, nil)
	sinktest.Check(t, err)
	if change != nil {
		change(request)
	}
	response, err := http.DefaultClient.Do(request)
	sinktest.Check(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	sinktest.Check(t, err)
	return response.StatusCode, response.Header, string(body)
}

func TestAnswers(t *testing.T) {
	address := served(t, recorded(t))
	for question, want := range map[string]string{
		"": `<script src="page.js"></script>`, "page.js": "", "page.css": "",
		"about": `"name":"trace 0"`, "about?trace=0": `"duration":501588167`,
		"window?threads=7&from=0&to=1000000000&resolution=0": `"lanes":[{"thread":7,"spans":{`,
		"window?threads=": `"lanes":[]`, "window?threads=999999999": `"lanes":[]`,
		"overview?buckets=3": `,"times":[[`, "overview?threads=7&buckets=1": `"times":[[49123724],`,
		"detail?thread=7&event=23":       `"object":["1080","Warehouse$Shelf",0],"other":10`,
		"overview?threads=~QA&buckets=1": `"times":[[49123724],`, "window?threads=~": `"lanes":[]`,
		"window?threads=~AAAAAAAB": `"lanes":[]`,
		"statistics?threads=7":     `"sites":[{"class":"Warehouse$OrderQueue","method":"take"`,
		"statistics?threads=":      `"monitors":[]`, "statistics?from=0&to=10": `"sites":[]`,
		"path": `{"pieces":[]}`, "blame": `{"threads":[]}`, "heap": `{"dump":null}`,
		"methods": `{"rows":{}}`,
	} {
		status, header, text := ask(t, address+question, nil)
		if status != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %d %.300s, want %s", question, status, text, want)
		}
		if header.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(header.Get("Content-Security-Policy"),
			"default-src 'none'") {
			t.Errorf("%s: the headers are %v", question, header)
		}
		if strings.HasPrefix(header.Get("Content-Type"), "application/json") && !json.Valid([]byte(text)) {
			t.Errorf("%s: the answer is no JSON: %.200s", question, text)
		}
	}
}

// TestRefusals: impossible requests are refused with a reason.
func TestRefusals(t *testing.T) {
	address := served(t, recorded(t))
	for question, want := range map[string]int{
		"nothing": http.StatusNotFound, "../etc/passwd": http.StatusNotFound,
		"%2e%2e/%2e%2e/etc/passwd": http.StatusNotFound, "assets/page.js": http.StatusNotFound,
		"page.js/": http.StatusNotFound, "..%2fserve.go": http.StatusNotFound, "debug/pprof/": http.StatusNotFound,
		"about?trace=1": http.StatusBadRequest, "about?trace=-1": http.StatusBadRequest,
		"about?x=1": http.StatusBadRequest, "blame?threads=1": http.StatusBadRequest,
		"heap?threads=1":     http.StatusBadRequest,
		"methods?threads=1":  http.StatusBadRequest,
		"window?from=5&to=1": http.StatusBadRequest, "window?from=-1": http.StatusBadRequest,
		"window?from=1&from=2": http.StatusBadRequest,
		"window?threads=1-":    http.StatusBadRequest, "window?threads=5-1": http.StatusBadRequest,
		"window?threads=0":  http.StatusBadRequest,
		"window?threads=~!": http.StatusBadRequest, "window?threads=1,~QA": http.StatusBadRequest,
		"window?threads=a": http.StatusBadRequest, "window?resolution=-1": http.StatusBadRequest,
		"window?threads=1-11&resolution=1":                      http.StatusBadRequest,
		"window?threads=" + strings.Repeat("1-4000000000,", 99): http.StatusBadRequest,
		"overview?buckets=1000000000":                           http.StatusBadRequest,
		"overview?buckets=0":                                    http.StatusBadRequest,
		"about?%zz":                                             http.StatusBadRequest,
		"statistics?threads=1;from=5":                           http.StatusBadRequest,
		"detail?thread=1":                                       http.StatusNotFound,
		"detail?thread=1&event=999999":                          http.StatusNotFound,
		"detail?thread=99999999999":                             http.StatusBadRequest,
	} {
		if status, _, text := ask(t, address+question, nil); status != want {
			t.Errorf("%.60s: %d %.200s, want %d", question, status, text, want)
		}
	}
}

// TestLongAddress: an address that is too long is refused, whatever it contains.
func TestLongAddress(t *testing.T) {
	response, err := http.Get(served(t, recorded(t)) + "statistics?threads=" + strings.Repeat("1,", 1<<20))
	if err != nil {
		return // the server may hang up before it has read the rest
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("the status is %d", response.StatusCode)
	}
}

// TestGuard: other sites, other names of this machine, other methods, and clients without the token get nothing.
func TestGuard(t *testing.T) {
	address := served(t, recorded(t))
	at, err := url.Parse(address)
	sinktest.Check(t, err)
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"as it is":          {func(*http.Request) {}, http.StatusOK},
		"as localhost":      {func(r *http.Request) { r.Host = "localhost:" + at.Port() }, http.StatusOK},
		"from its own page": {func(r *http.Request) { r.Header.Set("Origin", "http://"+at.Host) }, http.StatusOK},
		"rebound name": {func(r *http.Request) { r.Host = "evil.example:" + at.Port() },
			http.StatusMisdirectedRequest},
		"name without port": {func(r *http.Request) { r.Host = "127.0.0.1" }, http.StatusMisdirectedRequest},
		"other port":        {func(r *http.Request) { r.Host = "127.0.0.1:1" }, http.StatusMisdirectedRequest},
		"suffixed name": {func(r *http.Request) { r.Host = "localhost.evil.example:" + at.Port() },
			http.StatusMisdirectedRequest},
		"foreign origin": {func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") },
			http.StatusForbidden},
		"secure origin": {func(r *http.Request) { r.Header.Set("Origin", "https://"+at.Host) },
			http.StatusForbidden},
		"no origin": {func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"from another site": {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
			http.StatusForbidden},
		"POST":          {func(r *http.Request) { r.Method = http.MethodPost }, http.StatusMethodNotAllowed},
		"OPTIONS":       {func(r *http.Request) { r.Method = http.MethodOptions }, http.StatusMethodNotAllowed},
		"DELETE":        {func(r *http.Request) { r.Method = http.MethodDelete }, http.StatusMethodNotAllowed},
		"without token": {func(r *http.Request) { r.URL.Path = "/" }, http.StatusNotFound},
		"wrong token": {func(r *http.Request) { r.URL.Path = "/" + strings.Repeat("A", 22) + "/about" },
			http.StatusNotFound},
		"beginning of token": {func(r *http.Request) { r.URL.Path = at.Path[:len(at.Path)-2] + "/" },
			http.StatusNotFound},
	} {
		status, header, text := ask(t, address+"about", c.change)
		if status != c.want {
			t.Errorf("%s: %d %.200s, want %d", name, status, text, c.want)
		}
		if header.Get("Access-Control-Allow-Origin") != "" || status != http.StatusOK &&
			strings.Contains(text, "warehouse") {
			t.Errorf("%s: others get to know %v %.200s", name, header, text)
		}
	}
}

// TestManyClients: a hundred clients at once all get their answers, and a silent client does not delay the others.
func TestManyClients(t *testing.T) {
	address := served(t, recorded(t), recorded(t))
	at, err := url.Parse(address)
	sinktest.Check(t, err)
	for range 20 {
		silent, err := net.Dial("tcp", at.Host)
		sinktest.Check(t, err)
		defer silent.Close()
		fmt.Fprint(silent, "GET / HTTP/1.1\r\n")
	}
	client := &http.Client{Timeout: 20 * time.Second}
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			for _, question := range []string{"about", "window?resolution=0", "statistics?threads=1-5", "overview"} {
				response, err := client.Get(fmt.Sprintf("%s%s%strace=%d", address, question,
					map[bool]string{true: "&", false: "?"}[strings.Contains(question, "?")], i%2))
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
					t.Errorf("%s: %v %v", question, response.Status, err)
				}
				response.Body.Close()
			}
		})
	}
	all.Wait()
}

// TestStrangers: connections without the token, even up to the limit, do not keep out a client that has it, and refused
// connections are closed.
func TestStrangers(t *testing.T) {
	address := served(t, recorded(t))
	at, err := url.Parse(address)
	sinktest.Check(t, err)
	kept := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}, Timeout: time.Second}
	for kind, said := range map[string]string{
		"refused": "GET / HTTP/1.1\r\nHost: " + at.Host + "\r\n\r\n", "silent": "", "slow": "GET / HTTP/1.1\r\nHost:",
	} {
		var before net.Conn
		for range 2 { // a client that has shown the token keeps its connection
			sinktest.Check(t, answered(kept, address, &before))
			for range 256 {
				stranger, err := net.Dial("tcp", at.Host)
				sinktest.Check(t, err)
				defer stranger.Close()
				fmt.Fprint(stranger, said)
			}
		}
		if err := answered(&http.Client{Transport: &http.Transport{}, Timeout: time.Second}, address,
			new(net.Conn)); err != nil {
			t.Errorf("%s strangers: %v", kind, err)
		}
	}
	for _, request := range []string{"GET / HTTP/1.1\r\nHost: " + at.Host, "GET / HTTP/1.1\r\nHost: evil.example",
		"POST / HTTP/1.1\r\nHost: " + at.Host} {
		stranger, err := net.Dial("tcp", at.Host)
		sinktest.Check(t, err)
		defer stranger.Close()
		fmt.Fprint(stranger, request+"\r\n\r\n")
		sinktest.Check(t, stranger.SetReadDeadline(time.Now().Add(3*time.Second)))
		if text, err := io.ReadAll(stranger); err != nil ||
			!strings.Contains(string(text), "\r\nConnection: close\r\n") {
			t.Errorf("%s: %v, %s", request, err, text)
		}
	}
}

// TestMostClients: a connection with the token above the limit is refused with a reason, and is answered after another
// one has ended.
func TestMostClients(t *testing.T) {
	address := served(t, recorded(t))
	at, err := url.Parse(address)
	sinktest.Check(t, err)
	var first net.Conn
	for i := range 256 {
		conn, err := net.Dial("tcp", at.Host)
		sinktest.Check(t, err)
		defer conn.Close()
		fmt.Fprintf(conn, "GET %spage.css HTTP/1.1\r\nHost: %s\r\n\r\n", at.Path, at.Host)
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || line != "HTTP/1.1 200 OK\r\n" {
			t.Fatalf("client %d: %q, %v", i, line, err)
		}
		if first == nil {
			first = conn
		}
	}
	alone := func(r *http.Request) { r.Close = true }
	status, _, text := ask(t, address, alone)
	if status != http.StatusServiceUnavailable || !strings.Contains(text, "256 connections show the page already") {
		t.Errorf("one more client: %d %s", status, text)
	}
	sinktest.Check(t, first.Close())
	for i := 0; status != http.StatusOK; i++ {
		if i == 1000 {
			t.Fatalf("after another has ended: %d %s", status, text)
		}
		time.Sleep(5 * time.Millisecond) // until the server notices
		status, _, text = ask(t, address, alone)
	}
}

// answered sends a request with the token, on the previous connection if there is one.
func answered(client *http.Client, address string, before *net.Conn) error {
	var by net.Conn
	trace := &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { by = got.Conn }}
	request, err := http.NewRequestWithContext(httptrace.WithClientTrace(context.Background(), trace), http.MethodGet,
		address+"about", nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if *before != nil && by != *before {
		return errors.New("the connection of the question before was closed")
	}
	*before = by
	return nil
}

// TestClientsThatDoNotRead: clients that do not read their answers do not occupy the places for computing answers.
func TestClientsThatDoNotRead(t *testing.T) {
	large := make([]byte, 32<<20) // more than connections buffer
	asked := make(chan struct{}, 10)
	path := func() ([]byte, error) {
		asked <- struct{}{}
		return large, nil
	}
	address := servedTraces(t, []*serve.Trace{{
		Name: "large", Index: emptyIndex(t), Path: path, Verdicts: func() []page.Verdict { return nil },
		Notes: func() []string { return nil }, HasHeap: func() bool { return false },
		HasMethods: func() bool { return false },
	}})
	at, err := url.Parse(address)
	sinktest.Check(t, err)
	for range 10 {
		deaf, err := net.Dial("tcp", at.Host)
		sinktest.Check(t, err)
		defer deaf.Close()
		sinktest.Check(t, deaf.(*net.TCPConn).SetReadBuffer(4096))
		fmt.Fprintf(deaf, "GET %spath HTTP/1.1\r\nHost: %s\r\n\r\n", at.Path, at.Host)
	}
	for i := range 10 {
		select {
		case <-asked:
		case <-time.After(5 * time.Second):
			t.Fatalf("%d clients that do not read keep the next one waiting", i)
		}
	}
	sinktest.Check(t, answered(&http.Client{Timeout: 5 * time.Second}, address, new(net.Conn)))
}

// emptyIndex is the index of a trace in which nothing happens.
func emptyIndex(t *testing.T) *timeline.Index {
	t.Helper()
	recorder, err := timeline.NewRecorder("", false)
	sinktest.Check(t, err)
	t.Cleanup(func() { recorder.Index().Close() })
	sinktest.Read(t, recorder, []byte("<TRACE/>"))
	return recorder.Index()
}

// TestAddresses: the server listens only on loopback.
func TestAddresses(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:0", "127.0.0.1", "127.0.0.1:x",
		"[::]:0", "127.0.0.1:99999", "127.0.0.1:-1"} {
		var unsafe *serve.Unsafe
		if _, err := serve.Listen(address); !errors.As(err, &unsafe) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0", "127.1.2.3:0"} {
		listener, err := serve.Listen(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		listener.Close()
	}
}
