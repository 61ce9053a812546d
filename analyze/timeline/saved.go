package timeline

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/trace"
)

// A saved index is the file of blocks, then everything that an Index has in memory, then a tail with its offset:
//
//	magic | blocks | rest | offset of the rest (8 bytes), its length (8), its CRC-32 (4) | magic
//
// All numbers of the tail are little-endian. The rest has the sum of each block, which is checked when the block is
// read: checking all of them first would take time in proportion to the file. Anyone may have written the file, so
// sizes are checked against its content.

// magic names the format and its version, which rises with each change of the format.
const (
	magicName = "trcx timeline "
	magic     = magicName + "14\n"
)

const tailSize = 8 + 8 + 4 + len(magic)

// errNotSaved is the error for a file that is not a saved index, has another version, or is damaged.
var errNotSaved = errors.New("not an index of this version")

// Damaged is the error for an index with a block that differs from what was written.
type Damaged struct {
	Name string // of the file, "" if the index is not saved
	file *os.File
}

func (e *Damaged) Error() string {
	if e.Name == "" {
		return "the temporary file of the index is damaged"
	}
	return "the index " + e.Name + " is damaged: delete it, and it will be rebuilt"
}

// Remove removes the file, so that it is made anew, unless another file has its name by now.
func (e *Damaged) Remove() error {
	damaged, err := e.file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(e.Name)
	if err == nil && os.SameFile(named, damaged) {
		err = os.Remove(e.Name)
	}
	if errors.Is(err, os.ErrNotExist) { // another process was faster
		return nil
	}
	return err
}

func (x *Index) damaged() error { return &Damaged{x.saved, x.file} }

// Save moves the file of the index to the name, so that Open finds it there. It keeps the facts by their names; Open
// returns them. The index can be read as before.
func (x *Index) Save(name string, facts map[string][]byte) error {
	if err := x.writeRest(facts); err != nil {
		return err
	}
	if err := os.Rename(x.file.Name(), name); err != nil {
		return err
	}
	x.saved = name
	return nil
}

// writeRest writes the part after the blocks.
func (x *Index) writeRest(facts map[string][]byte) error {
	c := &codec{out: x.out}
	c.index(x)
	c.facts(&facts)
	c.flush()
	tail := binary.LittleEndian.AppendUint64(nil, uint64(x.size))
	tail = binary.LittleEndian.AppendUint64(tail, c.written)
	tail = binary.LittleEndian.AppendUint32(tail, c.sum)
	x.out.Write(append(tail, magic...)) // an error stays until the flush
	return x.out.Flush()
}

// Open opens a saved index, and returns the facts kept with it. The part of it that has to be in memory may have at
// most the given number of bytes; in memory it takes a few times as much.
func Open(name string, most int64) (*Index, map[string][]byte, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // opening a pipe would wait
		return nil, nil, errNotSaved
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	x, facts, err := open(file, most)
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	x.saved = name
	return x, facts, nil
}

// IsSaved reports whether the named file has an index, of this version or another one.
func IsSaved(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(magicName))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == magicName
}

func open(file *os.File, most int64) (*Index, map[string][]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	size, tail := info.Size(), make([]byte, tailSize)
	if size < int64(len(magic)+tailSize) {
		return nil, nil, errNotSaved
	}
	if _, err := file.ReadAt(tail, size-int64(tailSize)); err != nil {
		return nil, nil, err
	}
	offset, length := binary.LittleEndian.Uint64(tail), binary.LittleEndian.Uint64(tail[8:])
	if string(tail[20:]) != magic || length > uint64(min(size, most)) ||
		offset != uint64(size)-uint64(tailSize)-length {
		return nil, nil, errNotSaved
	}
	rest := make([]byte, length)
	if _, err := file.ReadAt(rest, int64(offset)); err != nil {
		return nil, nil, err
	}
	if crc32.ChecksumIEEE(rest) != binary.LittleEndian.Uint32(tail[16:]) {
		return nil, nil, errNotSaved
	}
	x, facts, ok := decoded(rest, int64(offset))
	if !ok {
		x.spill.Close()
		return nil, nil, errNotSaved
	}
	x.file = file
	return x, facts, nil
}

