package timeline

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// A thread has an entry, a name, and a lane of records. If it gets no more records, and has few, it loses its lane, and
// its entry says where the records are in the file.

// entry is what is known of a thread besides its name and its lane.
type entry struct {
	session    int
	born, died int64 // as in the trace
	dead       bool
	aside      bool
	leaving    bool // it has ended, and will be settled
	ended      bool // the lists of threads know that it has ended
	times      [StateCount]int64
	counts     [StateCount]uint64
	onPath     int64
	pieces     [trackCount]piece // of a thread without a lane
}

// The tracks of a lane.
const (
	spanTrack = iota
	pathTrack
	trackCount
)

// maxPiece is the largest number of records in a piece: reading them takes about as long as finding them.
const maxPiece = 64

// piece is a track of one block with so few records that they are read instead of its sums.
type piece struct {
	offset             int64
	size, sum, records uint32
	last               int64 // as in a block
	begin, end         int64
}

// lane has the records of one thread.
type lane struct {
	tracks  [trackCount]track
	current *record      // the span that has not ended yet, of a live index
	pending pendingCause // of the Running interval that is open
}

// newLane returns an empty lane of a thread whose session starts at the time.
func newLane(start int64) *lane {
	return &lane{tracks: [trackCount]track{newTrack(start), newTrack(before)}}
}

// entryOf returns the entry of the thread.
func (x *Index) entryOf(key trace.ThreadKey) entry {
	x.guard.Lock()
	defer x.guard.Unlock()
	return *x.threads.At(key)
}

// Thread returns the thread of the key. In a live index, it has its open span.
func (x *Index) Thread(key trace.ThreadKey) Thread {
	t := x.thread(key)
	if l := x.lanes[key]; l != nil {
		if going := x.going(l); going != nil {
			t.Times[going.kind] += going.end - going.begin
			t.Counts[going.kind]++
		}
	}
	return t
}

// thread is Thread without the open span.
func (x *Index) thread(key trace.ThreadKey) Thread {
	x.guard.Lock()
	defer x.guard.Unlock()
	e, name := x.threads.At(key), x.names.Get(key)
	t := Thread{Key: key, ID: name.ID.String(), Name: name.Name, Group: name.Group, Session: e.session, Aside: e.aside,
		Born: e.born, Died: e.died, Dead: e.dead, Times: e.times, Counts: e.counts, OnPath: e.onPath}
	if x.finished {
		t.Born = min(t.Born, x.last) - x.earliest // a thread that is only named has no time
		if t.Dead {
			t.Died -= x.earliest
		}
	}
	return t
}

// failed returns the error of the file of threads that have ended, or nil.
func (x *Index) failed() error {
	x.guard.Lock()
	defer x.guard.Unlock()
	if err := x.spill.Err(); err != nil {
		return fmt.Errorf("the threads that have ended cannot be kept in a file: %w", err)
	}
	return nil
}

// end lets the entry and the name of a thread leave memory. It must be called once for each thread.
func (x *Index) end(key trace.ThreadKey) {
	x.threads.End(key)
	x.names.End(key)
}

// laneOf returns the lane of the thread for reading. If it is not kept, it is read from the file.
func (x *Index) laneOf(key trace.ThreadKey) (*lane, error) {
	if l := x.lanes[key]; l != nil {
		return l, nil
	}
	e := x.entryOf(key)
	l := newLane(before)
	for i := range e.pieces {
		if err := x.load(&l.tracks[i], &e.pieces[i], key); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// load reads a piece into an empty track.
func (x *Index) load(t *track, p *piece, thread trace.ThreadKey) error {
	if p.records == 0 {
		return nil
	}
	if err := x.readAt(&t.text, p.offset, p.size, p.sum); err != nil {
		return err
	}
	*t = track{text: t.text, last: p.last, ran: before, open: newBlock(base{}, p.last, before, -never)}
	d := reader{rest: t.text}
	var r record
	for d.next(&r) {
		t.sum(&r, thread)
	}
	if t.from = d.from; d.err != nil || t.open.records != p.records {
		return x.damaged()
	}
	return nil
}

// settle writes the records of a thread that gets no more. If there are few, it drops the lane.
func (x *Index) settle(key trace.ThreadKey) error {
	l := x.lanes[key]
	if l == nil {
		return nil
	}
	short := l.current == nil && l.pending.running == 0
	for i := range l.tracks {
		t := &l.tracks[i]
		if err := x.write(t); err != nil {
			return err
		}
		t.text = nil
		short = short && (len(t.blocks) == 0 || len(t.blocks) == 1 && t.blocks[0].records <= maxPiece)
	}
	if !short {
		return nil
	}
	e := x.threads.Change(key)
	for i := range l.tracks {
		for _, b := range l.tracks[i].blocks {
			e.pieces[i] = piece{b.offset, b.size, b.sum, b.records, b.last, b.begin, b.end}
		}
	}
	delete(x.lanes, key)
	return nil
}

// holds reports whether the file has the bytes.
func (x *Index) holds(offset int64, size uint32) bool {
	return offset >= int64(len(magic)) && offset <= x.size-int64(size)
}
