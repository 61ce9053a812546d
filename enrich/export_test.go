package enrich

// Kept returns how many classes and methods are known, and how many bytes of call stacks are kept.
func (e *Enricher) Kept() (classes, methods, stacks int) {
	return e.scope.classes.count(), len(e.scope.methods), e.scope.stacks.size
}

func (x *index[V]) count() (n int) {
	for _, p := range x.pages {
		if p != nil {
			n += int(p.used)
		}
	}
	return n + len(x.others)
}

// MaxStacks is the limit for the call stacks that are kept, in bytes.
const MaxStacks = maxStacks
