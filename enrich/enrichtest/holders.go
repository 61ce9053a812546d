package enrichtest

// Holder is a thread that held a monitor while others were blocked on it.
type Holder struct {
	Object string // the monitor, by the id that the WaitingForLock events name
	Thread int    // the key; 0 if unknown
}

// Held counts the intervals in which a Holder has a part, and sums its parts in
// nanoseconds.
type Held struct{ Count, Total int64 }

// block is a WaitingForLock interval, and the assignments of owner(obj) in it.
type block struct {
	object string // under its current id
	state  *Event
	end    *Event // T's next state event, nil as long as there is none
	cuts   []cut
}

// cut is an assignment of owner(obj), or a call stack of the owner.
type cut struct {
	at    int64
	owner *thread // nil if nobody is known to hold the monitor
	place Place
	stays bool // it is a call stack alone
}

// assign sets owner(obj), which is also who holds the monitor.
func (o *oracle) assign(object string, owner *thread) {
	o.owner[object] = owner
	o.hold(object, owner)
}

// hold sets who holds the monitor, nil for nobody who is known: "each
// WaitingForLock interval on obj … is cut at every assignment of owner(obj),
// also of the same thread or of none, that records between the WaitingForLock
// and T's next state event make". "From a monitor's monWait until the next such
// event nobody is known to hold it".
func (o *oracle) hold(object string, holder *thread) {
	before := o.holder(object)
	o.held[object] = holder
	if o.holder(object) != before {
		o.since[object] = len(o.history)
	}
	o.cutBlocks(object, false)
}

// cutBlocks cuts the intervals on the monitor.
func (o *oracle) cutBlocks(object string, stays bool) {
	for _, b := range o.blocks {
		if b.end == nil && b.object == object {
			b.cuts = append(b.cuts, cut{o.now, o.holder(object), o.placeIn(object), stays})
		}
	}
}

// holder: "nobody is known to hold it … from the owner's end on, by threadEnd
// or because its id began anew".
func (o *oracle) holder(object string) *thread {
	if t := o.held[object]; t != nil && !t.dead && o.incarnated[t.ThreadID] == t {
		return t
	}
	return nil
}

// endHolds ends what the thread, which has ended or whose id begins anew, held.
func (o *oracle) endHolds(t *thread) {
	for object, holder := range o.held {
		if holder == t {
			o.hold(object, nil)
		}
	}
}

// beginBlock begins an interval "with owner(obj) as the enter left it".
func (o *oracle) beginBlock(t *thread, object string, state *Event) {
	t.block = &block{object: object, state: state, cuts: []cut{{o.now, o.holder(object), o.placeIn(object), false}}}
	o.blocks = append(o.blocks, t.block)
}

// holders counts the parts of all intervals. A time before the begin of a part
// counts as that, one after the end of the interval as this.
func (o *oracle) holders() (map[Holder]Held, map[HolderPlace]int64) {
	all, places := map[Holder]Held{}, map[HolderPlace]int64{}
	for _, b := range o.blocks {
		end := o.latest
		if b.end != nil {
			end = o.timeOf(b.end)
		}
		parts := map[int]int64{}
		at := o.timeOf(b.state)
		for i, c := range b.cuts {
			if c.stays {
				continue
			}
			next := i + 1
			for next < len(b.cuts) && b.cuts[next].stays {
				next++
			}
			until := end
			if next < len(b.cuts) {
				until = min(b.cuts[next].at, end)
			}
			if until <= at {
				continue
			}
			key := 0
			if c.owner != nil {
				key = c.owner.Key
			}
			parts[key] += until - at
			inParts(b.cuts[i:next], at, until, func(p Place, length int64) {
				if p != (Place{}) {
					places[HolderPlace{Holder{b.state.LockedObject, key}, p}] += length
				}
			})
			at = until
		}
		for key, length := range parts {
			holder := Holder{b.state.LockedObject, key}
			held := all[holder]
			all[holder] = Held{held.Count + 1, held.Total + length}
		}
	}
	return all, places
}
