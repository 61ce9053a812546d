package attach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The limits of the protocol's version 1, which HotSpot supports since JDK 6.
const (
	protocolVersion = "1"
	maxArguments    = 3
	maxArgument     = 1024 // bytes
)

const (
	// answerTimeout is the limit of waiting for a JVM's answer.
	answerTimeout = 60 * time.Second
	// maxAnswer is the limit of an answer's length in bytes. The answer to load has a few hundred, a thread dump some
	// thousand per thread.
	maxAnswer = 256 << 20
)

// badVersion is the code of a JVM that does not support the protocol's version.
const badVersion = 101

// answer is a JVM's answer to a request.
type answer struct {
	code int // 0 for success
	text string
}

// encode returns a request: the version, the command and three arguments, each followed by a zero byte.
func encode(command string, arguments ...string) ([]byte, error) {
	if len(arguments) > maxArguments {
		return nil, fmt.Errorf("a JVM accepts %d arguments, not %d", maxArguments, len(arguments))
	}
	request := append([]byte(protocolVersion), 0)
	request = append(append(request, command...), 0)
	for i := range maxArguments {
		argument := ""
		if i < len(arguments) {
			argument = arguments[i]
		}
		switch {
		case len(argument) > maxArgument:
			return nil, fmt.Errorf("a JVM accepts options and paths of %d bytes, not of %d; use shorter file names",
				maxArgument, len(argument))
		case strings.IndexByte(argument, 0) >= 0:
			return nil, errors.New("a zero byte cannot be a part of options and paths")
		}
		request = append(append(request, argument...), 0)
	}
	return request, nil
}

// execute sends a command to the JVM and returns its answer. It waits for at most answerTimeout.
func (t *target) execute(ctx context.Context, command string, arguments ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	return t.executeWithin(ctx, command, arguments...)
}

// executeWithin is execute for a command that may take longer: until ctx is done.
func (t *target) executeWithin(ctx context.Context, command string, arguments ...string) (answer, error) {
	request, err := encode(command, arguments...)
	if err != nil {
		return answer{}, err
	}
	conn, err := t.connect(ctx)
	if err != nil {
		return answer{}, err
	}
	defer conn.Close()
	text, err := exchange(ctx, conn, request)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return answer{}, ctx.Err()
	case ctx.Err() != nil:
		return answer{}, t.noAnswer()
	case err != nil || len(text) == 0:
		return answer{}, t.hungUp(err)
	case len(text) == maxAnswer:
		return answer{}, fmt.Errorf("the answer of %v is longer than %d bytes", t, maxAnswer)
	}
	return parseAnswer(text)
}

// exchange sends the request and reads the answer until the JVM closes the connection.
func exchange(ctx context.Context, conn *net.UnixConn, request []byte) ([]byte, error) {
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(conn, maxAnswer))
}

// noAnswer returns the error for a JVM that has accepted the connection and does not answer in time.
func (t *target) noAnswer() error {
	if err := t.checkRunning(); err != nil {
		return err
	}
	return fmt.Errorf("%v has not answered within %v, as if a debugger held its threads; it may still execute the request",
		t, answerTimeout)
}

// hungUp returns the error for a connection that the JVM has closed without an answer.
func (t *target) hungUp(err error) error {
	for range 20 { // a process closes its sockets a little before it ends
		if !t.alive() {
			return t.ended()
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err == nil || errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) {
		return fmt.Errorf("%v has closed the connection without an answer, as it does for other users and groups "+
			"than its own and root; run trcx as user %d (sudo -u '#%d' trcx …)", t, t.UID, t.UID)
	}
	return fmt.Errorf("the connection to %v broke: %w", t, bare(err))
}

// parseAnswer parses an answer: a line with a code, then text.
func parseAnswer(text []byte) (answer, error) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	code, err := strconv.Atoi(string(bytes.TrimSpace(first)))
	if err != nil {
		return answer{}, fmt.Errorf("the JVM's answer cannot be parsed: %.80q", text)
	}
	if code == badVersion {
		return answer{}, fmt.Errorf("the JVM does not support version %s of the attach protocol", protocolVersion)
	}
	return answer{code, string(rest)}, nil
}

// reason returns the last line of an answer, in which a JVM says why it has not executed the command.
func (a answer) reason() string {
	lines := strings.Split(strings.TrimSpace(a.text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return fmt.Sprintf("%.400s", last)
	}
	return fmt.Sprintf("code %d", a.code)
}

// tooEarly reports whether the JVM answers load with the remark that it is still starting.
func (a answer) tooEarly() bool { return strings.Contains(a.text, "only permitted in the live phase") }

// loaded parses the answer to load: nil if Agent_OnAttach has returned 0. Its return value follows "return code:", or
// is alone in old JVMs. For a library that cannot be loaded, JDK 17 returns a code and a text, JDK 25 the code 0 and a
// text.
func (a answer) loaded(jvm JVM) error {
	text := strings.TrimSpace(a.text)
	said, ok := strings.CutPrefix(text, "return code:")
	if code, err := strconv.Atoi(strings.TrimSpace(said)); a.code == 0 && err == nil {
		if code != 0 {
			return &AgentError{JVM: jvm, Code: code}
		}
		return nil
	} else if ok || text == "" {
		return fmt.Errorf("the agent could not be loaded into %v: code %d, %.80q", jvm, a.code, text)
	}
	const longest = 400
	return fmt.Errorf("the agent could not be loaded into %v: %.*s", jvm, longest, strings.Join(strings.Fields(text),
		" "))
}
