//go:build unix

package listen

import (
	"math"
	"os/signal"
	"runtime"
	"syscall"
)

// private makes a socket's file accessible to its owner alone from the start, on systems that copy the socket's mode.
// On others the mode is set later.
func private(_, _ string, socket syscall.RawConn) error {
	return socket.Control(func(descriptor uintptr) { _ = syscall.Fchmod(int(descriptor), 0o600) })
}

// tcpUserTimeout is TCP_USER_TIMEOUT of Linux.
const tcpUserTimeout = 0x12

// limitUnconfirmed sets the limit for connections that a listening socket accepts, on Linux. A kernel without it has a
// limit of a quarter of an hour.
func limitUnconfirmed(_, _ string, socket syscall.RawConn) error {
	if runtime.GOOS != "linux" {
		return nil
	}
	return socket.Control(func(descriptor uintptr) {
		_ = syscall.SetsockoptInt(int(descriptor), syscall.IPPROTO_TCP, tcpUserTimeout, int(unconfirmed.Milliseconds()))
	})
}

// outliveSizeLimit makes a write beyond the process's limit of file sizes (ulimit -f) fail, instead of ending the
// process.
func outliveSizeLimit() { signal.Ignore(syscall.SIGXFSZ) }

// openFiles returns the limit of the process's open files.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt
	}
	return int(min(limit.Cur, math.MaxInt32))
}
