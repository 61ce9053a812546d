package schema

import (
	"fmt"
	"strconv"

	"github.com/trcx/trcx/trace"
)

// reference is the largest reference to items of a kind, with its place; its pointer is "" if there is none. The
// largest is enough: items are numbered without gaps, so that all smaller numbers resolve if this one does.
type reference struct {
	number  int64
	text    string // the number as it is written
	place   trace.Place
	pointer string
}

// The messages for references that do not resolve.
const (
	noThread  = "is %s, but no thread has this key"
	noEvent   = "is %s, but no event has this id"
	noSession = "is %s, but no session has this number"
)

// refer updates a reference with the number of a member.
func (c *checker) refer(r *reference, v value, path ...string) {
	named := v.follow(path)
	if n, ok := named.whole(); ok && (r.pointer == "" || n > r.number) {
		*r = reference{n, shown(named), named.place, c.path.and(path...).String()}
	}
}

// referAll updates a reference with the numbers of a member's items.
func (c *checker) referAll(r *reference, v value, name string) {
	for i := range v.members[name].items {
		c.refer(r, v, name, strconv.Itoa(i))
	}
}

// resolve reports a reference that is beyond the last item.
func (c *checker) resolve(r reference, last int64, message string) {
	if r.pointer != "" && r.number > last {
		c.report(c.finding(RuleModel, r.place, r.pointer, fmt.Sprintf(message, r.text)))
	}
}

// threadKeys are the members of an event that refer to another thread.
var threadKeys = []string{"lockedThreadKey", "receiverThreadKey", "joinedThreadKey"}

// sameLength checks that a deadlock has a key for each thread.
func (c *checker) sameLength(v value) {
	ids, keys := v.members["threadIds"], v.members["threadKeys"]
	if ids.kind == list && keys.kind == list && len(ids.items) != len(keys.items) {
		c.say(RuleModel, v, []string{"threadKeys"}, "has %d items, but threadIds has %d", len(keys.items),
			len(ids.items))
	}
}
