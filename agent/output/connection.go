package output

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// DefaultAddress is where trcx listen waits unless it is told otherwise.
const DefaultAddress = "127.0.0.1:7411"

// connection is the channel to a receiver.
type connection struct {
	net.Conn
	answers *bufio.Reader
}

// errNeedsToken is the error for an address of another machine and no token. Whoever is there would get the trace.
var errNeedsToken = errors.New(
	"this is no loopback address, and there is no token; give the token of the receiver, or send the trace " +
		"through a tunnel")

// connect connects to a receiver and introduces the recorder.
func connect(d *Description) (Outlet, error) {
	network, address := "tcp", d.TCP
	if d.Unix != "" {
		network, address = "unix", UnixAddress(d.Unix)
	} else if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return nil, errors.New("this is no address; write host:port, such as " + DefaultAddress)
	}
	dialer := net.Dialer{Timeout: farewell}
	if d.Token == "" {
		dialer.Control = onlyLoopback
	}
	socket, err := dialer.Dial(network, address)
	if err != nil {
		return nil, explain(err)
	}
	c := &connection{Conn: socket, answers: bufio.NewReaderSize(socket, MaxLine)}
	if err := c.greet(d.greeting()); err != nil {
		socket.Close()
		return nil, err
	}
	return d.stream(c, "the receiver is gone"), nil
}

// UnixAddress is the address of a socket in the file system, even where the path looks like another kind of address.
func UnixAddress(path string) string {
	if strings.HasPrefix(path, "@") {
		return "./" + path
	}
	return path
}

// onlyLoopback refuses, before it is connected to, an address of another machine.
func onlyLoopback(network, address string, _ syscall.RawConn) error {
	if network == "unix" || Loopback(address) {
		return nil
	}
	return errNeedsToken
}

// Loopback says whether an IP address with port is reached from this machine only.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	host, _, _ = strings.Cut(host, "%")
	return err == nil && net.ParseIP(host).IsLoopback()
}

// explain says why there is no connection, and what to do.
func explain(err error) error {
	var at *net.OpError
	var timeout net.Error
	switch {
	case errors.Is(err, errNeedsToken):
		return errNeedsToken
	case errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOENT):
		return errors.New("nobody listens there; start trcx listen first")
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf(
			"nobody has answered for %v; is trcx listen at work there, and does a firewall let it be reached?",
			farewell)
	case errors.As(err, &at):
		return at.Err
	}
	return err
}

func (d *Description) greeting() *Greeting {
	g := &Greeting{Token: d.Token, PID: d.PID, Host: d.Host}
	if g.PID == 0 {
		g.PID = os.Getpid()
	}
	if g.Host == "" {
		g.Host, _ = os.Hostname() // without a name it is unknown
	}
	g.Host = CleanHost(g.Host)
	return g
}

// greet introduces the recorder and waits until the receiver is ready.
func (c *connection) greet(g *Greeting) error {
	if err := c.SetDeadline(time.Now().Add(farewell)); err != nil {
		return plain(err)
	}
	_, unsent := c.Write([]byte(g.String())) // the answer may say why
	line, err := c.line()
	if reason, ok := strings.CutPrefix(line, AnswerRefused); ok {
		return fmt.Errorf("the receiver refuses: %s", reason)
	}
	if line != AnswerTaken {
		return fmt.Errorf("who listens there does not answer as trcx listen does (%w)",
			errors.Join(unsent, err, wrongAnswer(line)))
	}
	return c.SetDeadline(time.Time{})
}

func wrongAnswer(line string) error {
	if line == "" {
		return nil
	}
	return fmt.Errorf("%.60q", line)
}

// line reads an answer; what is no text in it is left out.
func (c *connection) line() (string, error) {
	line, err := c.answers.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, string(line))), nil
}

// answer is why the receiver has stopped, if it has said so.
func (c *connection) answer() string {
	if c.SetReadDeadline(time.Now().Add(patience)) != nil {
		return ""
	}
	line, err := c.line()
	if reason, ok := strings.CutPrefix(line, AnswerStopped); err == nil && ok {
		return "the receiver has stopped: " + reason
	}
	return ""
}

// SetWriteDeadline sets the deadline also for the answer that Close waits for.
func (c *connection) SetWriteDeadline(deadline time.Time) error { return c.SetDeadline(deadline) }

// Close ends the trace and waits for the receiver to say that it has everything.
func (c *connection) Close() error {
	defer c.Conn.Close()
	half, ok := c.Conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return errors.New("the receiver is gone")
	}
	line, err := c.line()
	if reason, ok := strings.CutPrefix(line, AnswerStopped); ok {
		return fmt.Errorf("the receiver has stopped: %s", reason)
	}
	if err != nil || line != AnswerDone {
		return errors.New("the receiver has not confirmed that it has the whole trace")
	}
	return nil
}
