package answers

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

// TestShortened: a call keeps its method and its line as long as they fit; other texts keep their ends.
func TestShortened(t *testing.T) {
	const call, waits = "com.acme.shop.Cache$Entry.load(Cache.java:88)", "worker-3 (thread 4) at shop.Cache.get(Cache.java:42)"
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{call, 45, call},
		{call, 44, "…Cache$Entry.load(Cache.java:88)"},
		{call, 31, "…Cache$Entry.load(…:88)"},
		{call, 22, "…load(Cache.java:88)"},
		{call, 19, "…load(…:88)"},
		{call, 10, "load(…:88)"},
		{call, 9, "lo…(…:88)"},
		{call + " (in java.util.Vector.add) (45 %)", 40, "…Cache$Entry.load(Cache.java:88) (45 %)"},
		{call + " (45 %)", 20, "…load(…:88) (45 %)"},
		{call + " (45 %)", 17, "…load(…:88)"},
		{waits, 51, "worker-3 (4) at shop.Cache.get(Cache.java:42)"},
		{waits, 44, "worker-3 (4) at …Cache.get(Cache.java:42)"},
		{waits, 25, "worker-3 …) at …get(…:42)"},
		{waits, 12, "…get(…:42)"},
		{"app.Main.<init>(line 7)", 19, "…<init>(line 7)"},
		{"app.Main.main(Main.java)", 20, "…main(Main.java)"},
		{"http-nio-8080-exec-12 (thread 31)", 26, "http-nio-8080-exec-12 (31)"},
		{"http-nio-8080-exec-12 (thread 31)", 20, "http-nio-808…12 (31)"},
		{"    Node of a deep tree", 20, "    Node of a…p tree"},
		{"漢漢漢漢漢漢漢漢", 9, "漢漢漢…漢"},
		{"abc", 2, "ab"},
	} {
		if got := shortened(c.text, c.limit); got != c.want || width(got) > c.limit {
			t.Errorf("%q in %d columns is %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

// TestWidths proves that texts with letters, wide and joining characters have runewidth's widths, and fit when
// shortened.
func TestWidths(t *testing.T) {
	characters := []string{"a", "Z", " ", "µ", "é", "ß", "…", "漢", "é", "👩‍👩‍👧", "🇩🇪", "\u0301", "\u200d", "字", "-", ".", "(", ":7)"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(90) {
			most := 7
			if random.IntN(20) == 0 {
				most = len(characters)
			}
			b.WriteString(characters[random.IntN(most)])
		}
		text, limit := b.String(), narrow+random.IntN(60)
		if got, want := width(text), runewidth.StringWidth(text); got != want {
			t.Fatalf("%q takes %d columns, want %d", text, got, want)
		}
		got := shortened(text, limit)
		if w := runewidth.StringWidth(got); w > limit || w < min(runewidth.StringWidth(text), 5) {
			t.Fatalf("%q is shortened to %q, of %d columns", text, got, w)
		}
	}
}
