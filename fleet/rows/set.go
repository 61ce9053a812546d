package rows

import (
	"slices"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/sanitize"
)

// Set merges rows by their keys. The zero Set is empty.
type Set struct{ values map[Key]*Value }

// Len returns the number of different keys.
func (s *Set) Len() int { return len(s.values) }

// Add merges a value into that of the key. The Set keeps the value's buckets. What is not UTF-8 is escaped, for Parquet
// files have no other text.
func (s *Set) Add(key Key, value Value) {
	key.makeValid()
	makeValid(&value.Text)
	if s.values == nil {
		s.values = map[Key]*Value{}
	}
	if sum := s.values[key]; sum != nil {
		sum.Merge(&value)
		return
	}
	s.values[key] = &value
}

// Merge adds all rows of other, which must not be used afterwards.
func (s *Set) Merge(other *Set) {
	for key, value := range other.values {
		s.Add(key, *value)
	}
}

// Sorted returns the rows by ascending key.
func (s *Set) Sorted() []Row {
	sorted := make([]Row, 0, len(s.values))
	for key, value := range s.values {
		sorted = append(sorted, Row{key, *value})
	}
	Sort(sorted)
	return sorted
}

// Sort sorts rows by key.
func Sort(all []Row) {
	slices.SortFunc(all, func(a, b Row) int { return a.Key.Compare(&b.Key) })
}

// Has reports whether there is a row of the key.
func (s *Set) Has(key Key) bool {
	key.makeValid()
	return s.values[key] != nil
}

// Take takes a part of the total of a row away, which Add has added.
func (s *Set) Take(key Key, total uint64) {
	key.makeValid()
	if of := s.values[key]; of != nil {
		of.Total -= min(total, of.Total)
	}
}

// Valid returns the text as rows have it: what is not UTF-8 is escaped.
func Valid(text string) string {
	makeValid(&text)
	return text
}

func makeValid(text *string) {
	if !utf8.ValidString(*text) {
		*text = sanitize.Text(*text)
	}
}

func (k *Key) makeValid() {
	for _, text := range k.texts() {
		makeValid(text)
	}
}
