package timeline

import (
	"sync"

	"github.com/trcx/trcx/trace"
)

// A thread that has ended takes no more than its slot: its lane, encoded, is in a page of the file. A lane of many
// blocks stays in memory, whose blocks take more than it. At the end of the trace the same is done with threads that
// live, if they are many.

// slot is where the lane of a thread is: in the open lanes, or in a page.
type slot uint64

// openSlot marks the number of an open lane; other slots are a page, in the upper bits, and an offset in it.
const (
	openSlot   slot = 1 << 63
	offsetBits      = 16
)

const (
	// pageSize is the size at which a page is full. A lane is smaller.
	pageSize = 16 << 10
	// maxFrozenBlocks and maxFrozenNames limit the blocks of a track and the bytes of names of a frozen lane.
	maxFrozenBlocks = 4
	maxFrozenNames  = 8 << 10
	// maxCachedPages is the limit for the pages that are kept in memory when they have been read.
	maxCachedPages = 8
)

// pages are the encoded lanes of threads that have ended.
type pages struct {
	written []page
	last    []byte // the page that is being filled
	guard   sync.Mutex
	cached  [maxCachedPages]cachedPage // guarded
	next    int                        // the one that is replaced next
}

// page is a page in the file.
type page struct {
	offset int64
	size   uint32
	sum    uint32
}

type cachedPage struct {
	number int // plus one
	text   []byte
}

// laneCount returns the number of threads.
func (x *Index) laneCount() int { return int(x.slots.Last()) }

// addLane adds the lane of the next thread.
func (x *Index) addLane() {
	key := x.slots.Add()
	*x.slots.At(key) = x.openSlotOf(&lane{thread: known{Key: key, Born: never}, spans: track{last: before}})
}

// openSlotOf puts a lane among the open ones.
func (x *Index) openSlotOf(l *lane) slot {
	if last := len(x.free) - 1; last >= 0 {
		number := x.free[last]
		x.free = x.free[:last]
		x.open[number] = l
		return openSlot | slot(number)
	}
	x.open = append(x.open, l)
	return openSlot | slot(len(x.open)-1)
}

// laneOf returns the lane of the thread, to be read. One that is not open is valid for its caller only.
func (x *Index) laneOf(key trace.ThreadKey) (*lane, error) {
	s := *x.slots.At(key)
	if s&openSlot != 0 {
		return x.open[s&^openSlot], nil
	}
	l, err := x.frozen(s, key)
	if err != nil {
		return &lane{thread: known{Key: key}}, err
	}
	if x.finished {
		x.relate(&l.thread.Born, &l.thread.Died, l.thread.Dead)
		for _, t := range l.tracks() {
			t.setFloors()
		}
	}
	return l, nil
}

// threadOf is laneOf for the thread alone.
func (x *Index) threadOf(key trace.ThreadKey) (*Thread, error) {
	s := *x.slots.At(key)
	if s&openSlot != 0 {
		t := x.open[s&^openSlot].thread.thread()
		return &t, nil
	}
	t := &Thread{Key: key}
	c, err := x.encoded(s)
	if err != nil {
		return t, err
	}
	if c.thread(t); c.bad {
		return &Thread{Key: key}, x.damaged()
	}
	if x.finished {
		x.relate(&t.Born, &t.Died, t.Dead)
	}
	return t, nil
}

// encoded returns a codec that reads the lane that is in a page.
func (x *Index) encoded(s slot) (codec, error) {
	text, err := x.page(int(s >> offsetBits))
	if err != nil {
		return codec{}, err
	}
	offset := int(s & (1<<offsetBits - 1))
	if offset > len(text) {
		return codec{}, x.damaged()
	}
	return codec{text: text[offset:], reading: true}, nil
}

// frozen decodes a lane that is in a page.
func (x *Index) frozen(s slot, key trace.ThreadKey) (*lane, error) {
	c, err := x.encoded(s)
	if err != nil {
		return nil, err
	}
	l := &lane{}
	c.lane(l)
	if c.bad || l.thread.Key != key || !x.holds(l) {
		return nil, x.damaged()
	}
	return l, nil
}

