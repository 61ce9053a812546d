package enrichtest

import (
	"slices"
	"strings"
)

// HolderPart is a part of a WaitingForLock interval, in nanoseconds since the
// trace's start.
type HolderPart struct {
	Interval int // the id of its event
	Holder
	Place    Place
	From, To int64
}

// HolderPlace is a place of a Holder.
type HolderPlace struct {
	Holder
	Place
}

// Place is where the owner of a monitor was. The zero Place is unknown.
type Place struct {
	Class, Method, File string
	Line                int // -1 if unknown
	Probable            bool
}

// sighting is a call stack of a thread.
type sighting struct {
	element int // its number in the file
	thread  *thread
	object  string // of whose owner it is a sample, under its current id; "" for the thread's own
	stack   []Frame
	wait    *Event // the state of a wait whose record has it
	at      int64
	event   int // the id of the event appended by the thread's own record; for a sample, of the latest event
}

// Sighting is where a thread was, by its own call stack or as a sampler saw it.
type Sighting struct {
	Thread  int  // its key
	Sampled bool // else its own
	Time    int64
	Event   int // as in sighting
	Place   Place
}

// seen returns all sightings.
func (o *oracle) seen() (all []Sighting) {
	for _, s := range o.sightings {
		all = append(all, Sighting{s.thread.Key, s.object != "", s.at - o.start, s.event, placeOf(s.stack, false)})
	}
	return all
}

// inParts cuts a part of an owner, from one time to another, "once more at
// every such sample of obj, and at every record of the owner that has a call
// stack of its own …; times before the latest cut count as it".
func inParts(cuts []cut, at, until int64, tell func(p Place, from, to int64)) {
	for i, c := range cuts {
		next := until
		if i+1 < len(cuts) {
			next = min(cuts[i+1].at, until)
		}
		if next > at {
			tell(c.place, at, next)
			at = next
		}
	}
}

// placeIn: "A part belongs to the latest such sample or stack of its owner up
// to its begin in file order, if that was made since the owner last became the
// owner …; else to the owner's latest stack before, marked probable; else to
// none. The stack made by the record of a wait is no guess while that wait
// lasts."
func (o *oracle) placeIn(object string) Place {
	owner := o.holder(object)
	if owner == nil {
		return Place{}
	}
	var before *sighting
	for i := len(o.sightings) - 1; i >= 0; i-- {
		s := &o.sightings[i]
		if s.thread != owner || s.object != "" && s.object != object {
			continue
		}
		if s.element >= o.since[object] {
			return placeOf(s.stack, false)
		}
		if before == nil {
			before = s
		}
	}
	for _, s := range slices.Backward(o.sightings) {
		if s.thread == owner && s.object == "" {
			if s.wait != nil && s.wait == owner.interval {
				o.applied("place of a wait")
				return placeOf(s.stack, false)
			}
			break
		}
	}
	if before == nil {
		return Place{}
	}
	o.applied("probable place")
	return placeOf(before.stack, true)
}

// placeOf: "A place is the innermost frame outside java., javax., jdk., sun.,
// kotlin., scala. and the skipped ones (a stack without such a frame: its
// innermost)". A method that is not defined names no place.
func placeOf(stack []Frame, probable bool) Place {
	at := stack[0]
	for _, f := range stack {
		root, _, _ := strings.Cut(strings.ReplaceAll(f.Class, "/", "."), ".")
		if !slices.Contains([]string{"java", "javax", "jdk", "sun", "kotlin", "scala"}, root) || root == f.Class {
			at = f
			break
		}
	}
	if at.Method == "" {
		return Place{}
	}
	place := Place{at.Class, at.Method, at.File, -1, probable}
	if at.Line != nil {
		place.Line = *at.Line
	}
	return place
}

// sample keeps where an enter with ownerStack has seen the owner. "An enter
// whose ownerStack has no known threadOwner is ignored; the first enter may
// carry one, too."
func (o *oracle) sample(object string, e element) {
	text, ok := e.annotation("ownerStack")
	owner := o.incarnated[e.attr("threadOwner")]
	if !ok || owner == nil {
		return
	}
	frames, ok := parseStack(text)
	if !ok {
		return
	}
	stack := o.frames(frames)
	if stack == nil {
		return
	}
	o.applied("sampled owner")
	o.sightings = append(o.sightings, sighting{len(o.history), owner, object, stack, nil, o.now, len(o.events)})
}

// seeSelf keeps the call stack of a thread's own record, which has appended an
// event.
func (o *oracle) seeSelf(t *thread, event *Event, stack []Frame) {
	s := sighting{len(o.history), t, "", stack, nil, o.now, event.ID}
	if event.IsState() && event.Type != Running && event.Type != Dead {
		s.wait = event
	}
	o.sightings = append(o.sightings, s)
	o.cutHeld(t)
}

// cutHeld cuts the intervals on all that the thread holds.
func (o *oracle) cutHeld(t *thread) {
	for object := range o.held {
		if o.holder(object) == t {
			o.cutBlocks(object, true)
		}
	}
}

// leaveWait cuts where the stack of a wait becomes a guess.
func (o *oracle) leaveWait(t *thread, leave func()) {
	before := map[string]Place{}
	if t.interval == nil || t.interval.Type == Running {
		leave()
		return
	}
	for object := range o.held {
		if o.holder(object) == t {
			before[object] = o.placeIn(object)
		}
	}
	leave()
	for object, place := range before {
		if o.placeIn(object) != place {
			o.cutBlocks(object, true)
		}
	}
}

// moveSightings keeps what samples of an object have seen under its new id.
func (o *oracle) moveSightings(from, to string) {
	for i := range o.sightings {
		switch o.sightings[i].object {
		case to:
			o.sightings[i].object = "none"
		case from:
			o.sightings[i].object = to
		}
	}
}
