package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var (
	badAnnotation = ruleOf("bad-annotation")
	badStack      = ruleOf("bad-stack")
	badNumber     = ruleOf("bad-number")
)

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

// checkStacks checks the stack traces of the current event. The first well-formed one counts.
func (c *Checker) checkStacks(stacks [][]byte) {
	for _, stack := range stacks {
		if trace.IsStack(stack) {
			c.checkFrames(stack)
			return
		}
		c.report(badStack, trace.NoAttr, func() string {
			return fmt.Sprintf("the call stack %q of %s is not a list of frames such as 200:17 201",
				sanitize.Clip(stack, maxQuoted), c.event.Name())
		})
	}
}

// checkNumber checks the number at the position.
func (c *Checker) checkNumber(position int) {
	text, attribute := c.event.At(position), c.event.Kind.Element().Attributes[position]
	if isDecimal(text) || string(text) == "-1" && (attribute.Attr == trace.AttrStartLineNumber ||
		attribute.Attr == trace.AttrEndLineNumber) {
		return
	}
	c.report(badNumber, attribute.Attr, func() string {
		return fmt.Sprintf("the %s %q of %s is not a decimal integer", attribute.Name, sanitize.Clip(text, maxQuoted),
			c.event.Name())
	})
}

// isDecimal reports whether the text is one or more decimal digits.
func isDecimal(text []byte) bool {
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
	}
	return len(text) > 0
}
