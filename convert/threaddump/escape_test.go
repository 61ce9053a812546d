package threaddump

import (
	"encoding/json"
	"testing"
)

func TestUnescape(t *testing.T) {
	for _, c := range []struct {
		escape string
		want   rune
		size   int
		ok     bool
	}{
		{`\n rest`, '\n', 2, true}, {`\/`, '/', 2, true}, {`\u0041`, 'A', 6, true}, {`\u00eFf`, 0xEF, 6, true},
		{`\ud83d\ude00`, 0x1F600, 12, true}, {`\ud83d\ud83d`, 0xD83D, 6, true}, {`\ude00\ud83d`, 0xDE00, 6, true},
		{`\ud83d\ude0`, 0xD83D, 6, true}, {`\ud83d\ude0x`, 0xD83D, 6, true}, {`\ud83d`, 0xD83D, 6, true},
		{`\`, 0, 1, false}, {`\x`, 0, 1, false}, {`\u`, 0, 2, false}, {`\u12`, 0, 4, false}, {`\u12 4`, 0, 4, false},
		{`\u123g`, 0, 5, false}, {"\\u123\x10", 0, 5, false}, {`\U0041`, 0, 1, false},
	} {
		if got, size, ok := unescape([]byte(c.escape)); got != c.want || size != c.size || ok != c.ok {
			t.Errorf("%s: got %U, %d, %v, want %U, %d, %v", c.escape, got, size, ok, c.want, c.size, c.ok)
		}
	}
}

// FuzzUnescape: any input is decoded as encoding/json does it, or refused by both.
func FuzzUnescape(f *testing.F) {
	for _, escape := range []string{`\n`, `\u0041`, `\ud83d\ude00`, `\ud83d\ud83d`, `\u12x4`, `\x`, `\`} {
		f.Add([]byte(escape))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 || b[0] != '\\' {
			return
		}
		c, size, ok := unescape(b[:min(len(b), maxEscape)])
		if !ok {
			if size > len(b) || json.Valid([]byte(`"`+string(b[:min(len(b), size+1)])+`"`)) {
				t.Fatalf("%q is refused at %d", b, size)
			}
			return
		}
		var read string
		if err := json.Unmarshal([]byte(`"`+string(b[:size])+`"`), &read); err != nil || read != string(c) {
			t.Fatalf("%q is %U, as encoding/json has it %q (%v)", b[:size], c, read, err)
		}
	})
}
