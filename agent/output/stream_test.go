package output

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/internal/testtool"
)

// far is the other end of a stream; the test decides when it is read.
type far struct {
	name string
	open func(t *testing.T) (near *stream, other io.ReadCloser)
}

// shortly shortens a stream's time limits, so that tests of stalls are fast.
func shortly(s *stream) *stream {
	s.writeTimeout = 5 * time.Millisecond
	return s
}

// listener listens at an address and greets the first connection.
func listener(t *testing.T, network string) (address string, other func() net.Conn) {
	t.Helper()
	address = "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "s")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	came := make(chan net.Conn, 1)
	go func() {
		defer close(came)
		socket, err := l.Accept()
		if err != nil {
			return
		}
		greeting := make([]byte, 0, 100)
		for one := make([]byte, 1); !bytes.HasSuffix(greeting, []byte("\n")); greeting = append(greeting, one...) {
			if _, err := socket.Read(one); err != nil {
				return
			}
		}
		if _, err := ParseGreeting(string(greeting)); err != nil {
			socket.Write([]byte(AnswerRefused + err.Error() + "\n"))
			return
		}
		socket.Write([]byte(AnswerReady + "\n"))
		came <- socket
	}()
	return l.Addr().String(), func() net.Conn {
		socket := <-came
		if socket == nil {
			t.Fatal("no connection within the time limit")
		}
		return socket
	}
}

func connected(t *testing.T, d Description, other func() net.Conn) (*stream, io.ReadCloser) {
	t.Helper()
	near, far := shortly(open(t, d).(*stream)), other()
	for _, end := range []any{near.to.(*connection).Conn, far} {
		if tcp, ok := end.(*net.TCPConn); ok { // otherwise it buffers megabytes
			tcp.SetReadBuffer(16 << 10)
			tcp.SetWriteBuffer(16 << 10)
		}
	}
	return near, far
}

var fars = []far{
	{"tcp", func(t *testing.T) (*stream, io.ReadCloser) {
		address, other := listener(t, "tcp")
		return connected(t, Description{TCP: address}, other)
	}},
	{"unix", func(t *testing.T) (*stream, io.ReadCloser) {
		address, other := listener(t, "unix")
		return connected(t, Description{Unix: address}, other)
	}},
	{"standard output", func(t *testing.T) (*stream, io.ReadCloser) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		near := shortly(open(t, Description{File: Standard, Stdout: w}).(*stream))
		// Close leaves the standard output open, but this test waits for its end.
		near.to = closing{near.to, w}
		return near, r
	}},
}

// closing is a channel that closes its destination, too.
type closing struct {
	channel
	file *os.File
}

func (c closing) Close() error { return errors.Join(c.channel.Close(), c.file.Close()) }

// reader reads everything after a signal.
func reader(other io.Reader) (begin func(), all func() []byte) {
	start, done := make(chan struct{}), make(chan []byte, 1)
	go func() {
		<-start
		var text bytes.Buffer
		io.Copy(&text, other) // until the other end closes
		if socket, ok := other.(net.Conn); ok {
			socket.Write([]byte(AnswerDone + "\n"))
			socket.Close()
		}
		done <- text.Bytes()
	}()
	return func() { close(start) }, func() []byte { return <-done }
}

// give writes lines until all are written, again after each stall.
func give(out Writer, text []byte) error {
	for {
		err := out.Write(text)
		var stalled *Stalled
		if !errors.As(err, &stalled) {
			return err
		}
		text = text[stalled.Written:]
	}
}

// TestStalled proves that an output whose other end stalls returns the number of bytes, whole lines, that need not be
// passed again. Nothing is lost or doubled, and no line is cut if the rest is abandoned.
func TestStalled(t *testing.T) {
	testtool.Long(t)
	for _, far := range fars {
		for _, giveUp := range []bool{false, true} {
			for _, ending := range []string{"", ".gz"} {
				t.Run(far.name+ending, func(t *testing.T) { stall(t, far, giveUp, ending) })
			}
		}
	}
}

func stall(t *testing.T, far far, giveUp bool, ending string) {
	random := rand.New(rand.NewPCG(1, 2))
	out, other := far.open(t)
	out.codec = codecFor(ending)
	begin, all := reader(other)
	var want []byte
	stalls := 0
	for number := 0; number < 300_000 && stalls < 15; {
		next := number + 1 + random.IntN(3000)
		rest := lines(number, next)
		number = next
		for len(rest) > 0 {
			err := out.Write(rest)
			var stalled *Stalled
			if err == nil {
				want = append(want, rest...)
				break
			}
			if !errors.As(err, &stalled) {
				t.Fatal(err)
			}
			if stalled.Written > 0 && rest[stalled.Written-1] != '\n' {
				t.Fatalf("%d of %d bytes are written, which is not the end of a line", stalled.Written, len(rest))
			}
			want = append(want, rest[:stalled.Written]...)
			rest = rest[stalled.Written:]
			if stalls++; stalls == 5 {
				begin()
			}
			if giveUp {
				break
			}
		}
	}
	if stalls < 5 {
		t.Fatalf("the output has stalled %d times; the test needs more", stalls)
	}
	if err := out.Close([]byte(tail)); err != nil {
		t.Fatal(err)
	}
	got := all()
	if ending != "" {
		text, err := forms[1].undo(t, got)
		if err != nil {
			t.Fatal(err)
		}
		got = text
	}
	if want = append(want, tail...); !bytes.Equal(got, want) {
		t.Errorf("%d bytes have come, and %d were sent", len(got), len(want))
	}
}

