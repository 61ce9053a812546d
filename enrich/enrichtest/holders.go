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
	end    *Event // T's next state event, nil until it comes
	cuts   []cut
}

// cut is an assignment of owner(obj), or a call stack of the owner.
type cut struct {
	at    int64
	owner *thread // nil if no thread is known to hold the monitor
	place Place
	stays bool // only a call stack, the owner is the same
}

// assign sets owner(obj), which is also the thread that holds the monitor.
func (o *oracle) assign(object string, owner *thread) {
	o.owner[object] = owner
	o.hold(object, owner)
}

// hold sets the thread that holds the monitor, nil if none is known: "each WaitingForLock interval on obj … is cut at
// every assignment of owner(obj), also of the same thread or of none, that records between the WaitingForLock and T's
// next state event make". "From a monitor's monWait until the next such event nobody is known to hold it".
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

// HeldPart is a part of a WaitingForLock interval, in nanoseconds since the
// trace's start.
type HeldPart struct {
	Thread   int // the key of the thread that held the monitor; 0 if unknown
	From, To int64
}

// holderParts cuts all intervals. A time before the begin of a part counts as its begin, and one after the end of the
// interval as its end. held are the parts before they are cut at places.
func (o *oracle) holderParts() (all []HolderPart, held map[int][]HeldPart) {
	held = map[int][]HeldPart{}
	for _, b := range o.blocks {
		end := o.latest
		if b.end != nil {
			end = o.timeOf(b.end)
		}
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
			part := HolderPart{Interval: b.state.ID, Holder: Holder{Object: b.state.LockedObject}}
			if c.owner != nil {
				part.Thread = c.owner.Key
			}
			held[part.Interval] = append(held[part.Interval], HeldPart{part.Thread, at - o.start, until - o.start})
			inParts(b.cuts[i:next], at, until, func(p Place, from, to int64) {
				part.Place, part.From, part.To = p, from-o.start, to-o.start
				all = append(all, part)
			})
			at = until
		}
	}
	return all, held
}

// HoldersIn counts the holders' parts within a window, and sums those with a known place by place.
func (d *Doc) HoldersIn(since, until int64) (map[Holder]Held, map[HolderPlace]int64) {
	type intervalOf struct {
		Holder
		interval int
	}
	all, places, counted := map[Holder]Held{}, map[HolderPlace]int64{}, map[intervalOf]bool{}
	for _, p := range d.HolderParts {
		length := min(p.To, until) - max(p.From, since)
		if length <= 0 {
			continue
		}
		held := all[p.Holder]
		held.Total += length
		if of := (intervalOf{p.Holder, p.Interval}); !counted[of] {
			counted[of] = true
			held.Count++
		}
		all[p.Holder] = held
		if p.Place != (Place{}) {
			places[HolderPlace{p.Holder, p.Place}] += length
		}
	}
	return all, places
}
