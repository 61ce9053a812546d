package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// path leads from the outermost value to the one at hand.
type path []step

// step leads into a value: to a member of an object, or to an item of a list where there is no name.
type step struct {
	name  string
	index int
	item  bool
}

// The most that messages show of a text from the input, and of a pointer, in code points.
const (
	shownText    = 40
	shownPointer = 200
)

// String is the path as a JSON pointer, clipped for people.
func (p path) String() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteByte('/')
		if s.item {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escape.Replace(sanitize.Clip(s.name, shownText)))
		}
	}
	return sanitize.Clip(b.String(), shownPointer)
}

// escape writes a name for a JSON pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// and is the path with steps from names behind it.
func (p path) and(names ...string) path {
	longer := slices.Clone(p)
	for _, name := range names {
		longer = append(longer, step{name: name})
	}
	return longer
}
