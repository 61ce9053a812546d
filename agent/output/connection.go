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

// DefaultAddress is the default address of trcx listen.
const DefaultAddress = "127.0.0.1:7411"

// connection is a channel to a receiver.
type connection struct {
	net.Conn
	answers *bufio.Reader
}

// errNeedsToken is the error for another machine's address without a token: any process there could get the trace.
var errNeedsToken = errors.New(
	"this is no loopback address, and there is no token; give the token of the receiver, or send the trace " +
		"through a tunnel")

// connect connects to a receiver and sends the greeting.
func connect(d *Description) (Writer, error) {
	network, address := "tcp", d.TCP
	if d.Unix != "" {
		network, address = "unix", UnixAddress(d.Unix)
	} else if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return nil, errors.New("this is not an address; write host:port, such as " + DefaultAddress)
	}
	dialer := net.Dialer{Timeout: closeTimeout}
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

// UnixAddress returns the address of a socket in the file system, also where the path looks like an abstract one.
func UnixAddress(path string) string {
	if strings.HasPrefix(path, "@") {
		return "./" + path
	}
	return path
}

// onlyLoopback refuses another machine's address before the connection is made.
func onlyLoopback(network, address string, _ syscall.RawConn) error {
	if network == "unix" || Loopback(address) {
		return nil
	}
	return errNeedsToken
}

// Loopback reports whether only this machine can reach an IP address with port.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	host, _, _ = strings.Cut(host, "%")
	return err == nil && net.ParseIP(host).IsLoopback()
}

// explain returns an error that says why there is no connection and what to do.
func explain(err error) error {
	var at *net.OpError
	var timeout net.Error
	switch {
	case errors.Is(err, errNeedsToken):
		return errNeedsToken
	case errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOENT):
		return errors.New("no receiver listens there; start trcx listen first")
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Errorf(
			"no answer within %v; check that trcx listen runs there and that no firewall blocks it",
			closeTimeout)
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
	g.Host = cleanHost(g.Host)
	return g
}

// greet sends the greeting and waits until the receiver is ready.
func (c *connection) greet(g *Greeting) error {
	if err := c.SetDeadline(time.Now().Add(closeTimeout)); err != nil {
		return plain(err)
	}
	_, unsent := c.Write([]byte(g.String())) // the answer may say why
	line, err := c.line()
	if reason, ok := strings.CutPrefix(line, AnswerRefused); ok {
		return fmt.Errorf("the receiver refuses: %s", reason)
	}
	if line != AnswerReady {
		return fmt.Errorf("the program that listens there does not answer as trcx listen does (%w)",
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

// line reads an answer, without characters that are no text.
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

// answer returns the receiver's reason for stopping, or "".
func (c *connection) answer() string {
	if c.SetReadDeadline(time.Now().Add(writeTimeout)) != nil {
		return ""
	}
	line, err := c.line()
	if reason, ok := strings.CutPrefix(line, AnswerStopped); err == nil && ok {
		return "the receiver has stopped: " + reason
	}
	return ""
}

// SetWriteDeadline sets the deadline of writes and of the answer that Close waits for.
func (c *connection) SetWriteDeadline(deadline time.Time) error { return c.SetDeadline(deadline) }

// Close ends the trace and waits until the receiver confirms that it has everything.
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
