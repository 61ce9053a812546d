package schema

import (
	"encoding/json"
	"math/big"
	"net/url"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// value is a JSON value with the places of all that is in it.
type value struct {
	place   trace.Place
	kind    kind
	text    string // of a string, without escapes; of a number, as it stands
	items   []value
	members map[string]value
}

// kind is what sort of value it is.
type kind uint8

const (
	unread kind = iota // not kept, because it is too large or unknown
	null
	yes
	no
	number
	text
	list
	object
)

// kindNames are for messages.
var kindNames = [...]string{
	unread: "unread", null: "null", yes: "a boolean", no: "a boolean", number: "a number", text: "a string",
	list: "an array", object: "an object",
}

// plain is the value as the schema's validator takes it.
func (v value) plain() any {
	switch v.kind {
	case yes, no:
		return v.kind == yes
	case number:
		return json.Number(v.text)
	case text:
		return v.text
	case list:
		items := make([]any, len(v.items))
		for i, item := range v.items {
			items[i] = item.plain()
		}
		return items
	case object:
		members := make(map[string]any, len(v.members))
		for name, member := range v.members {
			if name == comparedList {
				member = member.comparable()
			}
			members[name] = member.plain()
		}
		return members
	}
	return nil
}

// comparedList names the only list whose items the schemas want to be different.
const comparedList = "runningEvents"

// comparable is a list in which nothing takes long to compare. The validator compares those items with each other of
// which a simple hash is the same, and arrays and objects can be made to have the same one by the ten thousands. As
// none of them belongs there anyway, strings stand in for them, which do not either.
func (v value) comparable() value {
	items := make([]value, len(v.items))
	for i, item := range v.items {
		if item.kind >= list {
			item = value{kind: text, text: "\x00" + strconv.Itoa(i)}
		}
		items[i] = item
	}
	v.items = items
	return v
}

// follow is the value to which the names lead; where they lead nowhere, it is the last one on the way.
func (v value) follow(names []string) value {
	for _, name := range names {
		inner, ok := v.members[name]
		if i, err := strconv.Atoi(name); err == nil && 0 <= i && i < len(v.items) {
			inner, ok = v.items[i], true
		}
		if !ok {
			break
		}
		v = inner
	}
	return v
}

// unescape undoes the escapes of a JSON pointer.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// segments splits a JSON pointer in the form of a URI's fragment into names.
func segments(pointer string) []string {
	if pointer == "" {
		return nil
	}
	names := strings.Split(pointer[1:], "/")
	for i, name := range names {
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
		names[i] = unescape.Replace(name)
	}
	return names
}

// integer is the number that the member is, if it is there and whole.
func (v value) integer(name string) (n int64, ok bool) { return v.members[name].whole() }

// mostCounted is beyond every number that something in a model has, and so far from the largest int64 that one can be
// added to it.
const mostCounted = 1 << 62

// whole is the number that the value is; it is not ok if it is anything else than an integer of 0 or more. A larger one
// than mostCounted counts as that.
func (v value) whole() (n int64, ok bool) {
	if v.kind != number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	if err == nil {
		return min(n, mostCounted), n >= 0
	}
	rational, ok := new(big.Rat).SetString(v.text) // 1.0 and 10e1 are integers, too
	if !ok || !rational.IsInt() || rational.Sign() < 0 {
		return 0, false
	}
	if rational.Num().IsInt64() {
		return min(rational.Num().Int64(), mostCounted), true
	}
	return mostCounted, true
}
