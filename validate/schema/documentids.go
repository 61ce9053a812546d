package schema

import "hash/maphash"

// documentIDs checks the ids of a document: threads and events count from 1, and references resolve.
type documentIDs struct {
	// lost is set when a part could not be read or counted. Findings that depend on counts are then left out.
	lost bool
	// threads, events and sessions are the numbers of items read so far.
	threads, events, sessions int64
	// last is the id of the last event of the current thread.
	last int64
	// ids is the sum of the hashes of all events' ids. In any order it equals that of 1, 2, 3 … if they are these
	// numbers, and only then, except for collisions.
	ids uint64
	// seed differs from run to run, so that no input can be made to have a certain sum.
	seed maphash.Seed
	// The largest references to what may come later.
	threadRef, eventRef, sessionRef reference
}

func (d *document) countSession(value) { d.sessions++ }

func (d *document) countThread(v value) {
	d.threads++
	d.last = 0
	if key, ok := v.integer("key"); !ok {
		d.lost = true
	} else if key != d.threads {
		d.say(RuleModel, v, []string{"key"}, "is %s, but threads are numbered in their order, and this is number %d",
			shown(v.members["key"]), d.threads)
	}
	d.refer(&d.sessionRef, v, "session")
}

func (d *document) countEvent(v value) {
	d.events++
	id, ok := v.integer("id")
	switch {
	case !ok:
		d.lost = true
	case id <= d.last:
		d.say(RuleModel, v, []string{"id"},
			"is %s, but comes after %d; the events of a thread are in the order of their ids", shown(v.members["id"]),
			d.last)
	default:
		d.last = id
	}
	d.ids += maphash.Comparable(d.seed, id)
	for _, name := range threadKeys {
		d.refer(&d.threadRef, v, name)
	}
	d.refer(&d.eventRef, v, "runningEvent")
	d.referAll(&d.eventRef, v, "runningEvents")
}

func (d *document) countObject(v value) { d.refer(&d.sessionRef, v, "session") }

func (d *document) countDeadlock(v value) {
	d.sameLength(v)
	d.referAll(&d.threadRef, v, "threadKeys")
}

// end compares the document's counts and references with what was read.
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
	d.resolve(d.threadRef, d.threads, noThread)
	d.resolve(d.eventRef, d.events, noEvent)
	d.resolve(d.sessionRef, d.sessions-1, noSession)
}
