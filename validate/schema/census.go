package schema

import "hash/maphash"

// census is what is counted in a document, for its promises: the numbers in it count, and what is named is there.
type census struct {
	// lost says that something could not be read or counted. What follows from counting is not said any more.
	lost bool
	// threads, events and sessions are how many there have been.
	threads, events, sessions int64
	// last is the id of the last event of the thread at hand.
	last int64
	// ids is a sum over the ids of all events. Whatever their order, it is that of 1, 2, 3 … if they are these numbers,
	// and, as far as hashes go, only then.
	ids uint64
	// seed makes the hashes of one run different from those of another, so that nobody can aim at a sum.
	seed maphash.Seed
	// The largest numbers by which something is named that may come later.
	threadNamed, eventNamed, sessionNamed reference
}

func (d *document) noteSession(value) { d.sessions++ }

func (d *document) noteThread(v value) {
	d.threads++
	d.last = 0
	if key, ok := v.integer("key"); !ok {
		d.lost = true
	} else if key != d.threads {
		d.say(RuleModel, v, []string{"key"}, "is %s, but threads are numbered in their order, and this is number %d",
			shown(v.members["key"]), d.threads)
	}
	d.names(&d.sessionNamed, v, "session")
}

func (d *document) noteEvent(v value) {
	d.events++
	id, ok := v.integer("id")
	switch {
	case !ok:
		d.lost = true
	case id <= d.last:
		d.say(RuleModel, v, []string{"id"},
			"is %s, but comes after %d; the events of a thread stand in the order of their ids", shown(v.members["id"]),
			d.last)
	default:
		d.last = id
	}
	d.ids += maphash.Comparable(d.seed, id)
	for _, name := range threadKeys {
		d.names(&d.threadNamed, v, name)
	}
	d.names(&d.eventNamed, v, "runningEvent")
	d.namesAll(&d.eventNamed, v, "runningEvents")
}

func (d *document) noteObject(v value) { d.names(&d.sessionNamed, v, "session") }

func (d *document) noteDeadlock(v value) {
	d.sameLength(v)
	d.namesAll(&d.threadNamed, v, "threadKeys")
}

// end compares what the document says with what was counted.
func (d *document) end(root value) {
	if d.lost {
		return
	}
	declared := root.members["trace"].members["events"]
	if events, ok := declared.whole(); ok && events != d.events {
		d.say(RuleModel, root, []string{"trace", "events"}, "is %s, but the document has %d events", shown(declared),
			d.events)
	}
	var numbered uint64
	for id := range d.events {
		numbered += maphash.Comparable(d.seed, id+1)
	}
	if d.ids != numbered {
		d.say(RuleModel, root, []string{"threads"},
			"the ids of the %d events in it are not the numbers from 1 on, each once", d.events)
	}
	d.leads(d.threadNamed, d.threads, noThread)
	d.leads(d.eventNamed, d.events, noEvent)
	d.leads(d.sessionNamed, d.sessions-1, noSession)
}
