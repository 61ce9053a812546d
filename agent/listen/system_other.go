//go:build !unix

package listen

import (
	"math"
	"syscall"
)

// private does nothing on systems where sockets have no mode.
func private(_, _ string, _ syscall.RawConn) error { return nil }

// limitUnconfirmed does nothing on systems where this is not implemented.
func limitUnconfirmed(_, _ string, _ syscall.RawConn) error { return nil }

// outliveSizeLimit does nothing on systems without such a limit.
func outliveSizeLimit() {}

// openFiles returns the largest number, because these systems have no limit.
func openFiles() int { return math.MaxInt }
