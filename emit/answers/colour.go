package answers

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/trcx/trcx/emit/internal/theme"
)

// stateWord finds the words of states: whole words, the longest first.
var stateWord = sync.OnceValue(func() *regexp.Regexp {
	words := slices.SortedFunc(maps.Keys(theme.Terminal), func(a, b string) int { return len(b) - len(a) })
	return regexp.MustCompile(`\b(` + strings.Join(words, "|") + `)\b`)
})

// coloured returns the text with the words of states in the colours of a terminal. The text has no control characters,
// so the colours are its only escape sequences.
func coloured(text []byte) []byte {
	return stateWord().ReplaceAllFunc(text, func(word []byte) []byte {
		return []byte("\x1b[" + theme.Terminal[string(word)] + "m" + string(word) + "\x1b[0m")
	})
}
