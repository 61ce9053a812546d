package stackprofile

// table numbers values 1, 2, 3 … in the order in which they are first seen.
type table[V comparable] struct {
	numbers map[V]uint32
	values  []V // from number 1 on
}

// number returns the number of the value; fresh reports that the value is new.
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

// find returns the number of the value, or 0 if it is new.
func (t *table[V]) find(value V) uint32 { return t.numbers[value] }

// value returns the value of the number; the zero value for 0.
func (t *table[V]) value(number uint32) (value V) {
	if number != 0 {
		value = t.values[number-1]
	}
	return value
}

// correct replaces a value, if it has a number. Afterwards two numbers can have the same value.
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
