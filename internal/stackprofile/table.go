package stackprofile

// table numbers values 1, 2, 3 … in the order in which they are first seen.
type table[V comparable] struct {
	numbers map[V]uint32
	values  []V // from number 1 on
}

// number is the number of the value; fresh says that it is seen for the first time.
func (t *table[V]) number(value V) (number uint32, fresh bool) {
	if known, ok := t.numbers[value]; ok {
		return known, false
	}
	if t.numbers == nil {
		t.numbers = make(map[V]uint32)
	}
	t.values = append(t.values, value)
	t.numbers[value] = uint32(len(t.values))
	return uint32(len(t.values)), true
}

// find is the number of a value that has been seen, or 0.
func (t *table[V]) find(value V) uint32 { return t.numbers[value] }

// value is the one with the number, and the zero value for 0.
func (t *table[V]) value(number uint32) (value V) {
	if number != 0 {
		value = t.values[number-1]
	}
	return value
}

// correct puts another value in the place of one, if that has been seen. Afterwards two numbers may have the same
// value.
func (t *table[V]) correct(wrong, right V) {
	number, seen := t.numbers[wrong]
	if !seen {
		return
	}
	t.values[number-1] = right
	delete(t.numbers, wrong)
	if _, taken := t.numbers[right]; !taken {
		t.numbers[right] = number
	}
}
