package timeline

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"sort"

	"github.com/trcx/trcx/internal/largest"
	"github.com/trcx/trcx/trace"
)

// Request selects a window.
type Request struct {
	// Threads are the keys of the wanted lanes, in this order. Unknown keys have no lanes.
	Threads []trace.ThreadKey
	// From and To bound the time. Everything that touches it is in the window.
	From, To int64
	// Resolution is the length, in nanoseconds, below which spans are merged; 0 merges none.
	Resolution int64
	// Arrows limits the arrows.
	Arrows int
}

// Window reads a part of the index, until the context is done.
func (x *Index) Window(ctx context.Context, q Request) (*Window, error) {
	return x.limited(ctx, q, math.MaxInt)
}

// limited returns Window's result, or nil if that has more rows than the limit.
func (x *Index) limited(ctx context.Context, q Request, limit int) (*Window, error) {
	rows := 0
	v := &view{index: x, request: q, stacks: map[uint32]*Stack{}}
	v.arrows = largest.List[Arrow]{Limit: q.Arrows, Compare: func(a, b Arrow) int { // of equal waits, the earlier
		return cmp.Or(cmp.Compare(b.Waited, a.Waited), cmp.Compare(a.To.Event, b.To.Event))
	}}
	w := &Window{From: q.From, To: q.To, Resolution: q.Resolution}
	for _, key := range q.Threads {
		if !x.has(key) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := v.lane(key)
		if err != nil {
			return nil, err
		}
		if rows += l.rows(); rows > limit {
			return nil, nil
		}
		w.Lanes = append(w.Lanes, l)
	}
	v.arrows.Cut()
	w.Arrows, w.ArrowsOmitted = v.arrows.Values, uint64(v.arrows.Omitted)
	slices.SortFunc(w.Arrows, func(a, b Arrow) int {
		return cmp.Or(cmp.Compare(a.To.Time, b.To.Time), cmp.Compare(a.To.Event, b.To.Event))
	})
	return w, x.failed()
}

// view is the state while a window is read.
type view struct {
	index   *Index
	request Request
	stacks  map[uint32]*Stack
	arrows  largest.List[Arrow] // those that ended the longest waits
	buffer  []byte
}

// lane returns the lane of the thread.
func (v *view) lane(key trace.ThreadKey) (Lane, error) {
	x := v.index
	l, err := x.laneOf(key)
	if err != nil {
		return Lane{}, err
	}
	b := &laneBuilder{view: v, key: key, session: x.entryOf(key).session, lane: Lane{Thread: key}}
	if err := v.track(&l.tracks[spanTrack], b.addBlock, b.addRecord); err != nil {
		return Lane{}, err
	}
	if going := x.going(l); going != nil {
		b.addRecord(going)
	}
	b.finish()
	p := &pathBuilder{view: v}
	if err := v.track(&l.tracks[pathTrack], p.addBlock, p.addRecord); err != nil {
		return Lane{}, err
	}
	b.lane.Path = p.finish()
	return b.lane, nil
}

// shifted returns the bounds of the window in the times of blocks.
func (v *view) shifted() (from, to int64) {
	return v.request.From + v.index.earliest, v.request.To + v.index.earliest
}

// track puts everything in a track that touches the window: whole blocks if possible, else records. They come with the
// end of the thread's previous span, and the time until which it ran.
func (v *view) track(t *track, whole func(*block) bool, put func(*record)) error {
	from, to := v.shifted()
	first := sort.Search(len(t.blocks), func(i int) bool { return t.blocks[i].reach >= from })
	for i := first; i < len(t.blocks); i++ {
		b := &t.blocks[i]
		if b.floor > to {
			return nil
		}
		if b.end < from || b.begin > to || whole(b) {
			continue
		}
		if err := v.index.each(b, &v.buffer, put); err != nil {
			return err
		}
	}
	b := &t.open
	if b.records == 0 || b.end < from || b.begin > to || whole(b) {
		return nil
	}
	return records(b, t.text, put)
}

// records puts the records of a block, with spans cut as they are shown.
func records(b *block, text []byte, put func(*record)) error {
	d := reader{rest: text, from: b.from}
	last := b.last
	var r record
	for d.next(&r) {
		if r.isSpan() {
			r.exact = [2]int64{r.begin, r.end}
			r.begin, r.end = cut(&r, last)
			last = r.end
		}
		put(&r)
	}
	return d.err
}

// each puts the records of a block in the file.
func (x *Index) each(b *block, buffer *[]byte, put func(*record)) error {
	if err := x.readAt(buffer, b.offset, b.size, b.sum); err != nil {
		return err
	}
	if records(b, *buffer, put) != nil {
		return x.damaged()
	}
	return nil
}

// readAt reads a part of the file, and checks its sum.
func (x *Index) readAt(buffer *[]byte, offset int64, size, sum uint32) error {
	if offset+int64(size) > x.flushed {
		if err := x.flush(); err != nil {
			return err
		}
	}
	*buffer = slices.Grow((*buffer)[:0], int(size))[:size]
	switch _, err := x.file.ReadAt(*buffer, offset); {
	case err == io.EOF:
		return x.damaged()
	case err != nil:
		return err
	case sumOf(*buffer) != sum:
		return x.damaged()
	}
	return nil
}

// stack returns the numbered stack, which all spans share; nil for 0 and unknown numbers.
func (v *view) stack(number uint32) *Stack {
	n := &v.index.numbers
	if number == 0 || int(number) > len(n.Stacks) {
		return nil
	}
	s := v.stacks[number]
	if s == nil {
		kept := n.Stacks[number-1]
		s = &Stack{Frames: make([]Frame, len(kept.Frames)), Omitted: kept.Omitted}
		for i, frame := range kept.Frames {
			s.Frames[i] = numbered(n.Frames, frame)
		}
		v.stacks[number] = s
	}
	return s
}
