package validate

import (
	"strconv"
	"testing"

	"github.com/trcx/trcx/internal/threadstate"
)

// TestSizes: a size read from its key equals the number in its text.
func TestSizes(t *testing.T) {
	for _, text := range []string{"0", "8", "00", "16", "007", "24 ", "-8", "+8", "x", "1x", "12345678", "99999999",
		"123456789", "18446744073709551615", "18446744073709551616", "", "é", "80808080"} {
		want, err := strconv.ParseUint(text, 10, 64)
		padded := append([]byte(text), "……"...)[:len(text)]
		if size, ok := sizeOf(padded, threadstate.KeyOf(padded)); ok != (err == nil) || ok && size != want {
			t.Errorf("%q is %d, %v, want %d, %v", text, size, ok, want, err)
		}
	}
}
