package xmlscan

import "math"

// Limits bound what a document may ask for. The zero value of a field is its default.
type Limits struct {
	Depth      int // open elements; default 256
	Attributes int // of one element; default 256
	Name       int // bytes of a name; default 1 KiB
	// bytes of an attribute value, a text, a comment, a processing instruction, an internal subset; default 1 MiB
	Value int
	Names int // different names of elements and attributes; default 65,536
	// EntityExpansion is the entity expansion limit: the bytes that entities expand to, all together; default 1 MiB,
	// and 100 times the input before them
	EntityExpansion int
}

// expansionRatio is the entity expansion limit as a multiple of the input so far.
const expansionRatio = 100

// tagValues is the limit of a start tag, as a multiple of the largest value.
const tagValues = 8

func (l Limits) withDefaults() Limits {
	for _, field := range []struct {
		value     *int
		byDefault int
	}{
		{&l.Depth, 256}, {&l.Attributes, 256}, {&l.Name, 1 << 10}, {&l.Value, 1 << 20}, {&l.Names, 1 << 16},
		{&l.EntityExpansion, 1 << 20},
	} {
		if *field.value <= 0 {
			*field.value = field.byDefault
		}
	}
	l.Value = min(l.Value, math.MaxInt/tagValues)
	return l
}
