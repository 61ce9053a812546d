//go:build !unix

package listen

import "syscall"

// private does nothing on systems where sockets have no mode.
func private(_, _ string, _ syscall.RawConn) error { return nil }

// outliveSizeLimit does nothing on systems without such a limit.
func outliveSizeLimit() {}
