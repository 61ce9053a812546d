package enrich

// pool reuses values.
type pool[T any] struct{ free []*T }

// get returns a value, which is not zero if it has been used before.
func (p *pool[T]) get() *T {
	last := len(p.free) - 1
	if last < 0 {
		return new(T)
	}
	value := p.free[last]
	p.free = p.free[:last]
	return value
}

// put makes a value one of those that get returns.
func (p *pool[T]) put(value *T) { p.free = append(p.free, value) }
