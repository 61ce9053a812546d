package schema

import (
	"hash/maphash"
	"math"
	"strconv"
)

// ids checks that ids count from 1 and that named threads, events and sessions exist. Ids are float64, as all numbers
// of JSON.
type ids struct {
	lost    bool                 // an id is unknown, so checks that need all ids are off
	highest map[string]float64   // the highest key of a thread and id of an event so far, and the number of sessions
	largest map[string]reference // the largest references to them
	events  float64              // the number of events so far
	before  float64              // the id of the last event; in a document, of the current thread's last event
	sum     uint64               // of the hashes of all events' ids
	seed    maphash.Seed         // differs from run to run, so that nobody can construct an input with a given sum

	begun, complete, cut bool // a stream has a line, has its last line, ends inside a line
}

// reference is the largest number that names a thing, and where it is. The largest is enough: things are numbered
// without gaps, so all smaller numbers are right if this one is.
type reference struct {
	number  float64
	element element
	pointer string
}

// references are pointers to the values that name things.
var references = map[string][]string{
	"thread":  {"/lockedThreadKey", "/receiverThreadKey", "/joinedThreadKey", "/thread", "/threadKeys"},
	"event":   {"/runningEvent", "/runningEvents", "/cause", "/running", "/replaces"},
	"session": {"/session"},
}

// count checks the ids of an item of one of the document's lists, or of a line.
func (c *checker) count(kind string, e element) {
	members, _ := e.value.(map[string]any)
	line := kind == "line"
	if line {
		kind, _ = members["kind"].(string)
		c.want((kind == "trace") != c.begun, e, "", `the first line is of kind "trace", and no other is`)
		c.want(!c.complete, e, "", `comes after that of kind "end"`)
		c.begun = true
	}
	switch kind {
	case "session":
		c.highest[kind]++
	case "thread":
		key, next := c.id(members["key"]), c.highest[kind]+1
		// A stream describes a thread again when it knows more.
		c.want(key == next || key < next && line, e, "/key",
			"is %.15g, but threads are numbered in their order, and the next one is number %.15g", key, next)
		if c.highest[kind] = max(c.highest[kind], key); !line {
			c.before = 0
		}
	case "event":
		c.events++
		id := c.id(members["id"])
		// In a stream before+1 and the number of events are equal, unless an earlier id is wrong.
		c.want(line && (id == c.before+1 || id == c.events) || !line && id > c.before, e, "/id",
			"is %.15g, but comes after %.15g; events are in the order of their ids, 1, 2, 3 …", id, c.before)
		c.before, c.highest[kind] = id, max(c.highest[kind], id)
		c.sum += maphash.Comparable(c.seed, id)
	case "deadlock":
		threads, _ := members["threadIds"].([]any)
		keys, _ := members["threadKeys"].([]any)
		c.want(len(keys) == len(threads), e, "/threadKeys", "has %d items, but threadIds has %d", len(keys), len(threads))
	case "end":
		c.complete = true
		c.total(e, "/events", members["events"])
	}
	e.value = nil
	for thing, pointers := range references {
		for _, pointer := range pointers {
			c.refer(thing, e, pointer, members[pointer[1:]])
		}
	}
	if line {
		c.resolve("thread", c.highest["thread"], " so far")
		delete(c.largest, "thread")
	}
}

// refer updates the largest reference with a value, or with each item of a list.
func (c *checker) refer(thing string, e element, pointer string, value any) {
	list, _ := value.([]any)
	for i, item := range list {
		c.refer(thing, e, pointer+"/"+strconv.Itoa(i), item)
	}
	if number, ok := whole(value); ok && (number > c.largest[thing].number || c.largest[thing].pointer == "") {
		c.largest[thing] = reference{number, e, pointer}
	}
}

// resolve reports a reference beyond the last thing.
func (c *checker) resolve(thing string, last float64, when string) {
	if r, ok := c.largest[thing]; ok {
		c.want(r.number <= last, r.element, r.pointer, "is %.15g, but there is no such %s%s", r.number, thing, when)
	}
}

// total checks the number of events that the model states.
func (c *checker) total(e element, pointer string, given any) {
	events, ok := whole(given)
	c.want(!ok || events == c.events, e, pointer, "is %.15g, but there are %.15g", events, c.events)
}

func (c *checker) endDocument(e element) {
	members, _ := e.value.(map[string]any)
	summary, _ := members["trace"].(map[string]any)
	c.total(e, "/trace/events", summary["events"])
	// In any order, ids have the same sum of hashes as 1, 2, 3 … only if they are these numbers, except for collisions.
	for id := range int64(c.events) {
		c.sum -= maphash.Comparable(c.seed, float64(id+1))
	}
	c.want(c.sum == 0, e, "/threads", "the ids of the %.15g events are not the numbers from 1 on, each once", c.events)
	c.resolve("thread", c.highest["thread"], "")
	c.resolve("event", c.highest["event"], "")
	c.resolve("session", c.highest["session"]-1, "") // they are numbered from 0
}

// want reports that a number is wrong, unless others are unknown.
func (c *checker) want(right bool, e element, pointer, format string, arguments ...any) {
	if !right && !c.lost {
		c.say(RuleModel, e, pointer, format, arguments...)
	}
}

// id returns an id, or notes that it is unknown.
func (c *checker) id(v any) float64 {
	id, ok := whole(v)
	c.lost = c.lost || !ok
	return id
}

// whole returns an integer of 0 or more.
func whole(v any) (n float64, ok bool) {
	n, ok = v.(float64)
	return n, ok && n >= 0 && n == math.Trunc(n)
}
