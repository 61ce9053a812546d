// Package numbering numbers values that recur, such as the names of classes.
package numbering

// Numbering numbers values from 1 on, in the order in which they are first seen; the zero value is 0. The zero
// Numbering has no values.
type Numbering[T comparable] struct {
	numbers map[T]uint32
	// Values are the values in the order of their numbers.
	Values []T
}

// Of returns the number of the value, the next one if it is new.
func (n *Numbering[T]) Of(value T) uint32 {
	var none T
	if value == none {
		return 0
	}
	number, known := n.numbers[value]
	if !known {
		if n.numbers == nil {
			n.numbers = map[T]uint32{}
		}
		n.Values = append(n.Values, value)
		number = uint32(len(n.Values))
		n.numbers[value] = number
	}
	return number
}

// Value returns the value of the number.
func (n *Numbering[T]) Value(number uint32) (value T) {
	if number != 0 {
		value = n.Values[number-1]
	}
	return value
}
