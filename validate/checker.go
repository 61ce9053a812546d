package validate

import (
	"math/bits"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Checker holds the elements of a recording against each other. It is a sink of elements: of each document Begin, the
// elements in the order of the input, and End.
type Checker struct {
	// Logs says that the recordings that begin from now on are logs of another format: they have no preamble, and need
	// not say that they are complete.
	Logs bool

	open     func(session int) *Findings
	findings *Findings
	idle     bool         // no rule is on
	event    *trace.Event // at hand

	lacking  uint32 // bit k: the preamble's element of kind k has not come
	met      bool   // there was an element of a trace
	rooted   bool   // the elements stand in a TRACE
	finished bool   // the trace says that it ends

	threads threads
	known   [spaces]known
	ids     [spaces]threadstate.Key // that the element at hand refers to, or ends
	fresh   bool                    // the id that it defines was not defined before
	// an objAlloc with a size has come: from here on objects are defined before they are used
	sized   bool
	methods map[threadstate.Key][]threadstate.Key
	listed  int     // methods in all of these lists
	frames  int     // open calls of all threads
	aliases aliases // once the trace has moved an object
}

// NewChecker returns a Checker. For each recording that begins, open gives the collector that takes its findings; its
// selection says which rules are on.
func NewChecker(open func(session int) *Findings) *Checker {
	return &Checker{open: open, idle: true}
}

// Begin begins the recording of the index. Nothing is left of the one before. The error is always nil.
func (c *Checker) Begin(session int) error {
	*c = Checker{Logs: c.Logs, open: c.open, findings: c.open(session), threads: newThreads(), known: newKnown(),
		finished: c.Logs}
	if !c.Logs {
		c.lacking = preamble
	}
	c.idle = !c.findings.selection.Any(Meaning)
	return nil
}

// Put looks at the next element. The error is always nil.
func (c *Checker) Put(e *trace.Event) error {
	if c.idle {
		return nil
	}
	if p := &plans[e.Kind]; p.call == nil || !c.commonCall(e, p.call) {
		c.look(e, p)
	}
	return nil
}

// look does all that there is to do for an element of any kind.
func (c *Checker) look(e *trace.Event, p *plan) {
	c.event = e
	c.met = c.met || e.Kind != trace.Foreign
	if c.lacking != 0 {
		c.checkPreamble(p)
	}
	layout, present := e.Layout(), e.Positions()
	for numbers := p.integers & present &^ layout.Decimal(); numbers != 0; numbers &= numbers - 1 {
		position := bits.TrailingZeros32(numbers)
		if !threadstate.ShortKey(e.At(position)).IsNumber() {
			c.checkNumber(position)
		}
	}
	var t *thread
	if p.thread >= 0 && present>>(p.thread&31)&1 != 0 {
		t = c.involve(p.part, idAt(e, layout, int(p.thread)))
	}
	for i := range p.links {
		if l := &p.links[i]; present>>(l.position&31)&1 != 0 {
			c.follow(l, idAt(e, layout, int(l.position)))
		} else {
			c.ids[l.space] = threadstate.None
		}
	}
	if e.Extra != nil {
		c.checkStacks(e.Extra.Stacks)
	}
	if p.step != nil {
		p.step(c, e, t)
	}
}

// idAt returns the id at the position of the element's row.
func idAt(e *trace.Event, layout *trace.Layout, position int) threadstate.Key {
	if layout.Short()>>(position&31)&1 != 0 {
		return threadstate.Key(e.Word(position))
	}
	return threadstate.KeyOf(e.At(position))
}

// End ends the recording. The error is always nil.
func (c *Checker) End(ending trace.Ending) error {
	if !c.idle {
		c.checkFinished(ending)
	}
	return nil
}

// Finish has nothing left to do. The error is always nil.
func (c *Checker) Finish() error { return nil }

// report adds a finding of the rule, in its usual severity, about an attribute of the element at hand. The words are
// asked for only if the finding is kept.
func (c *Checker) report(rule *Rule, attribute trace.Attr, words func() string) {
	c.reportAs(rule.Severity, rule, attribute, words)
}

func (c *Checker) reportAs(severity trace.Severity, rule *Rule, attribute trace.Attr, words func() string) {
	e := c.event
	finding := trace.Finding{Rule: rule.ID, Severity: severity, Place: trace.Place{Offset: e.Offset}}
	if c.findings.Keeps(rule.ID, severity, e.Offset) {
		finding.Element, finding.Message = e.Name(), words()
		if e.Source != nil {
			place, tag := e.Source.Locate(e)
			finding.Place, finding.Quote = place, NewQuote(tag, spellings(e.Kind, attribute)...)
		}
	}
	c.findings.Add(finding)
}

// spellings lists the names that the attribute of the element can have in the input.
func spellings(kind trace.Kind, attribute trace.Attr) []string {
	element := kind.Element()
	position := element.Position(attribute)
	if position < 0 {
		return nil
	}
	return []string{element.Attributes[position].Name, element.Attributes[position].Alias}
}

// text is the value of an attribute of the element at hand, for a message.
func (c *Checker) text(attribute trace.Attr) string {
	return sanitize.Clip(c.event.Value(attribute), maxQuoted)
}

// who is the thread of the element at hand, for a message.
func (c *Checker) who() string { return c.text(c.event.Kind.Element().Thread()) }
