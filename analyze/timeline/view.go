package timeline

import (
	"cmp"
	"context"
	"io"
	"slices"
	"sort"

	"github.com/trcx/trcx/trace"
)

// Request says what is to be looked at.
type Request struct {
	// Threads are the keys of those whose lanes are wanted, in this order. Those that there are not have no lanes.
	Threads []trace.ThreadKey
	// From and To bound the time; what touches them is in the window.
	From, To int64
	// Resolution is the length below which spans may stand together, 0 if none may.
	Resolution int64
	// Arrows is how many arrows are wanted at most.
	Arrows int
}

// Window looks at a part of the index, until the context is done.
func (x *Index) Window(ctx context.Context, q Request) (*Window, error) {
	v := &view{index: x, request: q, stacks: map[uint32]*Stack{}, arrows: heaviest{most: q.Arrows}}
	w := &Window{From: q.From, To: q.To, Resolution: q.Resolution}
	for _, key := range q.Threads {
		if key == 0 || int(key) > len(x.lanes) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := v.lane(key)
		if err != nil {
			return nil, err
		}
		w.Lanes = append(w.Lanes, l)
	}
	w.Arrows, w.ArrowsOmitted = v.arrows.sorted(), v.arrows.omitted
	return w, nil
}

// view is what goes on while a window is looked at.
type view struct {
	index   *Index
	request Request
	stacks  map[uint32]*Stack
	arrows  heaviest
	buffer  []byte
}

// lane is that of the thread.
func (v *view) lane(key trace.ThreadKey) (Lane, error) {
	x, l := v.index, &v.index.lanes[key-1]
	x.sumUp(key)
	b := &lineUp{view: v, key: key, session: x.threads[key-1].Session, lane: Lane{Thread: key}}
	if err := v.track(&l.spans, b.takeBlock, b.take); err != nil {
		return Lane{}, err
	}
	if going := x.going(l); going != nil {
		b.take(going)
	}
	b.finish()
	p := &pathLine{view: v}
	if err := v.track(&l.path, p.takeBlock, p.take); err != nil {
		return Lane{}, err
	}
	b.lane.Path = p.finish()
	return b.lane, nil
}

// shifted are the bounds of the window as blocks count.
func (v *view) shifted() (from, to int64) {
	return v.request.From + v.index.earliest, v.request.To + v.index.earliest
}

// track gives what touches the window of a track: whole blocks where they can be taken so, else records, with where the
// thread's span before it ended, and until when it ran.
func (v *view) track(t *track, whole func(*block) bool, take func(*record)) error {
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
		if err := v.index.each(b, &v.buffer, take); err != nil {
			return err
		}
	}
	if t.records == 0 || whole(&t.open.block) {
		return nil
	}
	return records(&t.open.block, t.text, take)
}

// records gives the records of a block, spans cut as they are shown.
func records(b *block, text []byte, take func(*record)) error {
	d := reader{rest: text, from: b.from}
	last := b.last
	var r record
	for d.next(&r) {
		if r.isSpan() {
			r.exact = [2]int64{r.begin, r.end}
			r.begin, r.end = cut(&r, last)
			last = r.end
		}
		take(&r)
	}
	return d.err
}

// each gives the records of a block in the file.
func (x *Index) each(b *block, buffer *[]byte, take func(*record)) error {
	text, err := x.read(b, buffer)
	if err != nil {
		return err
	}
	if records(b, text, take) != nil {
		return x.damaged()
	}
	return nil
}

// read reads the text of a block, which is to be what was written.
func (x *Index) read(b *block, buffer *[]byte) ([]byte, error) {
	if b.offset+int64(b.size) > x.flushed {
		if err := x.flush(); err != nil {
			return nil, err
		}
	}
	*buffer = slices.Grow((*buffer)[:0], int(b.size))[:b.size]
	switch _, err := x.file.ReadAt(*buffer, b.offset); {
	case err == io.EOF:
		return nil, x.damaged()
	case err != nil:
		return nil, err
	case sumOf(*buffer) != b.sum:
		return nil, x.damaged()
	}
	return *buffer, nil
}

// stack is that of the number, the same for all that have it.
func (v *view) stack(number uint32) *Stack {
	if number == 0 {
		return nil
	}
	s, ok := v.stacks[number]
	if !ok {
		s = v.index.stack(number)
		v.stacks[number] = s
	}
	return s
}

// heaviest keeps the arrows that ended the longest waits.
type heaviest struct {
	most    int
	omitted uint64
	heap    []Arrow // the lightest one first
}

// lighter orders arrows by what is left out first. Of equal ones the later is.
func lighter(a, b *Arrow) int {
	return cmp.Or(cmp.Compare(a.Waited, b.Waited), cmp.Compare(b.To.Event, a.To.Event))
}

func (h *heaviest) add(a Arrow) {
	if len(h.heap) < h.most {
		h.heap = append(h.heap, a)
		for i := len(h.heap) - 1; i > 0 && lighter(&h.heap[i], &h.heap[(i-1)/2]) < 0; i = (i - 1) / 2 {
			h.heap[i], h.heap[(i-1)/2] = h.heap[(i-1)/2], h.heap[i]
		}
		return
	}
	h.omitted++
	if len(h.heap) == 0 || lighter(&a, &h.heap[0]) <= 0 {
		return
	}
	h.heap[0] = a
	h.sink()
}

// sink brings the heap in order again.
func (h *heaviest) sink() {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(h.heap) {
			return
		}
		if child+1 < len(h.heap) && lighter(&h.heap[child+1], &h.heap[child]) < 0 {
			child++
		}
		if lighter(&h.heap[i], &h.heap[child]) <= 0 {
			return
		}
		h.heap[i], h.heap[child] = h.heap[child], h.heap[i]
		i = child
	}
}

func (h *heaviest) sorted() []Arrow {
	slices.SortFunc(h.heap, func(a, b Arrow) int {
		return cmp.Or(cmp.Compare(a.To.Time, b.To.Time), cmp.Compare(a.To.Event, b.To.Event))
	})
	return h.heap
}
