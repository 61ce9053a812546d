package report

import "github.com/trcx/trcx/internal/sanitize"

// The limits of text for people, in characters. Readers clip text that they quote, so only hostile text is longer.
const (
	maxMessage = 1000
	maxName    = 4096 // as long as a path may be on Linux
)

// presentable returns printable text of at most limit characters.
func presentable(text string, limit int) string {
	// Escapes are longer than characters, so text that fits is not lost by clipping first.
	return sanitize.Short(sanitize.Text(sanitize.Short(text, limit)), limit)
}
