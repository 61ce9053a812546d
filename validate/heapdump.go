package validate

import (
	"fmt"
	"math/bits"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var dumpUndefined = ruleOf("dump-undefined")

// maxDumped limits the words of ids of a dump that are kept. Beyond it nothing is reported.
const maxDumped = 1 << 18

// dump is the heap dump that is read.
type dump struct {
	at       trace.Time // of the dump
	timed    bool
	finding  trace.Finding // of the rule, without its message
	objects  idSet
	missing  idSet // ids that were named, but not yet defined by an object
	examples [16]struct {
		id   threadstate.Key
		text string
	}
	named int // how often an id was added to missing
}

// heapDumpDef begins a dump.
func (c *Checker) heapDumpDef(e *trace.Event, _ *thread) {
	c.endDump()
	if c.Logs {
		return
	}
	c.dump = &dump{at: e.Time, timed: e.Timed(), objects: newIDSet(maxDumped, false),
		missing: newIDSet(maxDumped, false), finding: locatedFinding(dumpUndefined, e, trace.NoAttr)}
}

// dumpObject notes an object of the dump. It ignores one that was allocated after the dump.
func (c *Checker) dumpObject(e *trace.Event, id threadstate.Key) {
	if d := c.dump; d != nil && !(d.timed && e.Timed() && e.Time > d.at) {
		d.objects.add(id)
		d.missing.remove(id)
	}
}

// gcRoot and objReference check that the dump has the objects.
func (c *Checker) gcRoot(e *trace.Event, _ *thread) { c.inDump(e, trace.AttrObjIDRef) }

func (c *Checker) objReference(e *trace.Event, _ *thread) {
	c.inDump(e, trace.AttrObjIDRef)
	c.inDump(e, trace.AttrTargetObjIDRef)
}

// inDump notes an object that the dump should have.
func (c *Checker) inDump(e *trace.Event, attribute trace.Attr) {
	d := c.dump
	text := e.Value(attribute)
	id := threadstate.KeyOf(text)
	if d == nil || !id.Names() || d.objects.has(id) || c.classObjects.has(id) || !d.missing.add(id) {
		return
	}
	example := &d.examples[d.named%len(d.examples)]
	example.id, example.text = id, sanitize.Clip(text, maxQuoted)
	d.named++
}

// endDump reports the objects that the dump does not have.
func (c *Checker) endDump() {
	d := c.dump
	c.dump = nil
	if d == nil || d.objects.full || c.classObjects.full || d.missing.full || d.missing.words == 0 {
		return
	}
	count, example := 0, ""
	for _, word := range d.missing.slots {
		count += bits.OnesCount64(word.bits)
	}
	for _, e := range d.examples {
		if e.text != "" && d.missing.has(e.id) {
			example = ", such as " + e.text
		}
	}
	d.finding.Message = fmt.Sprintf("the dump refers to %s that it does not have%s", phrase.Count(count, "object"),
		example)
	c.findings.Add(d.finding)
}
