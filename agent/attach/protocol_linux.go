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

// The limits of the protocol's version 1, which all HotSpots since JDK 6 know.
const (
	protocolVersion = "1"
	maxArguments    = 3
	maxArgument     = 1024 // bytes
)

const (
	// answerPatience is how long a JVM may need to do what it is asked to.
	answerPatience = 60 * time.Second
	// maxAnswer is how many bytes of an answer are read; that on load has a few hundred.
	maxAnswer = 16 << 20
)

// badVersion is the code by which a JVM refuses the protocol's version.
const badVersion = 101

// answer is what a JVM says to a request.
type answer struct {
	code int // 0 for well
	text string
}

// encode makes a request: the version, the command and three arguments, each with a zero byte behind it.
func encode(command string, arguments ...string) ([]byte, error) {
	if len(arguments) > maxArguments {
		return nil, fmt.Errorf("a JVM takes %d arguments, not %d", maxArguments, len(arguments))
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
			return nil, fmt.Errorf("a JVM takes options and paths of %d bytes, not of %d; use shorter file names",
				maxArgument, len(argument))
		case strings.IndexByte(argument, 0) >= 0:
			return nil, errors.New("a zero byte cannot be a part of options and paths")
		}
		request = append(append(request, argument...), 0)
	}
	return request, nil
}

// execute asks the JVM to do something.
func (t *target) execute(ctx context.Context, command string, arguments ...string) (answer, error) {
	request, err := encode(command, arguments...)
	if err != nil {
		return answer{}, err
	}
	conn, err := t.connect(ctx)
	if err != nil {
		return answer{}, err
	}
	defer conn.Close()
	waiting, cancel := context.WithTimeout(ctx, answerPatience)
	defer cancel()
	text, err := exchange(waiting, conn, request)
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return answer{}, ctx.Err()
	case waiting.Err() != nil:
		return answer{}, t.noAnswer()
	case err != nil || len(text) == 0:
		return answer{}, t.hungUp(err)
	}
	return parseAnswer(text)
}

// exchange sends the request and reads all that comes.
func exchange(ctx context.Context, conn *net.UnixConn, request []byte) ([]byte, error) {
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(conn, maxAnswer))
}

// noAnswer is the error for a JVM that was connected to and says nothing.
func (t *target) noAnswer() error {
	s, err := readStatus(t.PID)
	switch {
	case err != nil || !t.alive():
		return t.ended()
	case s.stopped():
		return fmt.Errorf("%v is stopped and cannot answer; kill -CONT %d lets it go on", t, t.PID)
	}
	return fmt.Errorf("%v has been asked, and has not answered in time; it may still do what it was asked to", t)
}

// hungUp is the error for a connection that the JVM has closed without an answer.
func (t *target) hungUp(err error) error {
	for range 20 { // a process that ends closes its sockets a little before
		if !t.alive() {
			return t.ended()
		}
		time.Sleep(10 * time.Millisecond)
	}
	switch {
	case err == nil || errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET):
		return fmt.Errorf("%v has hung up without an answer, as it does to those who are not of its user and group, "+
			"nor root in its container; run trcx as user %d (sudo -u '#%d' trcx …)", t, t.UID, t.UID)
	}
	return fmt.Errorf("the connection to %v broke: %w", t, bare(err))
}

// parseAnswer reads an answer: a line with a code, then text.
func parseAnswer(text []byte) (answer, error) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	code, err := strconv.Atoi(string(bytes.TrimSpace(first)))
	if err != nil {
		return answer{}, fmt.Errorf("the JVM's answer is not understood: %.80q", text)
	}
	if code == badVersion {
		return answer{}, fmt.Errorf("the JVM does not know version %s of the attach protocol", protocolVersion)
	}
	return answer{code, string(rest)}, nil
}

// loaded reads the answer to load: nil if the agent is in the JVM and has said 0. What the agent has said stands behind
// "return code:", or alone in old JVMs. That a library cannot be loaded is told by code and text in JDK 17, by the text
// alone, with code 0, in JDK 25.
func (a answer) loaded(jvm JVM) error {
	text := strings.TrimSpace(a.text)
	said, ok := strings.CutPrefix(text, "return code:")
	if code, err := strconv.Atoi(strings.TrimSpace(said)); a.code == 0 && err == nil {
		if code != 0 {
			return &AgentError{jvm, code}
		}
		return nil
	} else if ok || text == "" {
		return fmt.Errorf("the agent could not be loaded into %v, which says no more than code %d and %.80q", jvm,
			a.code, text)
	}
	const longest = 400
	return fmt.Errorf("the agent could not be loaded into %v: %.*s", jvm, longest, strings.Join(strings.Fields(text),
		" "))
}
