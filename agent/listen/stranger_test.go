package listen

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/internal/admission"
)

// admit limits the connections without the token of a server that was not started. The tests' recorders are in the
// server's process and may have to wait for a processor.
func (b *bench) admit(strangers int) {
	b.server.limit = admission.NewLimit(strangers, b.server.options.MaxConnections)
	b.server.patience, b.server.grace = time.Second, time.Second
}

// refused returns the number of connections without a valid greeting in the first minute.
func (b *bench) refused() int {
	b.server.refusals.mu.Lock()
	defer b.server.refusals.mu.Unlock()
	return b.server.refusals.count
}

// attack opens connections to the server, and each again when it is closed, until stop is called.
func (b *bench) attack(connections int, attack func(net.Conn)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var attackers sync.WaitGroup
	address := b.server.listeners[0].Addr()
	for range connections {
		attackers.Go(func() {
			for ctx.Err() == nil {
				socket, err := net.Dial(address.Network(), address.String())
				if err != nil {
					continue // there are too many
				}
				end := context.AfterFunc(ctx, func() { socket.Close() })
				attack(socket)
				end()
				socket.Close()
			}
		})
	}
	return func() {
		cancel()
		attackers.Wait()
	}
}

// send is the attack that sends texts one by one until the connection is closed; their results do not matter.
func send(texts ...string) func(net.Conn) {
	return func(socket net.Conn) {
		for _, text := range texts {
			if _, err := io.WriteString(socket, text); err != nil {
				return
			}
		}
		io.Copy(io.Discard, socket)
	}
}

// slowly sends one byte after the other.
func slowly(socket net.Conn) {
	for range output.MaxLine / 2 {
		if _, err := io.WriteString(socket, "t"); err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// record sends a whole trace with the token.
func (b *bench) record(pid int) error {
	out, err := output.Open(b.description(output.Description{Token: "secret", PID: pid}))
	if err != nil {
		return err
	}
	return out.Close([]byte(head + tail))
}

// TestStrangers proves that endlessly renewed connections without the token keep out no recorder with the token.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		name                string
		places, connections int
		attack              func(net.Conn)
	}{
		{"silent", 64, 64, send()},
		{"more silent ones than places", 64, 100, send()},
		{"slow", 64, 64, slowly},
		{"slow, more than places", 64, 100, slowly},
		{"wrong token", 64, 64, send("trcx-stream 1 guess 1 web\n")},
		{"no token", 64, 64, send("trcx-stream 1 - 1 web\n")},
		{"half a greeting", 64, 100, send("trcx-stream 1 ")},
		{"endless greeting", 64, 4, send(strings.Repeat("t", 1<<20), strings.Repeat("t", 1<<20))},
		{"closed at once", 64, 64, func(socket net.Conn) {
			socket.(*net.TCPConn).CloseWrite()
			send()(socket)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := prepare(t, Options{Pattern: "%p", Token: "secret", MaxConnections: 1})
			b.admit(c.places)
			b.start()
			defer b.attack(c.connections, c.attack)()
			for pid := 1; pid <= 20 || b.refused() < c.places; pid++ {
				err := b.record(pid)
				for try := 0; try < 20 && err != nil && strings.Contains(err.Error(), "try again"); try++ {
					err = b.record(pid) // its greeting was late on a busy machine
				}
				if err != nil {
					t.Fatalf("recorder %d: %v", pid, err)
				}
				if got := b.file(fmt.Sprint(pid)); got != head+tail {
					t.Fatalf("the trace of recorder %d is %q", pid, got)
				}
			}
		})
	}
}

// TestReset proves that connections that are reset before they are accepted keep out no recorder.
func TestReset(t *testing.T) {
	b := prepare(t, Options{Pattern: "%p", Token: "secret"})
	b.admit(8)
	for range 500 {
		socket := b.raw("")
		if err := socket.(*net.TCPConn).SetLinger(0); err != nil {
			t.Fatal(err)
		}
		socket.Close()
	}
	b.start()
	if err := b.record(1); err != nil {
		t.Error(err)
	}
}

// TestDisplaced proves that a new connection displaces the oldest one without a greeting, which gets the reason, but
// none with a greeting.
func TestDisplaced(t *testing.T) {
	b := prepare(t, Options{Pattern: "%p", Token: "secret"})
	b.admit(2)
	b.server.patience, b.server.grace = time.Hour, 10*time.Millisecond
	b.start()
	first, second := b.raw("trcx-stream 1 sec"), b.raw("")
	third := b.raw("")
	if got := refusal(t, first); got !=
		"refused: no greeting was received before too many other connections came; try again\n" {
		t.Errorf("the first is answered %q", got)
	}
	b.says("^! 127.0.0.1:[0-9]+: refused: no greeting was received before too many other connections")
	greet(t, second, 2)
	fourth := b.raw("")
	greet(t, third, 3)
	for range 4 {
		defer b.raw("").Close()
	}
	refusal(t, fourth)
	for _, socket := range []net.Conn{second, third} {
		if _, err := io.WriteString(socket, head+tail); err != nil {
			t.Error(err)
		}
		if err := socket.(*net.TCPConn).CloseWrite(); err != nil {
			t.Error(err)
		}
		if got := answered(t, socket); got != "done\n" {
			t.Errorf("a displaced recorder is answered %q", got)
		}
	}
}

