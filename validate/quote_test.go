package validate_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

func TestQuote(t *testing.T) {
	long := `<monWait threadIdRef="` + strings.Repeat("x", 200) + `" time="5" objIdRef="` + strings.Repeat("é", 300) +
		`"/>`
	for _, c := range []struct {
		tag, attributes string
		want            string // with | where the caret is
	}{
		{`<threadEnd threadIdRef="7"/>`, "threadIdRef", `<threadEnd |threadIdRef="7"/>`},
		{`<threadEnd threadIdRef="7"/>`, "time", `|<threadEnd threadIdRef="7"/>`},
		{`<threadEnd threadIdRef="7"/>`, "", `|<threadEnd threadIdRef="7"/>`},
		{`<a threadIdRef = '7'/>`, "threadId threadIdRef", `<a |threadIdRef = '7'/>`},
		{`<a threadIdRef='7' threadId='8'/>`, "threadId threadIdRef", `<a threadIdRef='7' |threadId='8'/>`},
		{`<a name=" time='5' " time="6"/>`, "time", `<a name=" time='5' " |time="6"/>`},
		{`<a name='" time=' x=" time" time="6"/>`, "time", `<a name='" time=' x=" time" |time="6"/>`},
		{"<a\r\n\ttime\n=\n'5'\n/>", "time", "<a   |time = '5' />"},
		{"<a time", "time", "<a |time"},
		{"<a name='open time='5'", "time", "|<a name='open time='5'"},
		{"<a name='open time=", "time", "|<a name='open time="},
		{"<time time='5'/>", "time", "<time |time='5'/>"},
		{"", "time", "|"},
		{"time", "time", "|time"},
		{"<a b='\x1b[31m\x00\x7f\u202e\u2028\u0085'/>", "b", "<a |b='\ufffd[31m\ufffd\ufffd\ufffd  '/>"},
		{"<a b='\xff\xfe\xc3' c='1'/>", "c", "<a b='\ufffd\ufffd\ufffd' |c='1'/>"},
		{"<é b='1'/>", "b", "<é |b='1'/>"},
		{long, "threadIdRef", `<monWait |threadIdRef="` + strings.Repeat("x", 98) + "…"},
		{long, "time", "…" + strings.Repeat("x", 38) + `" |time="5" objIdRef="` + strings.Repeat("é", 61) + "…"},
		{long, "objIdRef", `…` + strings.Repeat("x", 29) + `" time="5" |objIdRef="` + strings.Repeat("é", 70) + "…"},
		{`<a name="` + strings.Repeat("x", 200) + `" time="5"/>`, "time", "…" + strings.Repeat("x", 108) +
			`" |time="5"/>`},
	} {
		q := validate.NewQuote([]byte(c.tag), strings.Fields(c.attributes)...)
		runes := []rune(q.Text)
		if q.Caret > len(runes) {
			t.Fatalf("%.40q %s: the caret %d is after %q", c.tag, c.attributes, q.Caret, q.Text)
		}
		if got := string(runes[:q.Caret]) + "|" + string(runes[q.Caret:]); got != c.want {
			t.Errorf("%.40q %s: quoted\n%q, want\n%q", c.tag, c.attributes, got, c.want)
		}
	}
}

// FuzzQuote proves that a quote of any bytes is a short line of text, with the caret in it.
func FuzzQuote(f *testing.F) {
	f.Fuzz(func(t *testing.T, tag []byte, attribute string) {
		checkQuote(t, validate.NewQuote(tag, attribute), len(tag))
	})
}

func checkQuote(t *testing.T, q trace.Quote, size int) {
	t.Helper()
	length := utf8.RuneCountInString(q.Text)
	if !utf8.ValidString(q.Text) || length > 122 || length > size+2 || q.Caret < 0 || q.Caret > length {
		t.Errorf("%q with the caret %d", q.Text, q.Caret)
	}
	if strings.ContainsFunc(q.Text, func(r rune) bool {
		return unicode.IsControl(r) ||
			unicode.Is(unicode.Bidi_Control, r)
	}) {
		t.Errorf("%q controls a terminal", q.Text)
	}
}
