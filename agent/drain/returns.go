package drain

import (
	"slices"

	"github.com/trcx/trcx/emit/trcxml"
)

// returns has the places of the last monWaited elements of virtual threads in the text. From JDK 24 on, such a thread
// that finds the monitor taken when it comes back from its wait tells only that it got it in the end; that it was
// blocked, and so since its monWaited, is known only then.
type returns struct {
	flush  uint64 // of which text
	places []place
}

// place is where a thread's line ends in the text.
type place struct {
	thread int64
	end    int
}

// farthest is how many bytes of the text are moved to make room for a line.
const farthest = 16 << 10

// note notes that the text ends with a monWaited of the thread.
func (x *returns) note(d *delivery, thread int64) {
	if x.flush != d.number {
		x.flush, x.places = d.number, x.places[:0]
	}
	x.places = append(x.places, place{thread, len(d.text)})
}

// find is the index of the thread's last place, or -1 if that is not in the text any more, or too far back.
func (x *returns) find(d *delivery, thread int64) int {
	if x.flush != d.number {
		return -1
	}
	for i := len(x.places) - 1; i >= 0 && len(d.text)-x.places[i].end <= farthest; i-- {
		if x.places[i].thread == thread {
			return i
		}
	}
	return -1
}

// insertEnter writes the monContendedEnter that is missing behind the thread's monWaited, if that is still possible.
func (d *Drainer) insertEnter(t *thread) {
	i := -1
	if t.virtual {
		i = d.returns.find(&d.delivery, t.id)
	}
	if i < 0 {
		return
	}
	end, before := d.returns.places[i].end, len(d.delivery.text)
	d.write(enter, nil, trcxml.Number(t.id), trcxml.Number(t.since), trcxml.Number(t.object))
	d.inserted = append(d.inserted[:0], d.delivery.text[before:]...)
	d.delivery.text = slices.Insert(d.delivery.text[:before], end, d.inserted...)
	for later := i + 1; later < len(d.returns.places); later++ {
		d.returns.places[later].end += len(d.inserted)
	}
}
