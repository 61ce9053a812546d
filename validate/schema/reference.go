package schema

import (
	"fmt"
	"strconv"

	"github.com/trcx/trcx/trace"
)

// reference is where the largest number stands that names a thing of a kind; it has no pointer while there is none. The
// largest is enough: things are numbered without a gap, so that every smaller number leads somewhere if this one does.
type reference struct {
	number  int64
	text    string // the number as it stands
	place   trace.Place
	pointer string
}

// What is wrong with a number that leads nowhere.
const (
	noThread  = "is %s, but no thread has this key"
	noEvent   = "is %s, but no event has this id"
	noSession = "is %s, but no session has this number"
)

// names notes the number that a member is.
func (c *checker) names(r *reference, v value, path ...string) {
	named := v.follow(path)
	if n, ok := named.whole(); ok && (r.pointer == "" || n > r.number) {
		*r = reference{n, shown(named), named.place, c.path.and(path...).String()}
	}
}

// namesAll notes the numbers that the items of a member are.
func (c *checker) namesAll(r *reference, v value, name string) {
	for i := range v.members[name].items {
		c.names(r, v, name, strconv.Itoa(i))
	}
}

// leads reports a reference that leads beyond the last thing.
func (c *checker) leads(r reference, last int64, message string) {
	if r.pointer != "" && r.number > last {
		c.report(c.finding(RuleModel, r.place, r.pointer, fmt.Sprintf(message, r.text)))
	}
}

// The members of an event that name another thread by its key.
var threadKeys = []string{"lockedThreadKey", "receiverThreadKey", "joinedThreadKey"}

// sameLength checks that a deadlock has a key for each thread.
func (c *checker) sameLength(v value) {
	ids, keys := v.members["threadIds"], v.members["threadKeys"]
	if ids.kind == list && keys.kind == list && len(ids.items) != len(keys.items) {
		c.say(RuleModel, v, []string{"threadKeys"}, "has %d items, but threadIds has %d", len(keys.items),
			len(ids.items))
	}
}
