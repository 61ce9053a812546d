//go:build !unix

package listen

import "syscall"

// private does nothing where sockets have no mode.
func private(_, _ string, _ syscall.RawConn) error { return nil }

// outliveSizeLimit does nothing where there is no such limit.
func outliveSizeLimit() {}
