package output

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Greeting is the line by which a recorder introduces itself to a receiver. The document follows it.
type Greeting struct {
	Token string // "" if there is none
	PID   int    // of the recorded process, above 0
	Host  string // as cleanHost makes it
}

// The answers of a receiver: a line each, those with a reason followed by it. The first two come before the trace, the
// others when it ends.
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

// cleanHost returns a host name that is safe in file names and messages: ASCII letters, digits and -._, the first no
// dot and no minus, at most 255 bytes.
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