// greet sends a greeting and waits until it is accepted.
func greet(t *testing.T, socket net.Conn, pid int) {
	t.Helper()
	if _, err := fmt.Fprintf(socket, "trcx-stream 1 secret %d web\n", pid); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, len("ok\n"))
	if _, err := io.ReadFull(socket, answer); err != nil || string(answer) != "ok\n" {
		t.Fatalf("recorder %d is answered %q, %v", pid, answer, err)
	}
}

// TestGreetingOfDisplaced proves that a recorder whose greeting has arrived is accepted even if the server has not read
// it when the connection is displaced.
func TestGreetingOfDisplaced(t *testing.T) {
	for range 5 {
		b := prepare(t, Options{Pattern: "%p"})
		b.admit(1)
		b.server.patience = time.Hour
		socket := b.raw("trcx-stream 1 - 1 web\n" + head + tail)
		if err := socket.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			defer b.raw("").Close()
		}
		b.start()
		if got := answered(t, socket); got != "ok\ndone\n" {
			t.Fatalf("the answers are %q", got)
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
	}
}

// TestPatience proves that a connection without a whole greeting is closed in time, but not a recorder, however long it
// is silent.
func TestPatience(t *testing.T) {
	b := prepare(t, Options{Pattern: "%p"})
	b.server.patience = 20 * time.Millisecond
	b.start()
	out := b.recorder(output.Description{PID: 1})
	const want = "refused: no greeting was received within 20ms\n"
	for range 3 { // each takes at least that long
		if got := refusal(t, b.raw("trcx-stream 1 - 2")); got != want {
			t.Errorf("half a greeting is answered %q", got)
		}
	}
	slow := b.raw("")
	done := make(chan struct{})
	go func() { slowly(slow); close(done) }()
	if got := refusal(t, slow); got != want {
		t.Errorf("a slow greeting is answered %q", got)
	}
	<-done
	if err := out.Close([]byte(head + tail)); err != nil {
		t.Errorf("the silent recorder: %v", err)
	}
	if got := b.file("1"); got != head+tail {
		t.Errorf("its file is %q", got)
	}
}

// TestRefusalsCounted proves that connections without a valid greeting cause few lines, and a number at the end.
func TestRefusalsCounted(t *testing.T) {
	b := serve(t, Options{Pattern: "%p", Token: "secret", MaxConnections: 1})
	for range maxLogged + 5 {
		refusal(t, b.raw("trcx-stream 1 guess 1 web\n"))
	}
	out := b.recorder(output.Description{Token: "secret"})
	if err := b.record(1); err == nil || !strings.HasSuffix(err.Error(), " receives at most 1 trace at a time") {
		t.Errorf("the recorder above the limit: %v", err)
	}
	if err := out.Close([]byte(head + tail)); err != nil {
		t.Error(err)
	}
	if err := b.end(); err != nil {
		t.Error(err)
	}
	strangers := 0
	for _, line := range b.lines() {
		if strings.HasSuffix(line, "the token is not that of trcx listen") {
			strangers++
		}
	}
	if strangers != maxLogged {
		t.Errorf("%d lines are about connections without the token", strangers)
	}
	b.says(`^! 127\.0\.0\.1:[0-9]+: refused: trcx listen receives at most 1 trace at a time$`)
	b.says("^! 5 more connections were refused, none with a valid greeting$")
}

// TestRefusalPeriods proves that each period has its own limit and reports the previous period.
func TestRefusalPeriods(t *testing.T) {
	var r refusals
	at := time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)
	add := func(times int) (logged int, before []int) {
		for range times {
			is, unlogged := r.add(at)
			if is {
				logged++
			}
			if unlogged > 0 {
				before = append(before, unlogged)
			}
		}
		return logged, before
	}
	if logged, before := add(maxLogged + 7); logged != maxLogged || before != nil {
		t.Errorf("%d are logged, of before %d", logged, before)
	}
	at = at.Add(refusalPeriod - 1)
	if logged, before := add(2); logged != 0 || before != nil {
		t.Errorf("at the end of the period %d are logged, of before %d", logged, before)
	}
	at = at.Add(1)
	if logged, before := add(3); logged != 3 || !slices.Equal(before, []int{9}) {
		t.Errorf("in the next period %d are logged, of before %d", logged, before)
	}
	at = at.Add(2 * refusalPeriod)
	if logged, before := add(maxLogged + 1); logged != maxLogged || before != nil || r.end() != 1 || r.end() != 0 {
		t.Errorf("in the last period %d are logged, of before %d", logged, before)
	}
}

// failing is a listener whose first connections cannot be accepted.
type failing struct {
	net.Listener
	left atomic.Int64
}

func (f *failing) Accept() (net.Conn, error) {
	if f.left.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
	}
	return f.Listener.Accept()
}

func (f *failing) Close() error {
	f.left.Store(0)
	return f.Listener.Close()
}

// TestAcceptFails proves that a lack of open files neither ends the server nor occupies it.
func TestAcceptFails(t *testing.T) {
	for times, recovery := range map[int64]time.Duration{3: time.Millisecond, 1 << 40: time.Hour} {
		b := prepare(t, Options{Pattern: "%p", Token: "secret"})
		listener := &failing{Listener: b.server.listeners[0]}
		listener.left.Store(times)
		b.server.listeners[0], b.server.recovery = listener, recovery
		b.start()
		b.says("^! a connection could not be accepted: " + syscall.EMFILE.Error() + "$")
		want := 1
		if times == 3 {
			if err := b.record(1); err != nil {
				t.Error(err)
			}
			want = 3 + len([]string{"process 1 on", "complete"})
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
		if log := b.lines(); len(log) != want {
			t.Errorf("%d times: the log is %.1000q", times, log)
		}
	}
}
