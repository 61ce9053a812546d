package threadstate

import (
	"strconv"
	"strings"
	"testing"
)

// TestKeyOf proves that Keys are equal exactly if their texts are, wherever in memory the texts are.
func TestKeyOf(t *testing.T) {
	texts := []string{"", "0", "-1", "7", "07", "007", "70", "12345678", "123456789", "1234567890123456789", "99999999",
		"a", "aa", "ж", "жж", "\xff", "threadId", "a b c d ",
		strings.Repeat("9", 1<<20), strings.Repeat("9", 1<<20) + "9"}
	for n := range 2000 {
		texts = append(texts, strconv.Itoa(n+10_000), strconv.Itoa(n*7+1_000_000), "t"+strconv.Itoa(n))
	}
	seen := map[Key]string{}
	for _, text := range texts {
		alone := []byte(text)
		inside := []byte(text + `" time="5"/>` + strings.Repeat("\x00", 8))[:len(text)]
		k := KeyOf(alone[:len(text):len(text)])
		if other, ok := seen[k]; ok && other != text {
			t.Errorf("%.20q and %.20q have one Key", other, text)
		}
		seen[k] = text
		if KeyOf(inside) != k {
			t.Errorf("%.20q has another Key inside a text", text)
		}
		if k.Names() != (text != "" && text != "0" && text != "-1") {
			t.Errorf("%.20q names something: %v", text, k.Names())
		}
		digits := strings.Trim(text, "0123456789") == "" && text != "" && len(text) <= 8
		if ShortKey(inside).IsNumber() != digits {
			t.Errorf("%.20q is a short number: %v", text, !digits)
		}
	}
	if KeyOf([]byte("0")) != Zero || KeyOf([]byte("-1")) != Sleep || KeyOf(nil) != None {
		t.Error("the constants are not the Keys of their texts")
	}
}

// TestAfter proves that After orders numbers of up to eight digits.
func TestAfter(t *testing.T) {
	numbers := []int{0, 1, 9, 10, 11, 99, 100, 9_999_999, 10_000_000, 99_999_999}
	for _, a := range numbers {
		for _, b := range numbers {
			if got := keyOf(a).After(keyOf(b)); got != (a > b) {
				t.Errorf("%d is after %d: %v", a, b, got)
			}
		}
	}
}

func keyOf(number int) Key { return KeyOf(strconv.AppendInt(nil, int64(number), 10)) }
