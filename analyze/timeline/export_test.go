package timeline

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// Small makes blocks small, so that small traces have many, and settles threads soon after their ends.
func (r *Recorder) Small(records uint32, bytes, dead int) { r.limits = limits{records, bytes, dead} }

// Sealed changes a byte of a saved index, and adapts its checksum.
func Sealed(content []byte, at int, with byte) []byte {
	content = append([]byte{}, content...)
	if at >= 0 && at < len(content)-tailSize {
		content[at] ^= with
	}
	if tail := len(content) - tailSize; tail > 0 {
		if length := binary.LittleEndian.Uint64(content[tail+8:]); length <= uint64(tail) {
			binary.LittleEndian.PutUint32(content[tail+16:], crc32.ChecksumIEEE(content[tail-int(length):tail]))
		}
	}
	return content
}

// BlocksEnd is where the blocks of a saved index end.
func BlocksEnd(content []byte) int {
	return int(binary.LittleEndian.Uint64(content[len(content)-tailSize:]))
}

// Resummed adapts the sums of the blocks of a saved index to their texts, if its directory can be read, so that damage
// shows when the blocks are read. Other indexes stay unchanged.
func Resummed(content []byte) []byte {
	tail := len(content) - tailSize
	if tail < 0 || binary.LittleEndian.Uint64(content[tail+8:]) > uint64(tail) {
		return content
	}
	offset := tail - int(binary.LittleEndian.Uint64(content[tail+8:]))
	x, facts, ok := decoded(content[offset:tail], int64(offset))
	if !ok {
		return content
	}
	for key := range x.threads.Keys() {
		for i := range trackCount {
			if p := &x.threads.Change(key).pieces[i]; p.records > 0 {
				p.sum = sumOf(content[p.offset:][:p.size])
			}
		}
	}
	for _, l := range x.lanes {
		for i := range l.tracks {
			for j := range l.tracks[i].blocks {
				b := &l.tracks[i].blocks[j]
				b.sum = sumOf(content[b.offset:][:b.size])
			}
		}
	}
	out := bytes.NewBuffer(append([]byte{}, content[:offset]...))
	x.out, x.size = bufio.NewWriter(out), int64(offset)
	if err := x.writeRest(facts); err != nil {
		panic(err) // writing to a buffer never fails
	}
	return out.Bytes()
}

// Threads returns all threads, by their keys minus one.
func (x *Index) Threads() (all []Thread) {
	for t := range x.All() {
		all = append(all, *t)
	}
	return all
}

// ErrNotSaved is the error of Open for a file that is not a saved index.
var ErrNotSaved = errNotSaved
