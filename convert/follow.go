package convert

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// Follow makes the files that are added later be read while they grow. Such a file ends when ended reports that the
// recording is over and nothing more has come for a while, when the context is done, or when the file has become
// shorter. The goroutine that reads calls ended. Add waits for the first bytes of a file. A zip cannot be followed, for
// its central directory is at its end.
func (i *Inputs) Follow(ctx context.Context, ended func() bool) { i.follow = &following{ctx, ended} }

// Followable returns why the input cannot be followed, as far as that shows before more of it is written; else nil. The
// error is an *InputError.
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
	case info.Mode()&os.ModeNamedPipe != 0: // to open it is to wait
		return nil
	case !info.Mode().IsRegular():
		return errors.New("this is neither a file nor a pipe, and cannot be followed")
	}
	file, err := os.Open(name)
	if err != nil {
		return plainError(err)
	}
	defer file.Close()
	var head [4]byte
	if n, _ := file.ReadAt(head[:], 0); isZip(head[:n]) {
		return errFollowedZip
	}
	return nil
}

// The errors for inputs that cannot be read as they are named.
var (
	errDirectory   = errors.New("this is a directory; name the files in it")
	errFollowedZip = errors.New("a zip cannot be followed: its central directory is at its end")
)

// following is how files are followed.
type following struct {
	ctx   context.Context
	ended func() bool
}

// lookAgain is how often a file is looked at that has not grown. Recorders write at least that often.
const lookAgain = 100 * time.Millisecond

// atEnd is how long nothing must come of a recording that is over: its end need not be written at once.
const atEnd = time.Second

// growing reads a file that is still being written.
type growing struct {
	*following
	file   *os.File
	offset int64
	grew   time.Time // when something came last
}

// Read waits for more at the end of the file.
func (g *growing) Read(p []byte) (int, error) {
	for {
		// asked first: what came until then is there
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

// shrunk reports whether the file has become shorter than what was read of it.
func (g *growing) shrunk() bool {
	info, err := g.file.Stat()
	return err != nil || info.Size() < g.offset
}
