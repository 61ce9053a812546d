package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// openPipe opens a named pipe once somebody reads it.
func (d *Description) openPipe() (Outlet, error) {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		pipe, err := os.OpenFile(d.File, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		switch {
		case err == nil:
			return d.stream(pipe, "nobody reads the pipe any more"), nil
		case !errors.Is(err, syscall.ENXIO):
			return nil, plain(err)
		case time.Since(began) > farewell:
			return nil, fmt.Errorf("nobody has opened this pipe for reading for %v; start its reader first", farewell)
		}
	}
}

// standard is the channel to the standard output, which stays open.
func standard(out io.Writer) channel {
	if file, ok := out.(*os.File); ok {
		return newShared(file)
	}
	return buffer{out}
}

// buffer is a channel that is never slow.
type buffer struct{ io.Writer }

func (buffer) SetWriteDeadline(time.Time) error { return os.ErrNoDeadline }
func (buffer) Close() error                     { return nil }
