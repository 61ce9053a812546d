//go:build linux || darwin || freebsd || netbsd || openbsd

package tempfile

import (
	"os"
	"syscall"
)

// lock locks the file until it is closed. It reports false if another process has locked it, or the file system has no
// locks.
func lock(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
