package answer

import "iter"

// Object is a JSON object whose fields have an order.
type Object []Field

// Field is a field of an Object.
type Field struct {
	Name string
	// Value is a List, or a value for encoding/json.
	Value any
	// Line reports that the field begins a line.
	Line bool
}

// List is a JSON array with an item on each line. The items are made when they are written.
type List iter.Seq[any]

// ListOf returns the list of the function's values for the items.
func ListOf[T, J any](items []T, value func(*T) J) List {
	return func(yield func(any) bool) {
		for i := range items {
			if !yield(value(&items[i])) {
				return
			}
		}
	}
}

// Lines are JSON objects, each on a line of its own. They are made when they are written.
type Lines iter.Seq[Object]
