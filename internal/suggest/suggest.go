// Package suggest finds the names that users probably meant, for messages that end in "did you mean …?".
package suggest

import "strings"

// maxWord is the limit, in bytes, of a word for which Nearest compares names.
const maxWord = 32

// Nearest returns the most similar of the names, or "" if none is similar. A name that begins or ends with the word, as
// max-size does with size, is similar.
func Nearest(word string, names []string) string {
	if word == "" || len(word) > maxWord {
		return ""
	}
	word = strings.ToLower(word)
	best, least := "", 0
	for _, name := range names {
		away := Edits(word, strings.ToLower(name))
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

// Edits returns the distance of a and b: the number of bytes to insert, delete or replace, or of neighbours to swap.
func Edits(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, row[j]+1, last[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
