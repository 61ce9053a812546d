package jfr

// resume finds the place in a gap from which on whole events, of types that the metadata describes, follow each other
// up to where the gap ends: there the reading goes on. Of several such places it is the one from which most events
// follow, for what is no event seldom has the size of one. It is the gap's end if there is none.
func (r *reader) resume(g gap) int64 {
	from := max(g.from, g.to-maxSearch)
	n := g.to - from
	bytes, err := r.spool.at(from, int(n))
	if err != nil {
		r.err = err
		return g.to
	}
	run := make([]uint32, n+1) // how many events follow each other from there on
	best := n
	for at := n - 1; at > g.from-from; at-- {
		size, ok := r.plausible(bytes[at:])
		switch end := at + size; {
		case !ok:
		case end < n && run[end] > 0:
			run[at] = run[end] + 1
		case end == n && g.exact:
			run[at] = fewest
		case end >= n && !g.exact:
			run[at] = 1 // it is cut off
		}
		if run[at] >= fewest && run[at] >= run[best] {
			best = at
		}
	}
	return from + best
}

// maxSearch is how many bytes of a gap are searched for events.
const maxSearch = 16 << 20

// fewest is how many events must follow each other where nobody knows that one ends where they end.
const fewest = 4

// plausible says whether an event can begin here, and its size.
func (r *reader) plausible(bytes []byte) (size int64, ok bool) {
	c := cursor{data: bytes, fixed: !r.chunk.compressed}
	said := c.uint32()
	kind := c.uint64()
	if c.short || int(said) < c.at {
		return 0, false
	}
	if class := r.types.classes[kind]; kind > checkpointType && (class == nil || len(class.fields) == 0 ||
		class.fields[0].name != "startTime") {
		return 0, false
	}
	began, known := r.chunk.time(int64(c.uint64()))
	if c.short || !known || int64(began) < r.chunk.startNanos-mostBefore || int64(began) > r.chunk.startNanos+
		mostAfter {
		return 0, false
	}
	return int64(said), true
}

// An event of a chunk begins between these many nanoseconds before and after the chunk does: two days, a year.
const mostBefore, mostAfter = 2 * 86400 * nanosPerSecond, 366 * 86400 * nanosPerSecond

// note notes where metadata and checkpoints lie in a run.
func (r *reader) note(run gap) {
	r.each([]gap{run}, func(place int64, _ []byte, _, kind uint64) error {
		r.chunk.special(kind, place)
		return nil
	})
}