// decoded returns the index with the rest, which follows blocks of the given size in bytes.
func decoded(rest []byte, size int64) (x *Index, facts map[string][]byte, ok bool) {
	x = &Index{lanes: map[trace.ThreadKey]*lane{}, spill: tempfile.NewSpill("", "trcx-threads-*"),
		blockFile: blockFile{out: bufio.NewWriter(io.Discard), size: size, flushed: size}}
	x.threads.Keep(x.spill)
	x.names.Keep(x.spill)
	c := &codec{text: rest, reading: true}
	c.index(x)
	c.facts(&facts)
	return x, facts, !c.bad && len(c.text) == 0 && x.sound()
}

// sound reports whether all references in the index are valid.
func (x *Index) sound() bool {
	if !x.strip.sound() {
		return false
	}
	for key := range x.threads.Keys() {
		for _, p := range x.threads.At(key).pieces {
			if p.records > 0 && !x.holds(p.offset, p.size) {
				return false
			}
		}
	}
	for _, l := range x.lanes {
		for _, t := range l.tracks {
			for i := range t.blocks {
				if b := &t.blocks[i]; !x.holds(b.offset, b.size) {
					return false
				}
			}
		}
	}
	for _, d := range x.Deadlocks {
		for _, key := range d.Threads {
			if !x.has(key) {
				return false
			}
		}
	}
	return true
}

// codec writes or reads: one description serves both.
type codec struct {
	text    []byte // text to be written next, or still to be read
	reading bool
	bad     bool // the text is invalid
	out     *bufio.Writer
	written uint64 // bytes
	sum     uint32 // their CRC-32
}

// pieceSize is about how many bytes are written at once, since the whole may be large.
const pieceSize = 64 << 10

// flush writes the buffered text. An error stays in out.
func (c *codec) flush() {
	c.out.Write(c.text)
	c.written += uint64(len(c.text))
	c.sum = crc32.Update(c.sum, crc32.IEEETable, c.text)
	c.text = c.text[:0]
}

// integers writes or reads numbers.
func integers[T ~int | ~int32 | ~int64 | ~uint8 | ~uint32 | ~uint64](c *codec, all ...*T) {
	for _, n := range all {
		if !c.reading {
			if c.text = binary.AppendVarint(c.text, int64(*n)); len(c.text) > pieceSize {
				c.flush()
			}
			continue
		}
		value, size := binary.Varint(c.text)
		if size <= 0 || int64(T(value)) != value {
			c.bad, c.text = true, nil
			return
		}
		*n, c.text = T(value), c.text[size:]
	}
}

func (c *codec) flags(all ...*bool) {
	for _, set := range all {
		n := uint8(0)
		if *set {
			n = 1
		}
		integers(c, &n)
		*set = n != 0
	}
}

func (c *codec) bytes(text *[]byte) {
	n := len(*text)
	integers(c, &n)
	switch {
	case !c.reading:
		c.text = append(c.text, *text...)
	case n < 0 || n > len(c.text):
		c.bad, c.text = true, nil
	default:
		*text, c.text = c.text[:n], c.text[n:]
	}
}

func (c *codec) strings(all ...*string) {
	for _, text := range all {
		value := []byte(*text)
		c.bytes(&value)
		*text = string(value)
	}
}

// sequence writes or reads a list. A list being read grows with its items, whatever length is declared.
func sequence[T any](c *codec, all *[]T, each func(*T)) {
	n := len(*all)
	integers(c, &n)
	for i := 0; i < n && !c.bad; i++ {
		if c.reading {
			*all = append(*all, *new(T))
		}
		each(&(*all)[i])
	}
}

// table writes or reads a map, in the order of its keys, so that the same trace gives the same saved index.
func table[K comparable, V any](c *codec, all *map[K]V, order func(a, b K) int, key func(*K), value func(*V)) {
	keys := slices.SortedFunc(maps.Keys(*all), order)
	if c.reading {
		*all = map[K]V{}
	}
	sequence(c, &keys, func(k *K) {
		key(k)
		v := (*all)[*k]
		value(&v)
		(*all)[*k] = v
	})
}
