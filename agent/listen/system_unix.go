//go:build unix

package listen

import (
	"os/signal"
	"syscall"
)

// private makes a socket's file accessible to its owner alone from the start, on systems that copy the socket's mode.
// On others the mode is set later.
func private(_, _ string, socket syscall.RawConn) error {
	return socket.Control(func(descriptor uintptr) { _ = syscall.Fchmod(int(descriptor), 0o600) })
}

// outliveSizeLimit makes a write beyond the process's limit of file sizes (ulimit -f) fail, instead of ending the
// process.
func outliveSizeLimit() { signal.Ignore(syscall.SIGXFSZ) }
