package output

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Writer writes the text of a trace to its destination. It is used by one goroutine.
type Writer interface {
	// Write writes whole lines. When it returns nil, the operating system has them. The error is *Stalled if the other
	// end is slow; then the lines that were not written can be passed again. It is *Stopped if nothing more can be
	// written.
	Write(lines []byte) error
	// Close writes ending, the lines that end the document, and closes the destination. In a file, the last lines are
	// overwritten if ending does not fit otherwise, so that the document is whole, also after Write has failed. Close
	// returns errors that Write has not returned.
	Close(ending []byte) error
}

// Replacer is a Writer whose ending can replace lines that Write accepted.
type Replacer interface {
	Writer
	// Replaced returns these lines, after Close.
	Replaced() []byte
}

// Description is the destination of a trace: one of File, TCP and Unix.
type Description struct {
	// File is a file's name; "-" is the standard output. A name that ends in .gz or .zst is compressed.
	File string
	// New requires that the file does not exist yet; the error is then os.ErrExist. Otherwise the file is replaced.
	New bool
	// Name is the name of File or Unix in messages, if it is not the path.
	Name string
	// TCP is a receiver's host:port, Unix the path of its socket.
	TCP, Unix string
	// Token is the receiver's token; see ReadToken. Without it, only addresses of this machine are connected to.
	Token string
	// PID and Host are sent to the receiver; 0 and "" mean this process and this machine.
	PID  int
	Host string
	// MaxSize is the limit of bytes written, if above 0. A stream's ending is not counted.
	MaxSize int64
	// Stdout is the standard output, for the file "-".
	Stdout io.Writer
}

// LeastSize is the smallest MaxSize, in bytes: the beginning of a trace and its ending must fit.
const LeastSize = 4096

// The names of the standard output.
const (
	Standard       = "-"
	standardDevice = "/dev/stdout"
)

// String returns the destination's name for messages.
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

// Open opens the destination. A file is written in place, at once.
func Open(d Description) (Writer, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	var (
		out Writer
		err error
	)
	switch {
	case d.TCP != "" || d.Unix != "":
		out, err = connect(&d)
	case d.File == Standard || d.File == standardDevice:
		out = d.stream(standard(d.Stdout), "its reader is gone")
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
		return errors.New("no destination is given; name a file or a receiver's address")
	case named > 1:
		return errors.New("several destinations are given; name one: a file, a TCP address or a Unix socket")
	case d.MaxSize < 0 || d.MaxSize > 0 && d.MaxSize < LeastSize:
		return fmt.Errorf("a trace does not fit in %d bytes; allow at least %d", d.MaxSize, LeastSize)
	}
	return nil
}

// open opens a file of any kind.
func (d *Description) open() (Writer, error) {
	info, err := os.Stat(d.File)
	switch {
	case err != nil || info.Mode().IsRegular():
		return d.openFile()
	case d.New:
		return nil, os.ErrExist
	case info.IsDir():
		return nil, errors.New("this is a directory; name a file in it")
	case info.Mode()&os.ModeSocket != 0:
		return nil, fmt.Errorf("this is a socket; write unix=%s to send the trace to its receiver", d)
	case info.Mode()&os.ModeNamedPipe != 0:
		return d.openPipe()
	}
	file, err := os.OpenFile(d.File, os.O_WRONLY, 0)
	if err != nil {
		return nil, plain(err)
	}
	return d.stream(file, "it accepts no more"), nil
}

// openFile opens a regular file, unless another recording is writing it.
func (d *Description) openFile() (Writer, error) {
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

// codecFor returns the compression of a file with this name, or nil.
func codecFor(name string) codec {
	if open := codecs[filepath.Ext(name)]; open != nil {
		return open()
	}
	return nil
}

// plain returns an error without the file's name, which the message already has.
func plain(err error) error {
	if at, ok := errors.AsType[*os.PathError](err); ok {
		return at.Err
	}
	return err
}

// Stalled is Write's error if the other end accepts no more for now.
type Stalled struct {
	// Written is the number of bytes that need not be passed again. It is at the end of a line.
	Written int
}

func (e *Stalled) Error() string { return "the other end is slow" }

// Stopped is the error of a destination that accepts no more.
type Stopped struct {
	Name   string // of the output
	Reason string // for people
	Err    error  // of the system, or nil
	// Written is the number of bytes in the file of the lines that Write did not accept. It is final after Close: the
	// ending may have replaced some of them.
	Written int
}

func (e *Stopped) Error() string { return e.Name + ": " + e.Reason }

// Unwrap returns the operating system's error.
func (e *Stopped) Unwrap() error { return e.Err }

// orNil returns e as an error, or nil if it is a nil pointer.
func (e *Stopped) orNil() error {
	if e == nil {
		return nil
	}
	return e
}

// reasons has plain names for system errors.
var reasons = []struct {
	err    error
	reason string
}{
	{syscall.ENOSPC, "the disk is full"},
	{syscall.EDQUOT, "the disk quota is used up"},
	{syscall.EFBIG, "the file must not become larger (ulimit -f)"},
	{syscall.EIO, "the disk has failed"},
}

const sizeReached = "the size that the trace may have is reached"

// reasonOf returns, for people, the reason why nothing could be written.
func reasonOf(err error) string {
	for _, known := range reasons {
		if errors.Is(err, known.err) {
			return known.reason
		}
	}
	return plain(err).Error()
}

// codec compresses each batch of lines to a member that can be decompressed by itself.
type codec interface {
	// member returns the compressed lines, valid until the next call.
	member(lines []byte) []byte
	// lines returns the lines of whole members, one after the other.
	lines(members []byte) ([]byte, error)
}

// codecs are the file name endings that select compression.
var codecs = map[string]func() codec{
	".gz":  func() codec { return newGzip() },
	".zst": func() codec { return newZstd() },
}

// Compressed reports whether files with this ending, such as .gz, are compressed.
func Compressed(ending string) bool { return codecs[ending] != nil }

type gzipCodec struct {
	writer *gzip.Writer
	out    bytes.Buffer
}

func newGzip() *gzipCodec {
	writer, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level exists
	}
	return &gzipCodec{writer: writer}
}

func (c *gzipCodec) member(lines []byte) []byte {
	c.out.Reset()
	c.writer.Reset(&c.out)
	c.writer.Write(lines) //nolint:errcheck // a buffer accepts everything
	c.writer.Close()
	return c.out.Bytes()
}

func (c *gzipCodec) lines(members []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(members))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}

type zstdCodec struct {
	encoder *zstd.Encoder
	out     []byte
}

// window is the size of zstd's history, in bytes. Batches are rarely longer; a larger one would only cost memory.
const window = 256 << 10

func newZstd() *zstdCodec {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options are right
	}
	return &zstdCodec{encoder: encoder}
}

func (c *zstdCodec) member(lines []byte) []byte {
	c.out = c.encoder.EncodeAll(lines, c.out[:0])
	return c.out
}

func (c *zstdCodec) lines(members []byte) ([]byte, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	return decoder.DecodeAll(members, nil)
}
