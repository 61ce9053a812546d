package allocation

import "github.com/trcx/trcx/trace"

// object is a live object: the index of its cell, the number of collections that ended before it was allocated, and its
// size in bytes.
type object struct {
	cell, born uint32
	size       uint64
}

// objects are the live objects by their ids.
type objects struct {
	numbered map[uint64]object
	texts    map[trace.ObjectID]object // of ids that are no numbers
}

func (o *objects) get(id trace.ObjectID) (object, bool) {
	if number, ok := id.Number(); ok {
		found, known := o.numbered[number]
		return found, known
	}
	found, known := o.texts[id]
	return found, known
}

func (o *objects) set(id trace.ObjectID, value object) {
	if o.numbered == nil {
		o.numbered, o.texts = map[uint64]object{}, map[trace.ObjectID]object{}
	}
	if number, ok := id.Number(); ok {
		o.numbered[number] = value
	} else {
		o.texts[id] = value
	}
}

func (o *objects) remove(id trace.ObjectID) {
	if number, ok := id.Number(); ok {
		delete(o.numbered, number)
	} else {
		delete(o.texts, id)
	}
}

// move gives an object another id.
func (o *objects) move(from, to trace.ObjectID) {
	if value, known := o.get(from); known && from != to {
		o.remove(from)
		o.set(to, value)
	}
}

// size returns the number of objects.
func (o *objects) size() int { return len(o.numbered) + len(o.texts) }

// each calls the function for all objects, in no order.
func (o *objects) each(do func(object)) {
	for _, value := range o.numbered {
		do(value)
	}
	for _, value := range o.texts {
		do(value)
	}
}
