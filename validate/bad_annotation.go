package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var badAnnotation = &Rule{
	ID: "bad-annotation", Severity: trace.Warning, Layer: Meaning,
	Summary: "an annotation of java.util.concurrent with an invalid value, or that names no known thread",
	Explanation: `The annotation park is wait or lock, gaveUp is timeout or interrupt. The annotations
causedBy, lockFrom and wakes name threads by their ids, wakes with blanks between. A thread is known if it has
had a threadStart, also if it has ended since, or if the trace has an event by it. An id is reported once.

Usually the thread was started before recording began, or another program wrote the annotation and means
something else by it. An unknown word or id is ignored.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<callNotify threadId="7" time="1700000000.200000000" objIdRef="50" isNotifyAll="0"><annotation name="park" value="wait"/><annotation name="wakes" value="99"/></callNotify>
</TRACE>
`,
}

// checkWord reports the first annotation of the name in the current event whose value is not one of its words.
func (c *Checker) checkWord(name string) {
	if c.event.Extra == nil {
		return
	}
	for _, value := range c.event.Extra.Annotations(name) {
		if words := trace.AnnotationInside(name, c.event.Kind).Words; !slices.Contains(words, value) {
			c.report(badAnnotation, trace.NoAttr, func() string {
				return fmt.Sprintf("invalid value %q of the annotation %s: want %s",
					sanitize.Clip([]byte(value), maxQuoted), name, strings.Join(words, " or "))
			})
			return
		}
	}
}

// checkThreads reports ids, each once, that an annotation of the name in the current event has but the trace has not
// named as threads.
func (c *Checker) checkThreads(name string) {
	if c.event.Extra == nil {
		return
	}
	for _, value := range c.event.Extra.Annotations(name) {
		known := trace.Known{Wakes: []byte(value)}
		for id := range known.Woken() {
			text := id.String()
			if !c.isNewStranger(threadstate.KeyOf([]byte(text))) {
				continue
			}
			c.report(badAnnotation, trace.NoAttr, func() string {
				return fmt.Sprintf("the annotation %s names %s, which is not a thread of the trace", name,
					sanitize.Clip([]byte(text), maxQuoted))
			})
		}
	}
}
