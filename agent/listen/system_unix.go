//go:build unix

package listen

import (
	"os/signal"
	"syscall"
)

// private makes a socket's file be created for its owner alone, where the system takes the mode from the socket;
// elsewhere the mode is set a moment later.
func private(_, _ string, socket syscall.RawConn) error {
	return socket.Control(func(descriptor uintptr) { _ = syscall.Fchmod(int(descriptor), 0o600) })
}

// outliveSizeLimit has a write beyond the size that the system allows for files (ulimit -f) fail, instead of ending the
// process.
func outliveSizeLimit() { signal.Ignore(syscall.SIGXFSZ) }
