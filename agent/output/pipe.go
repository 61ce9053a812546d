package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// openPipe opens a named pipe when a reader has opened it.
func (d *Description) openPipe() (Writer, error) {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		pipe, err := os.OpenFile(d.File, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		switch {
		case err == nil:
			return d.stream(pipe, "the pipe's reader is gone"), nil
		case !errors.Is(err, syscall.ENXIO):
			return nil, plain(err)
		case time.Since(began) > closeTimeout:
			return nil, fmt.Errorf("no program has opened this pipe for reading within %v; start its reader first",
				closeTimeout)
		}
	}
}

// standard returns a channel to the standard output, which stays open.
func standard(out io.Writer) channel {
	if file, ok := out.(*os.File); ok {
		return newShared(file)
	}
	return buffer{out}
}

// buffer is a channel that never stalls.
type buffer struct{ io.Writer }

func (buffer) SetWriteDeadline(time.Time) error { return os.ErrNoDeadline }
func (buffer) Close() error                     { return nil }
