package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
)

// path leads from the outermost value to the current one.
type path []step

// step leads to a member of an object, or to an item of a list.
type step struct {
	name  string
	index int
	item  bool
}

// Limits of messages, in code points.
const (
	maxShownText    = 40  // of a text from the input
	maxShownPointer = 200 // of a pointer
)

// String returns the path as a JSON pointer, clipped for messages.
func (p path) String() string {
	var b strings.Builder
	for _, s := range p {
		b.WriteByte('/')
		if s.item {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escape.Replace(sanitize.Clip(s.name, maxShownText)))
		}
	}
	return sanitize.Clip(b.String(), maxShownPointer)
}

// escape escapes a name for a JSON pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// and returns the path with steps for the names appended.
func (p path) and(names ...string) path {
	longer := slices.Clone(p)
	for _, name := range names {
		longer = append(longer, step{name: name})
	}
	return longer
}