// page returns the text of a page.
func (x *Index) page(number int) ([]byte, error) {
	p := &x.pages
	if number == len(p.written) {
		return p.last, nil
	}
	if number > len(p.written) {
		return nil, x.damaged()
	}
	p.guard.Lock()
	defer p.guard.Unlock()
	for _, c := range p.cached {
		if c.number == number+1 {
			return c.text, nil
		}
	}
	var text []byte
	w := p.written[number]
	if err := x.readAt(&text, w.offset, w.size, w.sum); err != nil {
		return nil, err
	}
	p.cached[p.next] = cachedPage{number + 1, text}
	p.next = (p.next + 1) % maxCachedPages
	return text, nil
}

// freeze encodes the lane of a thread that gets no more records, if it is small. It has nothing that is to be flushed.
func (x *Index) freeze(key trace.ThreadKey) error {
	s := x.slots.At(key)
	l := x.open[*s&^openSlot]
	t := &l.thread
	if l.current != nil || l.pending.running != 0 ||
		len(t.ID)+len(t.Name)+len(t.Group) > maxFrozenNames ||
		len(l.spans.blocks) > maxFrozenBlocks || l.path != nil && len(l.path.blocks) > maxFrozenBlocks {
		return nil
	}
	p := &x.pages
	if len(p.last) >= pageSize {
		if err := x.writePage(); err != nil {
			return err
		}
	}
	number := uint32(*s &^ openSlot)
	*s = slot(len(p.written))<<offsetBits | slot(len(p.last))
	c := codec{text: p.last}
	c.lane(l)
	p.last = c.text
	x.open[number] = nil
	x.free = append(x.free, number)
	return nil
}

// writePage writes the page that is being filled.
func (x *Index) writePage() error {
	p := &x.pages
	p.written = append(p.written, page{x.size, uint32(len(p.last)), sumOf(p.last)})
	n, err := x.out.Write(p.last)
	x.size += int64(n)
	p.last = p.last[:0]
	return err
}

// thaw opens a lane that is in a page, for more records.
func (x *Index) thaw(s *slot, key trace.ThreadKey) (*lane, error) {
	l, err := x.frozen(*s, key)
	if err != nil {
		return nil, err
	}
	for _, t := range l.tracks() {
		t.resume()
	}
	*s = x.openSlotOf(l)
	return l, nil
}

// resume makes a track that was decoded one to which records can be added.
func (t *track) resume() {
	if n := len(t.blocks); n > 0 {
		o := newOpenBlock(openBlock{at: t.from, last: t.last, ran: t.ran}, t.blocks[n-1].reach)
		t.open = &o
	}
}

// holds reports whether the blocks of the lane are in the file.
func (x *Index) holds(l *lane) bool {
	for _, t := range l.tracks() {
		for i := range t.blocks {
			if b := &t.blocks[i]; b.offset < int64(len(magic)) || b.offset > x.size-int64(b.size) {
				return false
			}
		}
	}
	return true
}

// lane writes or reads the lane of a thread.
func (c *codec) lane(l *lane) {
	t := l.thread.thread()
	if c.thread(&t); c.reading {
		l.thread = knownOf(&t)
	}
	c.track(&l.spans)
	c.track(l.onPath())
}

// track writes or reads a track whose blocks are in the file.
func (c *codec) track(t *track) {
	sequence(c, &t.blocks, c.block)
	if len(t.blocks) == 0 && t.open == nil {
		t.ran = before
	} else if t.open != nil {
		t.ran = t.open.ran
	}
	integer(c, &t.from.time)
	integer(c, &t.from.event)
	integer(c, &t.last)
	integer(c, &t.ran)
}

// encodedSlots writes or reads the slots, and the lanes that are open.
func (c *codec) encodedSlots(x *Index) {
	sequence(c, &x.pages.written, func(p *page) {
		integer(c, &p.offset)
		integer(c, &p.size)
		integer(c, &p.sum)
	})
	size := x.laneCount()
	integer(c, &size)
	for i := 0; i < size && !c.bad; i++ {
		s := openSlot
		if !c.reading {
			s = *x.slots.At(trace.ThreadKey(i + 1))
		}
		frozen := s&openSlot == 0
		flag(c, &frozen)
		switch {
		case frozen:
			s &^= openSlot
			integer(c, &s)
			c.bad = c.bad || s&openSlot != 0
		case c.reading:
			l := &lane{}
			c.lane(l)
			s = x.openSlotOf(l)
		default:
			c.lane(x.open[s&^openSlot])
		}
		if c.reading {
			*x.slots.Change(trace.ThreadKey(i + 1)) = s
		}
	}
}
