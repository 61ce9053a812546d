package contention

import (
	"strconv"

	"github.com/trcx/trcx/trace"
)

// rowNumbers are the rows of threads by their numbers. Those of evicted threads are used again.
type rowNumbers struct {
	rows []*thread
	free []uint32
}

// The numbers of rows that are no thread's own.
const (
	noRow      = iota // nil
	evictedRow        // Collector.evicted
)

// add adds a row, and returns its number.
func (r *rowNumbers) add(row *thread) uint32 {
	if last := len(r.free) - 1; last >= 0 {
		number := r.free[last]
		r.free = r.free[:last]
		r.rows[number] = row
		return number
	}
	r.rows = append(r.rows, row)
	return uint32(len(r.rows) - 1)
}

// remove removes the row of the number.
func (r *rowNumbers) remove(number uint32) {
	r.rows[number] = nil
	r.free = append(r.free, number)
}

// inIDs marks a position among Collector.ids; other ids of threadSeen are numbers, of threads of the first session.
const inIDs = 1 << 63

// addID returns the id and session of the thread, as threadSeen has them.
func (c *Collector) addID(t *trace.ModelThread) uint64 {
	if number, ok := t.ID.Number(); ok && t.Session == 0 {
		return number
	}
	return c.ids.Add(t.ID.String(), strconv.Itoa(t.Session)) | inIDs
}

// idOf returns the thread with its id and session only.
func (c *Collector) idOf(seen *threadSeen) (t NamedThread) {
	if seen.id&inIDs == 0 {
		t.ID = strconv.FormatUint(seen.id, 10)
		return t
	}
	var session string
	c.ids.Get(seen.id&^inIDs, &t.ID, &session)
	t.Session, _ = strconv.Atoi(session)
	return t
}
