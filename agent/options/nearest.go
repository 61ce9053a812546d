package options

import (
	"strings"

	"github.com/trcx/trcx/internal/suggest"
)

// nearest returns the most similar name, or "" if none is similar.
func nearest(word string, names []string) string {
	const longest = 32
	if word == "" || len(word) > longest {
		return ""
	}
	word = strings.ToLower(word)
	best, least := "", 0
	for _, name := range names {
		away := suggest.Edits(word, strings.ToLower(name))
		if plain := strings.ReplaceAll(word, "_", "-"); strings.HasSuffix(name, "-"+plain) ||
			strings.HasPrefix(name, plain+"-") {
			away = 1
		}
		if away <= len(name)/2 && (best == "" || away < least) {
			best, least = name, away
		}
	}
	return best
}
