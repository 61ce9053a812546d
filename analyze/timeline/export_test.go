package timeline

import (
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// SmallBlocks makes blocks so small that small traces have many, for the time of the test.
func SmallBlocks(t testing.TB, records uint32, bytes int) {
	before, open := blockRecords, mostOpen
	blockRecords, mostOpen = records, bytes
	t.Cleanup(func() { blockRecords, mostOpen = before, open })
}

// Sealed changes a byte of a saved index, and has its checksum agree with that.
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
