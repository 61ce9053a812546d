package schema

import (
	"encoding/json"
	"math/big"
	"net/url"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// value is a JSON value with its place, and those of its items and members.
type value struct {
	place   trace.Place
	kind    kind
	text    string // of a string, unescaped; of a number, as it is written
	items   []value
	members map[string]value
}

// kind is the kind of a value.
type kind uint8

const (
	unread kind = iota // not kept: too large, or unknown
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

// plain returns the value in the form of encoding/json, for the validator.
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

// comparedList is the only list for which the schemas have uniqueItems.
const comparedList = "runningEvents"

// comparable returns the list with strings instead of arrays and objects, which are as invalid there. The validator
// compares items of equal hashes pairwise, and arrays and objects can be made to collide by the ten thousands.
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

// follow returns the value that the names lead to, or the last one on the way if there is none.
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

// unescape decodes the escapes of a JSON pointer.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// segments returns the names of a JSON pointer that is a URI's fragment.
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

// integer returns the integer of a member; see whole.
func (v value) integer(name string) (n int64, ok bool) { return v.members[name].whole() }

// maxID is larger than all ids of a model, and can be incremented without overflow.
const maxID = 1 << 62

// whole returns the value as an integer, at most maxID. It is not ok if the value is no integer of 0 or more.
func (v value) whole() (n int64, ok bool) {
	if v.kind != number {
		return 0, false
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	if err == nil {
		return min(n, maxID), n >= 0
	}
	rational, ok := new(big.Rat).SetString(v.text) // 1.0 and 10e1 are integers, too
	if !ok || !rational.IsInt() || rational.Sign() < 0 {
		return 0, false
	}
	if rational.Num().IsInt64() {
		return min(rational.Num().Int64(), maxID), true
	}
	return maxID, true
}
