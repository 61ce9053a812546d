//go:build unix

package output

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// shared is an open file that others write as well, such as the standard output of the JVM. What it is like, whether
// its writes wait, is theirs too. So it is asked whether there is room before each write, and no more is written than a
// pipe takes as a whole.
//
// It is written past os.File, which ends the process when the standard output is a broken pipe.
type shared struct {
	file     syscall.RawConn
	deadline time.Time
}

// pipeRoom is the room in a pipe that is not full.
const pipeRoom = 4096

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
				written, err = unix.Write(int(descriptor), text[n:min(len(text), n+pipeRoom)])
			}
			n += max(written, 0)
			if err == unix.EINTR || err == unix.EAGAIN {
				err = nil
			}
		}
	})
	return n, errors.Join(failed, err)
}

// await waits until there is room, or an error to be had from writing.
func (s *shared) await(descriptor int) error {
	left := time.Until(s.deadline)
	if left <= 0 {
		return os.ErrDeadlineExceeded
	}
	// One more millisecond, for a poll of less than one does not wait.
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
