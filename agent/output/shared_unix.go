//go:build unix

package output

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// shared is an open file that other processes write, too, such as the JVM's standard output. They share its mode, so it
// is polled before each write, and no write exceeds what a pipe accepts as a whole.
//
// Writes bypass os.File, which ends the process at a broken pipe on the standard output.
type shared struct {
	file     syscall.RawConn
	deadline time.Time
}

// pipeSpace is the free space of a pipe that is writable, in bytes.
const pipeSpace = 4096

func newShared(file *os.File) channel {
	raw, err := file.SyscallConn()
	if err != nil {
		return buffer{file}
	}
	return &shared{file: raw}
}

func (s *shared) SetWriteDeadline(deadline time.Time) error {
	s.deadline = deadline
	return nil
}

func (s *shared) Close() error { return nil }

func (s *shared) Write(text []byte) (n int, err error) {
	failed := s.file.Control(func(descriptor uintptr) {
		for n < len(text) && err == nil {
			var written int
			if err = s.await(int(descriptor)); err == nil {
				written, err = unix.Write(int(descriptor), text[n:min(len(text), n+pipeSpace)])
			}
			n += max(written, 0)
			if err == unix.EINTR || err == unix.EAGAIN {
				err = nil
			}
		}
	})
	return n, errors.Join(failed, err)
}

// await waits until the file is writable or a write would return an error.
func (s *shared) await(descriptor int) error {
	left := time.Until(s.deadline)
	if left <= 0 {
		return os.ErrDeadlineExceeded
	}
	// One more millisecond, because a poll of less than one does not wait.
	ready, err := unix.Poll([]unix.PollFd{{Fd: int32(descriptor), Events: unix.POLLOUT}}, int(left.Milliseconds())+1)
	if err == nil && ready == 0 {
		return os.ErrDeadlineExceeded
	}
	return err
}

// lock keeps two recordings from writing the same file. Where files cannot be locked it does nothing.
func lock(file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK {
		return errors.New("another recording writes this file; name another one for each JVM")
	}
	return nil
}
