package enrich

// Kept returns how many classes and methods are known, and how many bytes of call stacks are kept.
func (e *Enricher) Kept() (classes, methods, stacks int) {
	return e.scope.classes.count(), len(e.scope.methods), e.scope.stacks.size
}

func (x *index[V]) count() (n int) {
	for _, p := range x.pages {
		n += p.used
	}
	return n + len(x.sparse) + len(x.texts)
}

// Quieten makes threads quiet that are not among the last so many to begin or to act again.
func (e *Enricher) Quieten(threads int) { e.maxAwake = threads }

// MaxStacks is the limit for the call stacks that are kept, in bytes.
const MaxStacks = maxStacks

// Awake returns how many threads are not packed, and how many of these are still to be packed.
func (e *Enricher) Awake() (threads, resting int) {
	return len(e.scope.awake.ring), len(e.scope.awake.resting)
}
