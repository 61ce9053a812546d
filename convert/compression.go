package convert

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// The limits of decompressed data: above 64 MiB at most 200 times the compressed size. Heaps are full of zeros, so a
// binary heap dump may have 2,000 times its compressed size as long as its records are whole.
const (
	freeSize     = 64 << 20
	maxRatio     = 200
	maxDumpRatio = 2000
)

// decompress opens stored data, which may be compressed.
func (i *Inputs) decompress(stored io.Reader) (io.ReadCloser, error) {
	counted := &counter{in: stored, total: &i.read}
	head, whole, err := peek(counted, 4)
	switch {
	case err != nil:
		return nil, err
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		in, err := i.gunzip(whole)
		if err != nil {
			return nil, fmt.Errorf("the gzip data cannot be opened: %w", err)
		}
		return &bounded{in: in, close: in.Close, budget: &budget{limit: i.limit}, stored: counted.count}, nil
	case isBzip2(head):
		return i.bunzip2(whole, counted)
	case isZstd(head):
		in, err := zstd.NewReader(whole, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, fmt.Errorf("the zstd data cannot be opened: %w", err)
		}
		return &bounded{in: in, close: func() error { in.Close(); return nil }, budget: &budget{limit: i.limit},
			stored: counted.count}, nil
	}
	return io.NopCloser(whole), nil
}

// peek reads the first n bytes, or all if there are fewer, and returns the whole text again.
func peek(in io.Reader, n int) (head []byte, whole io.Reader, err error) {
	head = make([]byte, n)
	n, err = io.ReadFull(in, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, nil, plainError(err)
	}
	return head[:n], io.MultiReader(bytes.NewReader(head[:n]), in), nil
}

// isZstd reports whether data begins with a zstd frame or a skippable frame, which pzstd writes first.
func isZstd(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")) ||
		len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18"
}

// bzip2Head is the size of the beginning of bzip2 data: the size of its blocks, and the mark of the first one.
const bzip2Head = 10

// isBzip2 reports whether data begins, as far as it is known, like a bzip2 stream with a block.
func isBzip2(head []byte) bool {
	const mark = "\x31\x41\x59\x26\x53\x59"
	return len(head) >= 4 && string(head[:3]) == "BZh" && head[3] >= '1' && head[3] <= '9' &&
		strings.HasPrefix(mark, string(head[4:min(len(head), bzip2Head)]))
}

// bunzip2 opens bzip2 data, or other data that begins like it.
func (i *Inputs) bunzip2(in io.Reader, counted *counter) (io.ReadCloser, error) {
	head, whole, err := peek(in, bzip2Head)
	if err != nil {
		return nil, err
	}
	if !isBzip2(head) {
		return io.NopCloser(whole), nil
	}
	return &bounded{in: bzip2.NewReader(whole), close: func() error { return nil }, budget: &budget{limit: i.limit},
		stored: counted.count}, nil
}

// gunzip opens gzip data. In a growing file, each member is returned before waiting for the next one.
func (i *Inputs) gunzip(stored io.Reader) (io.ReadCloser, error) {
	if i.follow == nil {
		return gzip.NewReader(stored)
	}
	m := &members{stored: bufio.NewReader(stored)}
	var err error
	if m.Reader, err = gzip.NewReader(m.stored); err != nil {
		return nil, err
	}
	m.Multistream(false)
	return m, nil
}

// members reads the members of gzip data, one after the other.
type members struct {
	*gzip.Reader
	stored *bufio.Reader
	over   bool // the current member has ended
}

// Read begins the next member only when the current one is over.
func (m *members) Read(p []byte) (int, error) {
	if m.over {
		if err := m.Reset(m.stored); err != nil {
			return 0, err // io.EOF after the last member
		}
		m.Multistream(false)
		m.over = false
	}
	n, err := m.Reader.Read(p)
	if err == io.EOF {
		m.over, err = true, nil
	}
	return n, err
}

// maxWindow is how far zstd data may refer back.
const maxWindow = 32 << 20

// counter counts the bytes that are read.
type counter struct {
	in    io.Reader
	n     int64
	total *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	c.total.Add(int64(n))
	if err != nil && err != io.EOF {
		err = &readError{err}
	}
	return n, err
}

// readError is an error of the reader from which an input comes.
type readError struct{ error }

func (e *readError) Unwrap() error { return e.error }

func (c *counter) count() int64 { return c.n }

// tooLarge is the error for compressed data that becomes suspiciously large. The reason names optionMaxInput.
type tooLarge struct{ Reason string }

// OptionName returns the limit that can be raised, as the error's text names it.
func (e *tooLarge) OptionName() string { return optionMaxInput }

func (e *tooLarge) Error() string { return e.Reason }

// budget limits the decompressed data of one input, all its entries together.
type budget struct {
	limit  int64 // in bytes, if above 0
	n      int64 // decompressed bytes so far
	before int64 // compressed bytes of the entries so far
}

