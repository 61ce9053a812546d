package options

import "strings"

// nearest is the name that somebody who wrote the word can have meant, or the empty text.
func nearest(word string, names []string) string {
	const longest = 32
	if word == "" || len(word) > longest {
		return ""
	}
	word = strings.ToLower(word)
	best, least := "", 0
	for _, name := range names {
		away := distance(word, strings.ToLower(name))
		if plain := strings.ReplaceAll(word, "_", "-"); strings.HasSuffix(name, "-"+plain) || strings.HasPrefix(name, plain+"-") {
			away = 1
		}
		if away <= len(name)/2 && (best == "" || away < least) {
			best, least = name, away
		}
	}
	return best
}

// distance is how many bytes must be put in, taken out or changed to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
