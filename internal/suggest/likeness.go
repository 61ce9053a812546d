// Package suggest says how alike words are, so that messages can ask: did you mean …?
//
// It stands on the ground, beside the walk: validate asks it about rules, agent/options about options.
package suggest

// Edits is how many bytes must be put in, taken out or changed to make b of a.
func Edits(a, b string) int {
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
