package monlog

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"testing"
)

// TestEightHexDigits compares each byte in each position with strconv.
func TestEightHexDigits(t *testing.T) {
	for place := range 8 {
		for c := range 256 {
			text := []byte("0aF919b3")
			text[place] = byte(c)
			want, err := strconv.ParseUint(string(text), 16, 64)
			got, ok := eightHexDigits(binary.LittleEndian.Uint64(text))
			if ok != (err == nil) || ok && got != want {
				t.Errorf("%q: %X, %v, want %X, %v", text, got, ok, want, err)
			}
		}
	}
	for _, number := range []uint64{0, 1, 0x12345678, 0x9ABCDEF0, 0xFFFFFFFF, 0xF0000000} {
		if got, ok := eightHexDigits(binary.LittleEndian.Uint64(fmt.Appendf(nil, "%08X", number))); !ok ||
			got != number {
			t.Errorf("%X: %X %v", number, got, ok)
		}
	}
}