// bounded reads decompressed data up to the limit of its budget.
type bounded struct {
	in     io.Reader
	close  func() error
	budget *budget
	stored func() int64  // compressed bytes read so far, beyond the budget's own
	read   *atomic.Int64 // receives the progress if the compressed bytes are not counted
	whole  int64         // all compressed bytes, added at the end
	isDump bool          // the text is a binary heap dump whose records are whole so far
}

// allowDump sets whether the opened text is a binary heap dump whose records are whole so far.
func allowDump(text io.Reader, is bool) {
	switch text := text.(type) {
	case opened:
		if closer, ok := text.Closer.(io.Reader); ok {
			allowDump(closer, is)
		}
	case *decompressed:
		allowDump(text.ReadCloser, is)
	case *bounded:
		text.isDump = is
	}
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	b.budget.n += int64(n)
	stored, ratio := b.budget.before+b.stored(), int64(maxRatio)
	if b.isDump {
		ratio = maxDumpRatio
	}
	switch all := b.budget.n; {
	case b.budget.limit > 0 && all > b.budget.limit:
		return 0, &tooLarge{fmt.Sprintf("more than %d bytes when decompressed ("+optionMaxInput+")", b.budget.limit)}
	case b.budget.limit <= 0 && all > freeSize && all > ratio*stored:
		return 0, &tooLarge{fmt.Sprintf("the compressed data grows to more than %d times its size, at %d bytes; if that "+
			"is right, allow it with "+optionMaxInput, ratio, all)}
	}
	if err == io.EOF && b.isDump && b.budget.limit <= 0 { // later entries must not profit from a dump's zeros
		b.budget.n = min(b.budget.n, maxRatio*stored)
	}
	if err == io.EOF && b.read != nil {
		b.read.Add(b.whole)
		b.read = nil
	}
	return n, err
}

func (b *bounded) Close() error { return b.close() }

// isDamage reports whether a read error means damaged or cut off data, and not a problem of the file, the reader or a
// limit.
func isDamage(err error) bool {
	var large *tooLarge
	var file *os.PathError
	var reader *readError
	return !errors.As(err, &large) && !errors.As(err, &file) && !errors.As(err, &reader)
}

// Follow makes files that are added later be read while they grow. Such a file ends when ended reports that the
// recording is over and nothing more has come for a while, when the context is done, or when the file has become
// shorter. The reading goroutine calls ended. Add waits for the first bytes of a file. A zip cannot be followed,
// because its central directory is at its end.
func (i *Inputs) Follow(ctx context.Context, ended func() bool) { i.follow = &following{ctx, ended} }

// Followable returns an *InputError if the input cannot be followed, as far as this is known before more of it is
// written.
func Followable(name string) error {
	if name == Stdin {
		return nil
	}
	if err := followable(name); err != nil {
		return &InputError{name, err}
	}
	return nil
}

func followable(name string) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return plainError(err)
	case info.IsDir():
		return errDirectory
	case info.Mode()&os.ModeNamedPipe != 0: // opening it would wait
		return nil
	case !info.Mode().IsRegular():
		return errors.New("this is neither a file nor a pipe, and cannot be followed")
	}
	file, err := os.Open(name)
	if err != nil {
		return plainError(err)
	}
	defer file.Close()
	if startsAsZip(file) {
		return errFollowedZip
	}
	return nil
}

// The errors for inputs that cannot be read under the given name.
var (
	errDirectory   = errors.New("this is a directory; name the files in it")
	errFollowedZip = errors.New("a zip cannot be followed: its central directory is at its end")
)

// following has the parameters of Follow.
type following struct {
	ctx   context.Context
	ended func() bool
}

// lookAgain is the interval at which a file is checked for growth. Recorders write at least that often.
const lookAgain = 100 * time.Millisecond

// atEnd is how long a finished recording must be silent until its file is complete: its end may be written late.
const atEnd = time.Second

// growing reads a file that is still being written.
type growing struct {
	*following
	file   *os.File
	offset int64
	grew   time.Time // when the last bytes came
}

// Read waits for more at the end of the file.
func (g *growing) Read(p []byte) (int, error) {
	for {
		// asked before reading, so that the read gets everything until then
		over := g.ctx.Err() != nil || g.ended() && time.Since(g.grew) > atEnd
		n, err := g.file.ReadAt(p, g.offset)
		g.offset += int64(n)
		switch {
		case n > 0:
			g.grew = time.Now()
			return n, nil
		case err != nil && err != io.EOF:
			return 0, err
		case over || g.shrunk():
			return 0, io.EOF
		}
		select {
		case <-g.ctx.Done():
		case <-time.After(lookAgain):
		}
	}
}

// shrunk reports whether the file has become shorter than the part that was read.
func (g *growing) shrunk() bool {
	info, err := g.file.Stat()
	return err != nil || info.Size() < g.offset
}
