package idle

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// Reasons is a set of reasons why waits count as idle. A wait that is not idle has the zero Reasons.
type Reasons uint8

// The reasons.
const (
	// Work: the stack trace shows that the thread waits for its next task, or it is one of the JVM's own threads.
	Work Reasons = 1 << iota
	// Connections: the thread waits in accept.
	Connections
	// Selectors: the thread waits in select, or is a thread that selects.
	Selectors
	// Notifications: the notifications that end the waits of the thread's pool show it; see Finder.
	Notifications
)

// reasonTexts are the reasons' names in JSON and what the threads waited for, in the order of the reasons.
var reasonTexts = [...]struct{ name, words string }{
	{"work", "for work"},
	{"connections", "for connections"},
	{"selectors", "in selectors"},
	{"notifications", "for notifications by threads of other pools"},
}

// ReasonOf returns why a wait is idle, as its first event shows; 0 if it is not idle.
func ReasonOf(e *trace.ModelEvent) Reasons {
	switch {
	case !e.IsIdle():
		return 0
	case e.IO == trace.IOSelect:
		return Selectors
	case e.IO != trace.NoIO:
		return Connections
	}
	return Work
}

// String returns the names of the reasons, with commas; "" for a wait that is not idle.
func (r Reasons) String() string {
	var names []string
	for i, text := range reasonTexts {
		if r&(1<<i) != 0 {
			names = append(names, text.name)
		}
	}
	return strings.Join(names, ",")
}

// Words says what the threads waited for: "for work".
func (r Reasons) Words() string {
	var words []string
	for i, text := range reasonTexts {
		if r&(1<<i) != 0 {
			words = append(words, text.words)
		}
	}
	return phrase.List(words, "or")
}

// Sentence names pools that are idle, with the sum of their waits as a text such as "4 s in 2 waits"; "" if their
// length is unknown. A client that waits for replies in a selector, or for notifications, looks idle, too, so the
// sentence says that it may be wrong about such threads.
func (r Reasons) Sentence(pools, waits string) string {
	certainty := ""
	if r&(Selectors|Notifications) != 0 {
		certainty = ", as far as the trace shows"
	}
	if waits != "" {
		waits += " "
	}
	return fmt.Sprintf("Idle%s: %s waited %s%s, which is not counted above.", certainty, pools, waits, r.Words())
}

// MarshalJSON returns the names as a list.
func (r Reasons) MarshalJSON() ([]byte, error) {
	names := []string{}
	for i, text := range reasonTexts {
		if r&(1<<i) != 0 {
			names = append(names, text.name)
		}
	}
	return json.Marshal(names)
}

// UnmarshalJSON accepts a list of names. It ignores unknown names, which come from a later trcx.
func (r *Reasons) UnmarshalJSON(text []byte) error {
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	*r = 0
	for i, known := range reasonTexts {
		for _, name := range names {
			if name == known.name {
				*r |= 1 << i
			}
		}
	}
	return nil
}
