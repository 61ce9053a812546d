package drain

import (
	"slices"

	"github.com/trcx/trcx/emit/trcxml"
)

// returns has the offsets of the last monWaited elements of virtual threads in the text. From JDK 24 on, a virtual
// thread that has to wait for the monitor after its Object.wait posts no MonitorContendedEnter, only
// MonitorContendedEntered. That it was blocked since its monWaited is known only then.
type returns struct {
	flush  uint64 // the number of the text's flush
	places []place
}

// place is the offset in the text at which a thread's line ends.
type place struct {
	thread int64
	end    int
}

// maxMoved is how many bytes of the text are moved to insert a line.
const maxMoved = 16 << 10

// note notes that the text ends with a monWaited of the thread.
func (x *returns) note(d *delivery, thread int64) {
	if x.flush != d.number {
		x.flush, x.places = d.number, x.places[:0]
	}
	x.places = append(x.places, place{thread, len(d.text)})
}

// find returns the index of the thread's last place, or -1 if it is flushed or too far back.
func (x *returns) find(d *delivery, thread int64) int {
	if x.flush != d.number {
		return -1
	}
	for i := len(x.places) - 1; i >= 0 && len(d.text)-x.places[i].end <= maxMoved; i-- {
		if x.places[i].thread == thread {
			return i
		}
	}
	return -1
}

// insertEnter inserts the missing monContendedEnter after the thread's monWaited, if that is not flushed.
func (d *Drainer) insertEnter(t *thread) {
	i := -1
	if t.virtual {
		i = d.returns.find(&d.delivery, t.id)
	}
	if i < 0 {
		return
	}
	end, before := d.returns.places[i].end, len(d.delivery.text)
	d.write(enter, nil, trcxml.Number(t.id), trcxml.Number(t.since), trcxml.Number(int64(t.Object)))
	d.scratch.inserted = append(d.scratch.inserted[:0], d.delivery.text[before:]...)
	d.delivery.text = slices.Insert(d.delivery.text[:before], end, d.scratch.inserted...)
	for later := i + 1; later < len(d.returns.places); later++ {
		d.returns.places[later].end += len(d.scratch.inserted)
	}
}
