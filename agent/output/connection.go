package output

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
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

// UnixAddress returns the address of a socket in the file system, even if the path looks like an abstract one.
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
			"no answer within %v; check that trcx listen runs there and that no firewall blocks it", closeTimeout)
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
		g.Host, _ = os.Hostname() // "" makes it unknown
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

// line reads an answer and removes characters that are not text.
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

// Greeting is the line by which a recorder introduces itself to a receiver. The document follows it.
type Greeting struct {
	Token string // "" for none
	PID   int    // of the recorded process, above 0
	Host  string // as cleanHost makes it
}

// The answers of a receiver, a line each; the reason, if any, follows the word. The first two come before the trace,
// the others when it ends.
const (
	AnswerReady   = "ok"
	AnswerRefused = "refused: "
	AnswerDone    = "done" // the whole trace has been written
	AnswerStopped = "stopped: "
)

const (
	protocol = "trcx-stream"
	version  = "1"
	noToken  = "-"
	maxToken = 256
	maxHost  = 255
	// MaxLine is the limit of a greeting's or an answer's length, in bytes.
	MaxLine = 4096
)

// String returns the line.
func (g *Greeting) String() string {
	token := g.Token
	if token == "" {
		token = noToken
	}
	return fmt.Sprintf("%s %s %s %d %s\n", protocol, version, token, g.PID, g.Host)
}

// ParseGreeting parses a greeting of any origin, with or without the end of the line.
func ParseGreeting(line string) (*Greeting, error) {
	fields := strings.Split(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), " ")
	switch {
	case fields[0] != protocol:
		return nil, errors.New("this is not a recorder's greeting")
	case len(fields) < 2 || fields[1] != version:
		return nil,
			errors.New("the recorder uses another version of the protocol; use trcx and an agent of the same version")
	case len(fields) != 5:
		return nil, errors.New("the greeting must have the form: trcx-stream 1 TOKEN PID HOST")
	}
	g := &Greeting{Token: fields[2], Host: fields[4]}
	if g.Token == noToken {
		g.Token = ""
	} else if err := checkToken(g.Token); err != nil {
		return nil, err
	}
	pid, err := strconv.ParseInt(fields[3], 10, 32)
	if err != nil || pid < 1 || fields[3] != strconv.FormatInt(pid, 10) {
		return nil, errors.New("the greeting has no process number")
	}
	if g.Host == "" || cleanHost(g.Host) != g.Host {
		return nil, errors.New("the greeting has no host name")
	}
	g.PID = int(pid)
	return g, nil
}

// cleanHost returns a host name that is safe in file names and messages: ASCII letters, digits and -._, not a dot or
// minus first, at most 255 bytes.
func cleanHost(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._", r) {
			return r
		}
		return '_'
	}, name)
	clean = strings.TrimLeft(clean, "-.")
	if clean == "" {
		return "unknown"
	}
	return clean[:min(len(clean), maxHost)]
}

// TokenVariable is the environment variable with the token, used if no option gives one.
const TokenVariable = "TRCX_TOKEN"

// ReadToken returns the token: the given one, else the content of the file, else the value of the environment variable,
// else "".
func ReadToken(given, file string) (string, error) {
	token, from := given, "the token"
	switch {
	case given != "" && file != "":
		return "", errors.New("the token is given twice; omit the token or its file")
	case file != "":
		text, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("the token cannot be read: %w", err)
		}
		token, from = strings.TrimRight(string(text), "\r\n"), "the token in "+file
		if token == "" {
			return "", fmt.Errorf("%s is empty", from)
		}
	case given == "":
		token, from = os.Getenv(TokenVariable), "the token in "+TokenVariable
	}
	if token == "" {
		return "", nil
	}
	if err := checkToken(token); err != nil {
		return "", fmt.Errorf("%s cannot be used: %w", from, err)
	}
	return token, nil
}

func checkToken(token string) error {
	wrong := func(r rune) bool { return r <= ' ' || r > '~' }
	if token == "" || token == noToken || len(token) > maxToken || strings.ContainsFunc(token, wrong) {
		return fmt.Errorf("a token has 1 to %d printable ASCII characters without spaces, and is not a lone minus",
			maxToken)
	}
	return nil
}

// SameToken compares tokens in constant time.
func SameToken(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
