// Package polling tells what virtual threads wait for that are parked in the JDK's poller. There they wait for input or
// output, which one thread of the JDK awaits for all of them and then unparks them: it has not ended their waits. Their
// calls show the operation.
package polling

import (
	"strings"

	"github.com/trcx/trcx/trace"
)

// MaxDepth is the number of calls, from the innermost one, that have to be looked at.
const MaxDepth = 16

// Call is what a call of the JDK shows.
type Call struct {
	poller    bool     // it is one of the poller
	operation trace.IO // what it is for; NoIO if it does not show that
}

// IsShown reports whether the calls of a class, named as in class files, can show anything.
func IsShown(class string) bool {
	return strings.HasPrefix(class, "sun/nio/ch/") || strings.HasPrefix(class, "java/net/")
}

// Of returns what a call of the class's method shows. The poller's own threads wait in loops.
func Of(class, method string) Call {
	switch isPoller := class == "sun/nio/ch/Poller"; {
	case !IsShown(class):
		return Call{}
	case !isPoller:
		return Call{operation: operationOf(method)}
	case strings.HasSuffix(method, "Loop"):
		return Call{true, trace.IOSelect}
	}
	return Call{poller: true}
}

// operationOf returns the operation of a method of the JDK by its name: implAccept, blockingRead.
func operationOf(method string) trace.IO {
	name := strings.ToLower(method)
	for _, of := range []struct {
		word string
		io   trace.IO
	}{{"accept", trace.IOAccept}, {"connect", trace.IOConnect}, {"read", trace.IORead}, {"receive", trace.IORead},
		{"write", trace.IOWrite}, {"send", trace.IOWrite}, {"select", trace.IOSelect}} {
		if strings.Contains(name, of.word) {
			return of.io
		}
	}
	return trace.NoIO
}

// Wait is a wait whose calls are looked at, the innermost first. The zero Wait has none.
type Wait struct{ polls bool }

// Polls reports whether the thread is parked in the poller, as the calls so far show.
func (w *Wait) Polls() bool { return w.polls }

// Outward adds the next call. It returns the operation as soon as the calls show it, and NoIO until then.
func (w *Wait) Outward(c Call) trace.IO {
	if w.polls = w.polls || c.poller; w.polls {
		return c.operation
	}
	return trace.NoIO
}
