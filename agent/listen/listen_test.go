package listen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/trcx/trcx/agent/output"
)

const (
	head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TRACE>\n"
	tail = "<traceEnd time=\"9.5\"/>\n</TRACE>\n"
)

// lines returns elements whose times identify the recorder.
func lines(recorder, from, to int) []byte {
	var text []byte
	for i := from; i < to; i++ {
		text = fmt.Appendf(text, "<gcStart time=\"%d.%09d\"/>\n", recorder, i)
	}
	return text
}

// bench is a running Server with its log.
type bench struct {
	t      *testing.T
	folder string
	server *Server
	stop   context.CancelFunc
	ended  chan error

	mu  sync.Mutex
	log []string
}

// serve starts a server that writes to its own folder.
func serve(t *testing.T, options Options) *bench {
	t.Helper()
	b := prepare(t, options)
	b.start()
	return b
}

// prepare returns a server that listens, and accepts nothing before start.
func prepare(t *testing.T, options Options) *bench {
	t.Helper()
	b := &bench{t: t, folder: t.TempDir(), ended: make(chan error, 1)}
	if options.TCP == "" && options.Unix == "" {
		options.TCP = "127.0.0.1:0"
	}
	if options.MaxConnections == 0 {
		options.MaxConnections = 50
	}
	options.Pattern = filepath.Join(b.folder, options.Pattern)
	options.Log = func(line string, failure bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if failure {
			line = "! " + line
		}
		b.log = append(b.log, strings.ReplaceAll(line, b.folder+string(filepath.Separator), ""))
	}
	server, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	b.server = server
	return b
}

// start starts the server.
func (b *bench) start() {
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	go func() { b.ended <- b.server.Serve(ctx) }()
	b.t.Cleanup(func() { b.end() })
}

// end ends the server and returns the result of Serve.
func (b *bench) end() error {
	b.stop()
	err := <-b.ended
	b.ended <- err
	return err
}

func (b *bench) description(d output.Description) output.Description {
	address := b.server.listeners[0].Addr()
	if address.Network() == "unix" {
		d.Unix = address.String()
	} else {
		d.TCP = address.String()
	}
	return d
}

// recorder connects to the server.
func (b *bench) recorder(d output.Description) output.Writer {
	b.t.Helper()
	out, err := output.Open(b.description(d))
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// raw connects to the server and sends a text.
func (b *bench) raw(text string) net.Conn {
	b.t.Helper()
	address := b.server.listeners[0].Addr()
	socket, err := net.Dial(address.Network(), address.String())
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := socket.Write([]byte(text)); err != nil {
		b.t.Fatal(err)
	}
	return socket
}

// answered returns everything that the server sends.
func answered(t *testing.T, socket net.Conn) string {
	t.Helper()
	defer socket.Close()
	if err := socket.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(socket)
	if err != nil {
		t.Fatalf("%v after %q", err, answer)
	}
	return string(answer)
}

// file returns the content of a file in the folder.
func (b *bench) file(name string) string {
	b.t.Helper()
	content, err := os.ReadFile(filepath.Join(b.folder, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(content)
}

// await waits until done returns true.
func (b *bench) await(what string, done func() bool) {
	b.t.Helper()
	for began := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			b.t.Fatalf("not within 20 seconds: %s; the log is %q", what, b.lines())
		}
	}
}

func (b *bench) lines() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.log)
}

// says waits until the log has a line that matches.
func (b *bench) says(pattern string) {
	b.t.Helper()
	wanted := regexp.MustCompile(pattern)
	b.await("the server logs "+pattern, func() bool { return slices.ContainsFunc(b.lines(), wanted.MatchString) })
}

