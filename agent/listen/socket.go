package listen

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/trcx/trcx/agent/output"
)

// Unsafe is the error for an address that other machines could send to without a token.
type Unsafe struct{ Address string }

func (e *Unsafe) Error() string {
	return fmt.Sprintf(
		"%s is reachable from other machines, which needs a token: give it in a file or in the variable %s",
		e.Address, output.TokenVariable)
}

// Invalid is the error for a text that is not an address or a socket's path.
type Invalid struct{ reason string }

func (e *Invalid) Error() string { return e.reason }

// checkTCP returns an error if the text is not a host and a port.
func checkTCP(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return &Invalid{fmt.Sprintf("%s is not an address; write host:port, such as %s", address, output.DefaultAddress)}
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return &Invalid{fmt.Sprintf("%s is no port; there are those from 0 to 65535, 0 being a free one", port)}
	}
	return nil
}

// keepAlive finds recorders whose machine or network is gone within a minute: after 45 seconds plus the delay of the
// system's timers. A silent recorder is not closed.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 10 * time.Second, Count: 3}

// unconfirmed is the limit of waiting for the confirmation of an answer. While an answer is unconfirmed, Linux sends no
// keep-alive probes. Probes do not end a connection before this time, so it is shorter than all probes together.
const unconfirmed = 40 * time.Second

// listenTCP listens on an address, which without a token must be a loopback address.
func listenTCP(address, token string) (net.Listener, error) {
	if err := checkTCP(address); err != nil {
		return nil, err
	}
	where, err := net.ResolveTCPAddr("tcp", address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w", address, err)
	case token == "" && !output.Loopback(where.String()):
		return nil, &Unsafe{address}
	}
	config := net.ListenConfig{KeepAliveConfig: keepAlive, Control: limitUnconfirmed}
	config.SetMultipathTCP(false) // Linux has no limit of unconfirmed answers for it
	listener, err := config.Listen(context.Background(), "tcp", where.String())
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf(
			"%s is in use, perhaps by another trcx listen; choose another address, such as 127.0.0.1:0 "+
				"for a free one", address)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", address, inner(err))
	}
	return listener, nil
}

// inner returns the reason of a socket's error.
func inner(err error) error {
	if at, ok := errors.AsType[*net.OpError](err); ok {
		return at.Err
	}
	return err
}

// socketFile is a listener on a socket in the file system. Close removes the socket unless it was replaced.
type socketFile struct {
	net.Listener
	path string
	own  os.FileInfo
}

// longestSocket is the limit of a socket's path on all systems, in bytes.
const longestSocket = 103

// listenUnix listens on a socket that is accessible to its owner alone. A socket without a listener is replaced, a file
// never.
func listenUnix(path string) (net.Listener, error) {
	if len(path) > longestSocket {
		return nil, &Invalid{fmt.Sprintf("%s is too long for a socket's path: the limit is %d bytes", path,
			longestSocket)}
	}
	if err := clear(path); err != nil {
		return nil, err
	}
	config := net.ListenConfig{Control: private}
	listener, err := config.Listen(context.Background(), "unix", output.UnixAddress(path))
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w", path, inner(err))
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	own, err := os.Lstat(path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		listener.Close()
		return nil, err
	}
	return &socketFile{listener, path, own}, nil
}

// clear removes a socket without a listener.
func clear(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&os.ModeSocket == 0:
		return fmt.Errorf("%s exists and is not a socket; name another path", path)
	}
	other, err := net.DialTimeout("unix", output.UnixAddress(path), time.Second)
	if err == nil {
		other.Close()
		return fmt.Errorf("%s is in use, perhaps by another trcx listen; name another path", path)
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("%s cannot be replaced: %w", path, inner(err))
	}
	return os.Remove(path)
}

// Close ends listening and removes the socket.
func (s *socketFile) Close() error {
	err := s.Listener.Close()
	if now, gone := os.Lstat(s.path); gone == nil && os.SameFile(now, s.own) {
		err = errors.Join(err, os.Remove(s.path))
	}
	return err
}
