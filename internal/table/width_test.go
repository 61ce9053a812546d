package table

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

// TestWidths proves that texts have the widths, and are cut off where, runewidth says: of letters, wide characters and
// those that join others.
func TestWidths(t *testing.T) {
	characters := []string{"a", "Z", " ", "µ", "é", "ß", "…", "漢", "é", "👩‍👩‍👧", "🇩🇪", "\u0301", "\u200d", "字", "-"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(maxWidth + maxWidth/4) {
			most := 5
			if random.IntN(20) == 0 {
				most = len(characters)
			}
			b.WriteString(characters[random.IntN(most)])
		}
		if random.IntN(4) == 0 {
			b.WriteString(ellipsis)
		}
		text := b.String()
		if got, want := width(text), runewidth.StringWidth(text); got != want {
			t.Fatalf("%q takes %d columns, want %d", text, got, want)
		}
		if got, want := truncated(text), runewidth.Truncate(text, maxWidth, ellipsis); got != want {
			t.Fatalf("%q is cut to %q, want %q", text, got, want)
		}
	}
}
