package validate

import (
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var objectUndefined = &Rule{
	ID: "object-undefined", Severity: trace.Warning, Layer: Meaning,
	Summary: "a reference to an object id with no defining element before it, or after its objFree or objMove, " +
		"once the trace has had an objAlloc with a size; reported once for an id",
	Explanation: `An agent that reports allocations with sizes reports all of them, and an object that was
never allocated cannot be used. Agents that do not profile the heap use an objAlloc without a size to name the
class of an object; then nothing is reported. The ids 0 and -1 name no object, and an object that a classDef
names, a java.lang.Class, needs no objAlloc. Where allocations are samples, with the annotation interval, only
objects that are freed or moved must have been allocated.

Usually the object was allocated before recording began, or the objAlloc was lost, or a filter left it out.`,
	Example: `<TRACE>
<classDef name="app/Job" sourceName="Job.java" classId="100" time="1700000000.100000000"/>
<objAlloc objId="50" classIdRef="100" size="24" isArray="0" time="1700000000.200000000"/>
<objFree objIdRef="51" time="1700000000.300000000"/>
</TRACE>
`,
}

// objAlloc with a size is an event of the thread, and shows that the agent records all allocations or samples of them.
func (c *Checker) objAlloc(e *trace.Event, _ *thread) {
	if c.dump != nil {
		c.dumpObject(e, threadstate.KeyOf(e.Value(trace.AttrObjID)))
	}
	if !e.Has(trace.AttrSize) {
		return
	}
	c.checkSize(e)
	if interval, ok := e.Extra.Annotation(trace.NoteInterval); ok && interval != "0" {
		c.sampled = true
	} else {
		c.sized = true
	}
	c.involve(acts, threadstate.KeyOf(e.Value(trace.AttrThreadIDRef)))
}
