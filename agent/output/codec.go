package output

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

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