func (b *bench) names() (names []string) {
	b.t.Helper()
	entries, err := os.ReadDir(b.folder)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestManyRecorders proves that the trace of each of many concurrent recorders is in its own file, complete and without
// others' lines.
func TestManyRecorders(t *testing.T) {
	const recorders, batches = 20, 60
	for _, c := range []struct {
		pattern string
		options Options
		undo    func(string) string
	}{
		{"%h-%p.trcxml", Options{}, func(text string) string { return text }},
		{"%h-%p.trcxml", Options{Unix: filepath.Join(t.TempDir(), "s")}, func(text string) string { return text }},
		{"%h-%p.trcxml.gz", Options{}, func(text string) string { return gunzip(t, text) }},
	} {
		c.options.Pattern = c.pattern
		b := serve(t, c.options)
		var sending sync.WaitGroup
		for i := range recorders {
			sending.Go(func() {
				out, err := output.Open(b.description(output.Description{PID: 100 + i, Host: "web"}))
				if err != nil {
					t.Error(err)
					return
				}
				text := []byte(head)
				for batch := range batches {
					if err := give(out, append(text, lines(i, batch*50, batch*50+50)...)); err != nil {
						t.Error(err)
					}
					text = nil
				}
				if err := out.Close([]byte(tail)); err != nil {
					t.Error(err)
				}
			})
		}
		sending.Wait()
		if err := b.end(); err != nil {
			t.Error(err)
		}
		for i := range recorders {
			name := strings.NewReplacer("%h", "web", "%p", fmt.Sprint(100+i)).Replace(c.pattern)
			if want := head + string(lines(i, 0, batches*50)) + tail; c.undo(b.file(name)) != want {
				t.Errorf("%s is not what was sent", name)
			}
		}
		if names := b.names(); len(names) != recorders {
			t.Errorf("there are %q", names)
		}
	}
}

// give writes lines until all are written, again after each stall.
func give(out output.Writer, text []byte) error {
	for {
		err := out.Write(text)
		var stalled *output.Stalled
		if !errors.As(err, &stalled) {
			return err
		}
		text = text[stalled.Written:]
	}
}

func gunzip(t *testing.T, stored string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(stored))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWrittenAsItComes proves that received text is in the file while the recorder continues, compressed or not.
func TestWrittenAsItComes(t *testing.T) {
	for _, pattern := range []string{"a.trcxml", "a.trcxml.gz"} {
		b := serve(t, Options{Pattern: pattern})
		out := b.recorder(output.Description{})
		want := head
		for i := range 4 {
			batch := lines(1, i*10, i*10+10)
			if i == 0 {
				batch = append([]byte(head), batch...)
			}
			if err := give(out, batch); err != nil {
				t.Fatal(err)
			}
			want = head + string(lines(1, 0, i*10+10))
			b.await("the batch is in the file", func() bool {
				content := b.file(pattern)
				if strings.HasSuffix(pattern, ".gz") && content != "" {
					content = gunzip(t, content)
				}
				return content == want
			})
		}
		if err := out.Close([]byte(tail)); err != nil {
			t.Fatal(err)
		}
		b.says(`^a\.trcxml(\.gz)?: \d+ bytes, complete$`)
	}
}

// TestRecorderGoesAway proves that all lines that a recorder has sent before it dies are kept.
func TestRecorderGoesAway(t *testing.T) {
	for _, rest := range []string{"", "<gcStart ti", "</TRACE", "</TRACE> <"} {
		b := serve(t, Options{Pattern: "%p.trcxml"})
		want := head + string(lines(1, 0, 1000)) + rest
		socket := b.raw("trcx-stream 1 - 42 web\n" + want)
		socket.Close()
		b.says(fmt.Sprintf(`^! 42\.trcxml: %d bytes, cut off: the connection ended without </TRACE>$`, len(want)))
		if got := b.file("42.trcxml"); got != want {
			t.Errorf("%d bytes are kept of %d", len(got), len(want))
		}
	}
}

// TestRefused proves that a connection without a valid greeting is answered with the reason and creates no file.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, token, sent, want string }{
		{"web browser", "", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "this is not a recorder's greeting"},
		{"endless line", "", strings.Repeat("x", 100_000), "the greeting is longer than 4096 bytes"},
		{"zeros", "", strings.Repeat("\x00", 5000), "the greeting is longer than 4096 bytes"},
		{"bad host", "", "trcx-stream 1 - 1 ../../x\n", "the greeting has no host name"},
		{"no token", "secret", "trcx-stream 1 - 1 web\n", "a token is needed; give the recorder that of trcx listen"},
		{"wrong token", "secret", "trcx-stream 1 secre 1 web\n", "the token is not that of trcx listen"},
	} {
		b := serve(t, Options{Token: c.token})
		socket := b.raw(c.sent)
		if got := refusal(t, socket); got != "refused: "+c.want+"\n" {
			t.Errorf("%s: the answer is %q", c.name, got)
		}
		b.says("^! 127.0.0.1:[0-9]+: refused: " + regexp.QuoteMeta(c.want) + "$")
		if names := b.names(); len(names) > 0 {
			t.Errorf("%s: there is %q", c.name, names)
		}
	}
}

// refusal returns the first answer; the connection may break afterwards.
func refusal(t *testing.T, socket net.Conn) string {
	t.Helper()
	defer socket.Close()
	if err := socket.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	var answer bytes.Buffer
	io.Copy(&answer, socket)
	return answer.String()
}

