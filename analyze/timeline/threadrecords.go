package timeline

import (
	"hash/crc32"
	"math"

	"github.com/trcx/trcx/trace"
)

// track is a sequence of records about one thread: full blocks in the file, and an open one.
type track struct {
	blocks []block
	open   block
	text   []byte // text of the open block
	from   base   // for its next record
	// last is the end of the last span, or the start of the session: spans do not overlap, whatever their times are.
	// ran is the end of the last Running span, or before.
	last, ran int64
}

// before is a time before all others.
const before = math.MinInt64

// newTrack returns an empty track whose spans begin at the time or later.
func newTrack(last int64) track {
	return track{last: last, ran: before, open: newBlock(base{}, last, before, -never)}
}

// newBlock returns a block that continues a track; reach is the latest end of all blocks before.
func newBlock(from base, last, ran, reach int64) block {
	return block{from: from, last: last, ran: ran, begin: never, end: -never, firstSpan: never, reach: reach,
		floor: -never}
}

// block is the place of records in the file, with their sums: a window in which they are in one bucket need not read
// them. It has many fields because together they are one entry of the saved directory.
type block struct {
	offset  int64
	size    uint32
	sum     uint32 // of its text
	records uint32
	from    base // of the first record
	// last is the end of the span before the first one, to which all others are cut.
	last, ran int64
	// begin and end cover all records. firstSpan is the begin of the first span, or never, spanEnd the end of the last
	// one.
	begin, end, firstSpan, spanEnd int64
	// reach is the latest end in this block and all before it. floor is the earliest begin in it and all after it, once
	// that is known.
	reach, floor int64
	times        [StateCount]int64
	counts       [StateCount]uint32
	instants     [InteractionCount]uint32
	// events has the least and the greatest event of the spans and instants, causes of the effects.
	events, causes eventRange
	arrows         uint32
	heaviest       Arrow // the arrow that ended the longest wait
}

// castagnoli is the polynomial of the sums; processors have an instruction for it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumOf returns the checksum of a block's text.
func sumOf(text []byte) uint32 { return crc32.Checksum(text, castagnoli) }

// eventRange is a range of events. The zero range is empty.
type eventRange struct{ least, most trace.EventID }

func (r *eventRange) add(event trace.EventID) {
	if r.least == 0 || event < r.least {
		r.least = event
	}
	r.most = max(r.most, event)
}

func (r *eventRange) has(event trace.EventID) bool { return event >= r.least && event <= r.most }

// never is a time after all others.
const never = math.MaxInt64

// sum adds a record of the open block, which is about the thread, to the block's sums.
func (t *track) sum(r *record, thread trace.ThreadKey) {
	b := &t.open
	b.records++
	switch {
	case r.isSpan():
		begin, end := cut(r, t.last)
		if r.kind == recordKind(Running) {
			if r.cause.Event != 0 {
				b.arrow(arrowOf(r, thread, begin, t.ran))
			}
			t.ran = end
		}
		t.last = end
		b.firstSpan, b.spanEnd = min(b.firstSpan, begin), end
		b.times[r.kind] += end - begin
		b.counts[r.kind]++
		b.events.add(r.event)
		b.cover(begin, end)
	case r.kind == instantRecord:
		b.instants[r.interaction]++
		b.events.add(r.event)
		b.cover(r.begin, r.begin)
	default:
		b.causes.add(r.event)
	}
}

// cut returns the times of a span after the end of the previous one. The times of real threads go back by up to 2 ms.
func cut(r *record, last int64) (begin, end int64) {
	begin = max(r.begin, last)
	return begin, max(r.end, begin)
}

// arrowOf returns the arrow to a Running span that has a cause. The thread had run until ran; if it never ran, it has
// waited since the cause.
func arrowOf(r *record, thread trace.ThreadKey, begin, ran int64) Arrow {
	if ran == before {
		ran = r.cause.Time
	}
	return Arrow{Type: r.interaction, From: r.cause, To: End{r.event, thread, begin}, Waited: max(begin-ran, 0)}
}

func (b *block) arrow(a Arrow) {
	if b.arrows == 0 || a.Waited > b.heaviest.Waited {
		b.heaviest = a
	}
	b.arrows++
}

func (b *block) cover(begin, end int64) {
	b.begin, b.end = min(b.begin, begin), max(b.end, end)
	b.reach = max(b.reach, end)
}

// setFloors sets the floor of each block, after the last one.
func (t *track) setFloors() {
	floor := int64(never)
	for i := len(t.blocks) - 1; i >= 0; i-- {
		floor = min(floor, t.blocks[i].begin)
		t.blocks[i].floor = floor
	}
}

// close appends the open block, at the offset of the file, to the full ones.
func (t *track) close(offset int64) {
	b := t.open
	b.offset, b.size, b.sum = offset, uint32(len(t.text)), sumOf(t.text)
	t.blocks = append(t.blocks, b)
	t.open = newBlock(t.from, t.last, t.ran, b.reach)
	t.text = t.text[:0]
}
