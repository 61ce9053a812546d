package validate

import (
	"encoding/binary"
	"math/bits"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Checker checks the events of a recording against each other. It is a convert.Sink: for each document it accepts
// Begin, the events in the order of the input, and End.
type Checker struct {
	// Logs reports that the recordings from the next Begin on are logs of another format. They have no preamble, and no
	// event that ends them.
	Logs bool

	open      func(session int) *Findings
	ownRules  []OwnRule
	ownChecks []func(*trace.Event) // of the recording
	findings  *Findings
	idle      bool         // no rule is on
	event     *trace.Event // the current one

	document document
	threads  threads
	known    [spaces]known
	ids      [spaces]threadstate.Key // that the current event refers to, or ends
	fresh    bool                    // the id that it defines was undefined before
	sized    bool                    // an objAlloc with a size has come: objects must be defined from here on
	members  members
	frames   int     // open calls of all threads that are kept
	aliases  aliases // nil until the trace moves an object
	heapChecks
}

// heapChecks has the state of the checks of the heap.
type heapChecks struct {
	sampled      bool   // an objAlloc was a sample: only frees and moves need a defined object
	alignment    uint64 // of objects, in bytes
	sizes        classSizes
	collections  []trace.Finding // one for each garbage collection that is open
	classObjects idSet           // that classDefs name
	dump         *dump           // nil outside of dumps
}

// document has the state of the checks of the document's beginning and end.
type document struct {
	lacking  uint32 // bit k: the preamble's element of kind k has not come
	met      bool   // it has an element of a trace
	rooted   bool   // it has a TRACE element
	finished bool   // it has an event that ends the trace
}

// NewChecker returns a Checker. It calls open for each recording that begins, for the Findings to add to; their
// Selection has the rules that are on.
func NewChecker(open func(session int) *Findings) *Checker {
	return &Checker{open: open, idle: true}
}

// Begin begins the recording with the index, and forgets the one before. The error is always nil.
func (c *Checker) Begin(session int) error {
	*c = Checker{Logs: c.Logs, open: c.open, ownRules: c.ownRules, findings: c.open(session), threads: newThreads(),
		known:      newKnown(),
		heapChecks: heapChecks{classObjects: newIDSet(maxKnown, false), alignment: trace.LeastAlignment},
		document:   document{finished: c.Logs}}
	if !c.Logs {
		c.document.lacking = preamble
	}
	c.idle = !c.findings.selection.Any(Meaning)
	c.addOwn()
	return nil
}

// Put checks the next event. The error is always nil.
func (c *Checker) Put(e *trace.Event) error {
	if len(c.ownChecks) > 0 {
		c.checkOwn(e)
	}
	if c.idle {
		return nil
	}
	if p := &plans[e.Kind]; p.call == nil || !c.commonCall(e, p.call) {
		c.check(e, p)
	}
	return nil
}

// check checks an event of any kind.
func (c *Checker) check(e *trace.Event, p *kindChecks) {
	c.event = e
	c.document.met = c.document.met || e.Kind != trace.Foreign
	if c.document.lacking != 0 {
		c.checkPreamble(p)
	}
	if e.IsAgain() && c.isLate(e) {
		c.reportLate()
		return
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
		if stack, ok := e.Extra.Annotation(trace.NoteOwnerStack); ok {
			c.checkStacks([][]byte{[]byte(stack)})
		}
	}
	if p.step != nil {
		p.step(c, e, t)
	}
}

// idAt returns the id at the position of the element's row.
func idAt(e *trace.Event, layout *trace.Layout, position int) threadstate.Key {
	if layout.Short()>>(position&31)&1 != 0 {
		return shortID(e, position)
	}
	return threadstate.KeyOf(e.At(position))
}

// shortID returns the id at the position of the element's row as a number: its bytes, the last one on top. The layout
// must have it as Short, so that eight bytes of text follow it.
func shortID(e *trace.Event, position int) threadstate.Key {
	value := e.At(position)
	return threadstate.Key(binary.LittleEndian.Uint64(value[:8]) << ((64 - 8*len(value)) & 63))
}

// End ends the recording. The error is always nil.
func (c *Checker) End(ending trace.Ending) error {
	if !c.idle {
		c.endDump()
		c.checkCollections()
		c.checkFinished(ending)
	}
	return nil
}

// Finish does nothing. The error is always nil.
func (c *Checker) Finish() error { return nil }

// report adds a finding of the rule, in its own severity, about an attribute of the current event. It calls words for
// the message only if the finding is kept.
func (c *Checker) report(rule *Rule, attribute trace.Attr, words func() string) {
	c.reportAs(rule.Severity, rule, attribute, words)
}

func (c *Checker) reportAs(severity trace.Severity, rule *Rule, attribute trace.Attr, words func() string) {
	e := c.event
	finding := trace.Finding{Rule: rule.ID, Severity: severity, Place: trace.Place{Offset: e.Offset}}
	if c.findings.Keeps(rule.ID, severity, e.Offset) {
		finding = locatedFinding(rule, e, attribute)
		finding.Severity, finding.Message = severity, words()
	}
	c.findings.Add(finding)
}

// locatedFinding returns a finding of the rule, without its message, about an attribute of the current event.
func locatedFinding(rule *Rule, e *trace.Event, attribute trace.Attr) trace.Finding {
	finding := trace.Finding{Rule: rule.ID, Severity: rule.Severity, Element: e.Name(),
		Place: trace.Place{Offset: e.Offset}}
	if e.Source != nil {
		place, tag := e.Source.Locate(e)
		finding.Place, finding.Quote = place, NewQuote(tag, spellings(e.Kind, attribute)...)
	}
	return finding
}

// spellings returns the names that the attribute of the element can have in the input.
func spellings(kind trace.Kind, attribute trace.Attr) []string {
	element := kind.Element()
	position := element.Position(attribute)
	if position < 0 {
		return nil
	}
	return []string{element.Attributes[position].Name, element.Attributes[position].Alias}
}

// text returns the value of an attribute of the current event, for a message.
func (c *Checker) text(attribute trace.Attr) string {
	return sanitize.Clip(c.event.Value(attribute), maxQuoted)
}

// threadText returns the thread id of the current event, for a message.
func (c *Checker) threadText() string { return c.text(c.event.Kind.Element().Thread()) }