// TestOtherEndGone proves that a broken connection is returned as an error once, and not again by Close.
func TestOtherEndGone(t *testing.T) {
	for _, far := range fars {
		t.Run(far.name, func(t *testing.T) {
			out, other := far.open(t)
			if err := give(out, []byte(head)); err != nil {
				t.Fatal(err)
			}
			other.Close()
			err := error(nil)
			for range 1000 {
				if err = out.Write(lines(0, 1000)); err != nil && !errors.As(err, new(*Stalled)) {
					break
				}
			}
			var stopped *Stopped
			if !errors.As(err, &stopped) || stopped.Reason != "the receiver is gone" &&
				stopped.Reason != "its reader is gone" {
				t.Fatalf("the error is %v", err)
			}
			if err := out.Close([]byte(tail)); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
}

// TestReasonOfReceiver proves that the reason of a receiver that stops is the recorder's error, also in the middle of a
// write.
func TestReasonOfReceiver(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		for _, late := range []bool{false, true} {
			address, other := listener(t, network)
			d := Description{TCP: address}
			if network == "unix" {
				d = Description{Unix: address}
			}
			out, socket := connected(t, d, other)
			if err := give(out, lines(0, 100)); err != nil {
				t.Fatal(err)
			}
			socket.(net.Conn).Write([]byte(AnswerStopped + "the disk is \x1b[31mfull\n"))
			socket.Close() // without reading what was sent
			var err error
			for range 1000 {
				if err = give(out, lines(0, 1000)); late || err != nil {
					break
				}
			}
			if closing := out.Close([]byte(tail)); late && err == nil {
				err = closing
			}
			if err == nil || !strings.HasSuffix(err.Error(), ": the receiver has stopped: the disk is [31mfull") {
				t.Errorf("%s, late=%v: the error is %v", network, late, err)
			}
		}
	}
}

// TestUnconfirmed proves that Close returns an error if the receiver closes the connection without a confirmation.
func TestUnconfirmed(t *testing.T) {
	address, other := listener(t, "tcp")
	out, socket := connected(t, Description{TCP: address}, other)
	go func() {
		io.Copy(io.Discard, socket)
		socket.Close()
	}()
	if err := out.Close([]byte(tail)); err == nil ||
		!strings.HasSuffix(err.Error(), "the receiver has not confirmed that it has the whole trace") {
		t.Errorf("the error is %v", err)
	}
}

// TestSlowEnd proves that Close has a time limit if the other end accepts nothing.
func TestSlowEnd(t *testing.T) {
	for _, far := range fars {
		t.Run(far.name, func(t *testing.T) {
			out, other := far.open(t)
			defer other.Close()
			out.closeTimeout = 5 * time.Millisecond
			if err := give(out, lines(0, 10)); err != nil {
				t.Fatal(err)
			}
			ending := bytes.Repeat([]byte(tail), 500_000) // larger than any buffer
			if err := out.Close(ending); err == nil ||
				!strings.Contains(err.Error(), "the end of the trace is missing") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestStreamSize proves that --max-size limits streams, too; their ending is not counted.
func TestStreamSize(t *testing.T) {
	var out bytes.Buffer
	s := open(t, Description{File: Standard, Stdout: &out, MaxSize: 5000})
	var err error
	written := []byte(head)
	for err = s.Write(written); err == nil; err = s.Write(lines(0, 10)) {
		written = append(written, lines(0, 10)...)
	}
	if closing := s.Close([]byte(tail)); closing != nil {
		t.Error(closing)
	}
	if want := "the standard output: " + sizeReached; err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	whole(t, out.Bytes(), written, 4000)
	if out.Len() > 5000+len(tail) {
		t.Errorf("%d bytes were written", out.Len())
	}
}

// TestRefused proves that a receiver's answer to a greeting is in the error.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ answer, want string }{
		{"refused: the token is not that of trcx listen\n",
			"cannot be written: the receiver refuses: the token is not that of trcx listen"},
		{"HTTP/1.1 400 Bad Request\r\n\r\n",
			`the program that listens there does not answer as trcx listen does ("HTTP/1.1 400 Bad Request")`},
		{"\x1b]0;title\x07\n", `does not answer as trcx listen does ("]0;title")`},
		{"", "does not answer as trcx listen does (EOF)"},
		{strings.Repeat("x", 2*MaxLine), "does not answer as trcx listen does (bufio: buffer full)"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			socket, err := l.Accept()
			if err != nil {
				return
			}
			bufio.NewReader(socket).ReadString('\n')
			socket.Write([]byte(c.answer))
			socket.Close()
		}()
		if _, err := Open(Description{TCP: l.Addr().String()}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: the error is %v, want …%s…", c.answer, err, c.want)
		}
		l.Close()
	}
}

// TestTokenSent proves that the description's token is in the greeting.
func TestTokenSent(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	greetings := make(chan string, 1)
	go func() {
		defer close(greetings)
		if socket, err := l.Accept(); err == nil {
			line, _ := bufio.NewReader(socket).ReadString('\n') // a missing line fails below
			greetings <- line
			socket.Write([]byte("ok\n"))
			io.Copy(io.Discard, socket)
			socket.Write([]byte("done\n"))
			socket.Close()
		}
	}()
	out := open(t, Description{TCP: l.Addr().String(), Token: "secret", PID: 4711, Host: "web 1/ö"})
	if got, want := <-greetings, "trcx-stream 1 secret 4711 web_1__\n"; got != want {
		t.Errorf("the greeting is %q, want %q", got, want)
	}
	if err := out.Close([]byte(tail)); err != nil {
		t.Error(err)
	}
}
