package output

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Outlet takes the text of a trace. One goroutine uses it.
type Outlet interface {
	// Write takes whole lines. When it returns nil they are with the operating system. The error is *Stalled if the
	// other end is slow, and what was not taken can be given again, or *Stopped if no more can be written, now or
	// later.
	Write(lines []byte) error
	// Close writes the lines that end the document and closes the outlet. Of a file, as many of the last lines give way
	// as the ending needs room, so that the file is whole, also after Write has failed. The error tells what Write has
	// not told yet.
	Close(ending []byte) error
}

// Description says where a trace is to go: one of File, TCP and Unix.
type Description struct {
	// File is the name of a file; "-" is the standard output. By the endings .gz and .zst it is compressed.
	File string
	// New says that the file must not exist yet; else what is there is replaced. The error is os.ErrExist.
	New bool
	// Name is how messages call the File or the Unix socket, if not by its path.
	Name string
	// TCP is host:port of a receiver, Unix the path of its socket.
	TCP, Unix string
	// Token is what the receiver asks for, see ReadToken. Without it only addresses of this machine are connected to.
	Token string
	// PID and Host are what the receiver is told; 0 and "" stand for this process and this machine.
	PID  int
	Host string
	// MaxSize is how many bytes are written at most, if above 0. In a stream the ending comes on top.
	MaxSize int64
	// Stdout is the standard output, for the file "-".
	Stdout io.Writer
}

// LeastSize is the smallest MaxSize: the preamble of a trace and its ending have to find room.
const LeastSize = 4096

// The names of the standard output.
const (
	Standard       = "-"
	standardDevice = "/dev/stdout"
)

// String is the name by which messages call the outlet.
func (d *Description) String() string {
	switch {
	case d.TCP != "":
		return "tcp " + d.TCP
	case d.Unix != "":
		return "unix " + cmp.Or(d.Name, d.Unix)
	case d.File == Standard || d.File == standardDevice:
		return "the standard output"
	}
	return cmp.Or(d.Name, d.File)
}

// Open opens the outlet. What is written to a file goes there at once, in place.
func Open(d Description) (Outlet, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	var (
		out Outlet
		err error
	)
	switch {
	case d.TCP != "" || d.Unix != "":
		out, err = connect(&d)
	case d.File == Standard || d.File == standardDevice:
		out = d.stream(standard(d.Stdout), "nobody reads it any more")
	default:
		out, err = d.open()
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", &d, err)
	}
	return out, nil
}

func (d *Description) check() error {
	named := 0
	for _, name := range []string{d.File, d.TCP, d.Unix} {
		if name != "" {
			named++
		}
	}
	switch {
	case named == 0:
		return errors.New("it is not said where the trace is to go; name a file, or the receiver's address")
	case named > 1:
		return errors.New("a trace goes to one place; name a file, a TCP address or a Unix socket")
	case d.MaxSize < 0 || d.MaxSize > 0 && d.MaxSize < LeastSize:
		return fmt.Errorf("a trace does not fit in %d bytes; allow at least %d", d.MaxSize, LeastSize)
	}
	return nil
}

// open opens a file of any kind.
func (d *Description) open() (Outlet, error) {
	info, err := os.Stat(d.File)
	switch {
	case err != nil || info.Mode().IsRegular():
		return d.openFile()
	case d.New:
		return nil, os.ErrExist
	case info.IsDir():
		return nil, errors.New("this is a directory; name a file in it")
	case info.Mode()&os.ModeSocket != 0:
		return nil, fmt.Errorf("this is a socket; write unix=%s to send the trace to who listens there", d)
	case info.Mode()&os.ModeNamedPipe != 0:
		return d.openPipe()
	}
	file, err := os.OpenFile(d.File, os.O_WRONLY, 0)
	if err != nil {
		return nil, plain(err)
	}
	return d.stream(file, "it takes no more"), nil
}

// openFile opens a regular file, which nobody else may be recording to.
func (d *Description) openFile() (Outlet, error) {
	flags := os.O_RDWR | os.O_CREATE
	if d.New {
		flags |= os.O_EXCL
	}
	opened, err := os.OpenFile(d.File, flags, 0o600)
	if err != nil {
		return nil, plain(err)
	}
	if err := lock(opened); err != nil {
		opened.Close()
		return nil, err
	}
	if err := opened.Truncate(0); err != nil {
		opened.Close()
		return nil, plain(err)
	}
	return newFile(opened, d.String(), codecFor(d.File), d.MaxSize), nil
}

// codecFor is how a file of the name is compressed, or nil.
func codecFor(name string) codec {
	if open := codecs[filepath.Ext(name)]; open != nil {
		return open()
	}
	return nil
}

// plain is an error without the name of the file, which is said elsewhere.
func plain(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Stalled is the error of a Write for which the other end has no room now.
type Stalled struct {
	// Taken is how many bytes of the lines need not be given again. It is the end of a line.
	Taken int
}

func (e *Stalled) Error() string { return "the other end is slow" }

// Stopped is the error of an outlet that takes no more.
type Stopped struct {
	Name   string // of the outlet
	Reason string // for people
	Err    error  // of the system, or nil
}

func (e *Stopped) Error() string { return e.Name + ": " + e.Reason }

// Unwrap gives the system's error.
func (e *Stopped) Unwrap() error { return e.Err }

// reasons are the errors that have a plain name.
var reasons = []struct {
	err    error
	reason string
}{
	{syscall.ENOSPC, "the disk is full"},
	{syscall.EDQUOT, "the disk quota is used up"},
	{syscall.EFBIG, "the file must not become larger (ulimit -f)"},
	{syscall.EIO, "the disk has failed"},
}

const sizeReached = "the size that --max-size allows is reached"

// reasonOf says for people why nothing could be written.
func reasonOf(err error) string {
	for _, known := range reasons {
		if errors.Is(err, known.err) {
			return known.reason
		}
	}
	return plain(err).Error()
}
