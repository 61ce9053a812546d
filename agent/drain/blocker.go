package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// blockers knows which of the objects that threads park for are locks.
type blockers struct {
	locks map[int64]bool // classes with an instance that had an owner

	// The classes of objects that were defined or asked for recently. When fresh is full, it becomes older, and the
	// previous older is forgotten.
	fresh, older map[int64]int64

	permitClass int64 // the class of permit objects; 0 if it is not defined
	permits     int64 // number of permit objects
}

const (
	// maxFresh is the least number of objects whose classes are kept.
	maxFresh = 1 << 12
	// firstPermit is below the ids of permit objects and of their class. The agent counts its ids from 1000, and needs
	// years to get there. JavaScript's numbers can hold them.
	firstPermit = 1 << 52
)

func newBlockers() blockers {
	return blockers{locks: map[int64]bool{}, fresh: map[int64]int64{}}
}

// define keeps the class of an object.
func (b *blockers) define(object, class int64) {
	if len(b.fresh) == maxFresh {
		b.fresh, b.older = b.older, b.fresh
		if clear(b.fresh); b.fresh == nil {
			b.fresh = map[int64]int64{}
		}
	}
	b.fresh[object] = class
}

// class returns the class of an object, or 0 if it is forgotten.
func (b *blockers) class(object int64) int64 {
	if class, ok := b.fresh[object]; ok {
		return class
	}
	class, ok := b.older[object]
	if ok {
		b.define(object, class)
	}
	return class
}

// isLock reports whether the blocker of a Park is a lock: its class is one of the JDK's locks, or another instance of
// the class was seen with an owner.
func (b *blockers) isLock(r *ring.Record, owner int64) bool {
	if r.Flags&ring.IsLock != 0 {
		return true
	}
	if r.Flags&ring.Ownable == 0 {
		return false
	}
	class := b.class(r.Object)
	if owner != 0 && class != 0 {
		b.locks[class] = true
	}
	return owner != 0 || b.locks[class]
}

// blocker returns the object that the thread parks for: the blocker, or its permit object, which is defined by its
// first use.
func (d *Drainer) blocker(t *thread, r *ring.Record, now int64) int64 {
	if r.Object != 0 {
		return r.Object
	}
	if t.parks.permitObject != 0 {
		return t.parks.permitObject
	}
	b := &d.blockers
	if b.permitClass == 0 {
		b.permitClass = firstPermit
		names := d.names([]byte(javaname.PermitClass), []byte("LockSupport.java"))
		d.write(classDefAlone, nil, names[0], names[1], trcxml.Number(b.permitClass), trcxml.Number(now))
	}
	b.permits++
	t.parks.permitObject = firstPermit + b.permits
	d.write(objAlloc, nil, trcxml.Number(t.parks.permitObject), trcxml.Number(b.permitClass), trcxml.Number(now))
	return t.parks.permitObject
}

var stateName = trcxml.Text([]byte(trace.NoteState))

// state handles State: it writes the fields of an object for which threads wait. A state that no reader would
// understand is left out.
func (d *Drainer) state(r *ring.Record) {
	now := d.traceTime(r.Time)
	value := digits.Append(d.scratch.annotation[:0], uint64(r.Object))
	value = append(trace.Time(now).AppendTo(append(value, ' ')), r.Payload...)
	d.scratch.annotation = value
	var state trace.ObjectState
	if !state.Parse(value) {
		d.summary.Strays++
		return
	}
	d.noteTime(now)
	d.write(topAnnotation, nil, stateName, trcxml.Text(value))
}