func TestToken(t *testing.T) {
	b := serve(t, Options{Token: "secret", Pattern: "%p"})
	if _, err := output.Open(b.description(output.Description{Token: "Secret"})); err == nil ||
		!strings.HasSuffix(err.Error(), "the receiver refuses: the token is not that of trcx listen") {
		t.Errorf("with a wrong token: %v", err)
	}
	out := b.recorder(output.Description{Token: "secret", PID: 1})
	if err := give(out, []byte(head)); err != nil {
		t.Error(err)
	}
	if err := out.Close([]byte(tail)); err != nil {
		t.Error(err)
	}
	if got := b.file("1"); got != head+tail {
		t.Errorf("the file is %q", got)
	}
}

// TestUnsafe proves that without a token only loopback addresses are listened on.
func TestUnsafe(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		_, err := New(Options{TCP: address, MaxConnections: 1})
		if !errors.As(err, new(*Unsafe)) || !strings.Contains(err.Error(), "needs a token") {
			t.Errorf("%s: %v", address, err)
		}
		s, err := New(Options{TCP: address, Token: "secret", MaxConnections: 1})
		if err == nil {
			s.stopListening()
		} else if address != "[::]:0" { // not every machine has it
			t.Errorf("%s with a token: %v", address, err)
		}
	}
	for address, want := range map[string]string{"7411": "write host:port", "127.0.0.1:port": "port is no port",
		"": ""} {
		_, err := New(Options{TCP: address, MaxConnections: 1})
		if want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// TestMaxSize proves that a file at its size limit is whole, that its recorder gets the reason, and that others
// continue.
func TestMaxSize(t *testing.T) {
	for _, pattern := range []string{"%p.trcxml", "%p.trcxml.gz"} {
		b := serve(t, Options{Pattern: pattern, MaxSize: 20_000})
		long, short := b.recorder(output.Description{PID: 1}), b.recorder(output.Description{PID: 2})
		for _, out := range []output.Writer{long, short} {
			if err := give(out, []byte(head)); err != nil {
				t.Fatal(err)
			}
		}
		err := error(nil)
		for i := 0; err == nil && i < 1_000_000; i += 1000 {
			err = give(long, lines(1, i, i+1000))
		}
		if err == nil || !strings.HasSuffix(err.Error(), ": the size that the trace may have is reached") {
			t.Errorf("the recorder says %v", err)
		}
		if err := short.Close([]byte(tail)); err != nil {
			t.Error(err)
		}
		b.says(`^! \d+ bytes, ended early: .*1\.trcxml(\.gz)?: the size that the trace may have is reached$`)
		if err := b.end(); err != nil {
			t.Error(err)
		}
		content := b.file(strings.Replace(pattern, "%p", "1", 1))
		if len(content) > 20_000 {
			t.Errorf("the file has %d bytes", len(content))
		}
		if strings.HasSuffix(pattern, ".gz") {
			content = gunzip(t, content)
		}
		body, ended := strings.CutSuffix(content, "\n</TRACE>\n")
		if !ended || !strings.HasPrefix(head+string(lines(1, 0, 1_000_000)), body) {
			t.Errorf("the file is not whole: …%q", content[max(0, len(content)-100):])
		}
	}
}

// broken is a Writer on a disk that fails.
type broken struct{ closed []byte }

func (b *broken) Write([]byte) error {
	return &output.Stopped{Name: "a.trcxml", Reason: "the disk is full"}
}

func (b *broken) Close(ending []byte) error {
	b.closed = append([]byte("closed by "), ending...)
	return nil
}

// TestDiskFails proves that a failed write is logged and sent to the recorder.
func TestDiskFails(t *testing.T) {
	b := serve(t, Options{})
	near, far := net.Pipe()
	r := &reception{socket: near, file: &broken{}, root: true, place: b.server.limit.Enter(func() {})}
	done := make(chan error, 1)
	go func() { done <- b.server.conclude(r, "a.trcxml", r.file.Write(nil)); near.Close() }()
	if got := answered(t, far); got != "stopped: a.trcxml: the disk is full\n" {
		t.Errorf("the answer is %q", got)
	}
	if err := <-done; !errors.As(err, new(*output.Stopped)) {
		t.Errorf("the error is %v", err)
	}
	if got := r.file.(*broken).closed; string(got) != "closed by </TRACE>\n" {
		t.Errorf("the file is %q", got)
	}
	b.says(`^! 0 bytes, ended early: a\.trcxml: the disk is full$`)
}

// TestEnd proves that the server's end leaves whole files, is sent to the recorders, and does not wait for connections
// without a greeting.
func TestEnd(t *testing.T) {
	b := serve(t, Options{Pattern: "%p.trcxml", Unix: filepath.Join(t.TempDir(), "s")})
	silent := b.raw("trcx-stream 1")
	defer silent.Close()
	out := b.recorder(output.Description{PID: 1})
	if err := give(out, append([]byte(head), lines(1, 0, 10)...)); err != nil {
		t.Fatal(err)
	}
	finished := b.raw("trcx-stream 1 - 2 web\n" + head + tail + "\n \n")
	defer finished.Close()
	torn := b.raw("trcx-stream 1 - 3 web\n" + head + "<gcStart t")
	defer torn.Close()
	garbage := b.raw("trcx-stream 1 - 4 web\nnothing of a trace\n")
	defer garbage.Close()
	for i := range 4 {
		b.says(fmt.Sprintf(": process %d on ", i+1))
	}
	b.await("the text of the recorder is in the file", func() bool { return b.file("1.trcxml") != "" })
	if err := b.end(); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{
		"1.trcxml": head + string(lines(1, 0, 10)) + "</TRACE>\n",
		"2.trcxml": head + tail + "\n \n",
		"3.trcxml": head + "</TRACE>\n",
		"4.trcxml": "nothing of a trace\n",
	} {
		if got := b.file(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	b.says(`^1\.trcxml: \d+ bytes, ended early: trcx listen was ended$`)
	b.says(`^2\.trcxml: \d+ bytes, complete$`)
	b.says(`^! .*refused: trcx listen was ended$`)
	err := error(nil)
	for i := 0; err == nil && i < 100; i++ {
		err = give(out, lines(1, 0, 1000))
	}
	if err == nil || !strings.HasSuffix(err.Error(), ": the receiver has stopped: trcx listen was ended") {
		t.Errorf("the recorder says %v", err)
	}
}

// TestMaxConnections proves that one recorder above the limit is refused, and that another is accepted when one has
// ended.
func TestMaxConnections(t *testing.T) {
	b := serve(t, Options{Pattern: "%n", MaxConnections: 2})
	first, second := b.recorder(output.Description{}), b.recorder(output.Description{})
	if _, err := output.Open(b.description(output.Description{})); err == nil ||
		!strings.HasSuffix(err.Error(), "the receiver refuses: trcx listen receives at most 2 traces at a time") {
		t.Errorf("the third: %v", err)
	}
	if err := first.Close([]byte(head + tail)); err != nil {
		t.Error(err)
	}
	var third output.Writer
	b.await("there is a place", func() (ok bool) {
		var err error
		third, err = output.Open(b.description(output.Description{}))
		return err == nil
	})
	for _, out := range []output.Writer{second, third} {
		if err := out.Close([]byte(head + tail)); err != nil {
			t.Error(err)
		}
	}
}

// TestOnce proves that one trace is received and all others are refused; connections without a valid greeting are not
// counted.
func TestOnce(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(output.Writer, net.Conn) error
		want error
	}{
		{"complete", func(out output.Writer, _ net.Conn) error { return out.Close([]byte(tail)) }, nil},
		{"cut off", func(_ output.Writer, socket net.Conn) error { return socket.Close() }, ErrCutOff},
	} {
		b := serve(t, Options{Pattern: "%p", Once: true})
		refusal(t, b.raw("hello?\n"))
		var out output.Writer
		var socket net.Conn
		if c.want == nil {
			out = b.recorder(output.Description{PID: 1})
			if err := give(out, []byte(head)); err != nil {
				t.Fatal(err)
			}
		} else {
			socket = b.raw("trcx-stream 1 - 1 web\n" + head)
		}
		b.says("process 1 on ")
		if got := refusal(t, b.raw("trcx-stream 1 - 2 web\n")); !strings.HasPrefix(got,
			"refused: trcx listen receives one trace only") {
			t.Errorf("%s: the second one is answered %q", c.name, got)
		}
		if err := c.end(out, socket); err != nil {
			t.Error(err)
		}
		if err := <-b.ended; !errors.Is(err, c.want) {
			t.Errorf("%s: Serve returns %v", c.name, err)
		}
		b.ended <- nil
		if names := b.names(); !slices.Equal(names, []string{"1"}) {
			t.Errorf("%s: there is %q", c.name, names)
		}
	}
}

// TestLongLine proves that a line longer than the buffer is received complete, without more memory.
func TestLongLine(t *testing.T) {
	for _, pattern := range []string{"a.trcxml", "a.trcxml.gz"} {
		b := serve(t, Options{Pattern: pattern})
		want := head + "<option key=\"k\" value=\"" + strings.Repeat("v", 5*bufferSize/2) + "\"/>\n" + tail
		socket := b.raw("trcx-stream 1 - 1 web\n" + want)
		if err := socket.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if got := answered(t, socket); got != "ok\ndone\n" {
			t.Errorf("the answers are %q", got)
		}
		got := b.file(pattern)
		if pattern != "a.trcxml" {
			got = gunzip(t, got)
		}
		if got != want {
			t.Errorf("%s: %d bytes of %d have come", pattern, len(got), len(want))
		}
	}
}

// TestNothingOverwritten proves that a file name that exists gets a number, a different one for each of concurrent
// recorders.
func TestNothingOverwritten(t *testing.T) {
	b := serve(t, Options{Pattern: "app.trcxml.zst"})
	if err := os.WriteFile(filepath.Join(b.folder, "app.trcxml.zst"), []byte("years of work"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(b.folder, "app-2.trcxml.zst"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("elsewhere", filepath.Join(b.folder, "app-3.trcxml.zst")); err != nil {
		t.Fatal(err)
	}
	var sending sync.WaitGroup
	for range 10 {
		sending.Go(func() {
			out, err := output.Open(b.description(output.Description{}))
			if err == nil {
				err = out.Close([]byte(head + tail))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	sending.Wait()
	var want []string
	for i := range 13 {
		want = append(want, numbered("app.trcxml.zst", i+1))
	}
	slices.Sort(want)
	if names := b.names(); !slices.Equal(names, want) {
		t.Errorf("there is %q", names)
	}
	if got := b.file("app.trcxml.zst"); got != "years of work" {
		t.Errorf("what was there is now %q", got)
	}
}

// TestNoFile proves that a recorder whose file cannot be opened gets the reason.
func TestNoFile(t *testing.T) {
	b := serve(t, Options{Pattern: "a"})
	b.server.naming.folder = filepath.Join(b.folder, "gone")
	if _, err := output.Open(b.description(output.Description{})); err == nil ||
		!strings.Contains(err.Error(), "the receiver refuses: ") {
		t.Errorf("the error is %v", err)
	}
}

func TestNaming(t *testing.T) {
	folder := t.TempDir()
	at := time.Date(2026, 11, 21, 16, 3, 4, 5, time.FixedZone("", 3600))
	for _, c := range []struct{ pattern, folder, name, wrong string }{
		{"", ".", "trcx-web-1.example-42-20261121-150304.trcxml", ""},
		{folder, folder, "trcx-web-1.example-42-20261121-150304.trcxml", ""},
		{"later" + string(filepath.Separator), "later" + string(filepath.Separator),
			"trcx-web-1.example-42-20261121-150304.trcxml", ""},
		{"%n-100%%.xml", ".", "7-100%.xml", ""},
		{filepath.Join("50%%", "%p%p"), "50%", "4242", ""},
		{"%x", "", "", "%x is not a placeholder; the name can have %h"},
		{"100%", "", "", "% is not a placeholder"},
		{filepath.Join("%h", "x"), "", "", "not in its folder's"},
	} {
		n, err := newNaming(c.pattern)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v, want …%s…", c.pattern, err, c.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.pattern, err)
			continue
		}
		name, err := n.name(&output.Greeting{PID: 42, Host: "web-1.example"}, 7, at)
		if name != c.name || n.folder != c.folder || err != nil {
			t.Errorf("%s: %s in %s, %v; want %s in %s", c.pattern, name, n.folder, err, c.name, c.folder)
		}
	}
	n := &naming{".", "%h"}
	if name, _ := n.name(&output.Greeting{Host: strings.Repeat("h", 255)}, 1, at); len(name) != maxHost {
		t.Errorf("a long host's name has %d bytes in the name of the file", len(name))
	}
}

func TestNumbered(t *testing.T) {
	for name, want := range map[string]string{
		"a.trcxml": "a-2.trcxml", "a.trcxml.gz": "a-2.trcxml.gz", "a.b.zst": "a-2.b.zst", "a": "a-2",
		"web1.example-4.xml": "web1.example-4-2.xml",
	} {
		if got := numbered(name, 2); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		if got := numbered(name, 1); got != name {
			t.Errorf("%s: %s", name, got)
		}
	}
}
