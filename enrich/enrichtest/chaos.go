package enrichtest

import (
	"math/rand/v2"
	"slices"
	"strconv"
)

// Chaos writes a trace of size random events by a few threads on a few objects, any event by any thread in any state.
// No JVM would; it reaches the odd corners of the rules. The same seed gives the same trace.
func Chaos(seed uint64, size int) Trace {
	c := &chaos{dice: dice{rand.New(rand.NewPCG(seed, 2))}, now: traceBegin}
	c.threads = 2 + c.rand.IntN(4)
	c.objects = c.threads + 1 + c.rand.IntN(4)
	// Some rules need more of one kind of event than evenly mixed ones give.
	c.names = slices.Clone(eventNames)
	switch c.rand.IntN(3) {
	case 0:
		for range 10 {
			c.names = append(c.names, eventNames[c.rand.IntN(len(eventNames))])
		}
	case 1:
		for range 4 {
			c.names = append(c.names, "monWait", "monWait", "monWaited", "callNotify", "callInterrupt")
		}
	case 2:
		for range 8 {
			c.names = append(c.names, "monContendedEnter")
		}
	}

	c.annotated = seed%2 == 1
	var records []record
	for range size {
		records = append(records, c.record())
	}
	return Trace{XML: document(append(preamble(), annotate(seed, records, false)...), c.chance(2))}
}

// Interrupts writes a trace of size random events of two threads that wait for
// each other's ends or on one monitor, and are interrupted, notified or ended
// meanwhile; the recorder proves most interrupts. The same seed gives the same
// trace.
func Interrupts(seed uint64, size int) Trace {
	c := &chaos{dice: dice{rand.New(rand.NewPCG(seed, 3))}, now: traceBegin, threads: 2, objects: 3}
	c.names = []string{
		"monWait", "monWait", "monWait", "monWaited", "monWaited", "monWaited", "callInterrupt", "callInterrupt",
		"callInterrupt", "threadInterrupted", "threadInterrupted", "callNotify", "callNotify", "threadEnd", "threadStart",
	}
	c.annotated = seed%3 == 0
	records := []record{c.start("1"), c.start("2")}
	for range size {
		records = append(records, c.record())
	}
	return Trace{XML: document(append(preamble(), records...), c.chance(2))}
}

// start returns the threadStart of a thread.
func (c *chaos) start(thread string) record {
	return ofThread("threadStart", thread, c.now, "threadName", "thread "+thread, "groupName", "main", "parentName",
		"system", "objIdRef", "10"+thread)
}

var eventNames = []string{
	"threadStart", "threadEnd", "monContendedEnter", "monContendedEntered", "monWait", "monWaited",
	"callNotify", "callStart", "callInterrupt", "threadInterrupted",
}

type chaos struct {
	dice
	now              int64
	threads, objects int
	names            []string
	annotated        bool // most events that can have annotations have some
}

func (c *chaos) thread() string { return strconv.Itoa(1 + c.rand.IntN(c.threads)) }

// object returns the id of some object, most often the last one. Threads are usually started with the first ones.
func (c *chaos) object() string {
	if !c.chance(3) {
		return strconv.Itoa(100 + c.objects)
	}
	return strconv.Itoa(101 + c.rand.IntN(c.objects))
}

// tick moves the clock: mostly on, now and then not at all, back, or far on.
func (c *chaos) tick() {
	switch c.rand.IntN(12) {
	case 0:
	case 1:
		c.now = max(c.now-c.rand.Int64N(disorder), traceBegin)
	case 2:
		c.now += c.rand.Int64N(20 * nanosPerMilli)
	case 3: // the bounds of the rules are inclusive or not
		c.now += nanosPerMilli
	default:
		c.now += c.rand.Int64N(nanosPerMilli / 2)
	}
}

func (c *chaos) record() record {
	c.tick()
	if c.chance(25) {
		return c.heapRecord()
	}
	name, thread := c.names[c.rand.IntN(len(c.names))], c.thread()
	r := ofThread(name, thread, c.now)
	switch name {
	case "threadStart":
		r.set("threadName", "thread "+thread+" <&\"'>")
		r.set("groupName", "main")
		r.set("parentName", "system")
		r.set("objIdRef", "10"+thread)
		if c.chance(8) {
			r.set("objIdRef", c.object())
		}
	case "threadEnd", "threadInterrupted":
	default:
		r.set("objIdRef", c.object())
	}
	c.particulars(&r)
	c.outside(&r)
	c.spoil(&r)
	return r
}

// particulars sets attributes and children that only some events have.
func (c *chaos) particulars(r *record) {
	switch r.name {
	case "monContendedEnter":
		if !c.chance(3) {
			r.set("threadOwner", c.thread())
		} else if c.chance(3) {
			r.set("threadOwner", c.pick("0", "-1", "99"))
		}
	case "monWait":
		if c.chance(8) {
			r.set("objIdRef", sleep)
		}
		if !c.chance(3) {
			r.set("timeout", c.pick("0", "0", "1", "2", "10", "-5", "long", "99999999999999999999"))
		}
	case "monWaited":
		if c.chance(8) {
			r.set("objIdRef", sleep)
		}
		if !c.chance(3) {
			r.set("isTimedOut", c.pick("0", "0", "false", "false", "1", "true"))
		}
	case "callNotify":
		if !c.chance(6) {
			r.set("isNotifyAll", c.pick("0", "0", "false", "1", "true"))
		}
	}
}

// outside turns some waits into parks or waits for input or output, and some blocks into blocks on locks of
// java.util.concurrent. Some events then report what no rule could find out.
func (c *chaos) outside(r *record) {
	if !c.chance(4) && !(c.annotated && !c.chance(3)) {
		return
	}
	add := func(name, value string) { r.inside = append(r.inside, annotation(name, value)) }
	switch r.name {
	case "monWait", "monContendedEnter":
		r.inside = append(r.inside, c.outsider())
		if c.chance(8) {
			r.inside = append(r.inside, c.outsider())
		}
		if r.name == "monContendedEnter" && c.chance(2) {
			add("again", c.pick("1", "1", "1", "0", ""))
		}
	case "monContendedEntered":
		if c.chance(2) {
			add("causedBy", c.named())
		}
		if c.chance(2) {
			add("gaveUp", c.pick("timeout", "interrupt", "interrupt", "boredom"))
		}
	case "monWaited":
		add("lockFrom", c.named())
	case "callNotify":
		if !c.chance(3) {
			add("park", "wait")
		}
		if !c.chance(6) {
			add("wakes", c.pick("", c.named(), c.named(), c.named()+" "+c.named(), " "+c.named()+"  "+c.named()+" "))
		}
	}
}

// named returns the id of a thread as an annotation names it, sometimes an unknown one.
func (c *chaos) named() string {
	if c.chance(12) {
		return c.pick("99", "0", "-1", "", "x")
	}
	return c.thread()
}

func (c *chaos) outsider() record {
	if c.chance(4) {
		return annotation("init", c.named())
	}
	if c.chance(3) {
		return annotation("io", c.pick("read", "write", "accept", "connect", "select", "", "reading"))
	}
	return annotation("park", c.pick("wait", "lock", ""))
}

// spoil leaves out or garbles what an event should have.
func (c *chaos) spoil(r *record) {
	switch c.rand.IntN(120) {
	case 0:
		r.remove("threadId")
		r.remove("threadIdRef")
	case 1:
		r.remove("time")
	case 2:
		r.set("time", c.pick("", "soon", "12:30", "1.2.3"))
	case 3, 4:
		r.remove("objIdRef")
	case 5, 6:
		if r.name != "threadEnd" && r.name != "threadInterrupted" {
			r.set("objIdRef", "0")
		}
	}
}

// heapRecord redefines an object, frees it or moves it.
func (c *chaos) heapRecord() record {
	switch c.rand.IntN(4) {
	case 0:
		return newRecord("objAlloc", "", c.now, "objId", c.object(), "classIdRef", "9001", "time", timeMark)
	case 1:
		return newRecord("objDef", "", c.now, "objId", c.object(), "time", timeMark)
	case 2:
		return newRecord("objFree", "", c.now, "objIdRef", c.object(), "time", timeMark)
	default:
		return newRecord("objMove", "", c.now, "objIdRef", c.object(), "newObjId", c.object(), "time", timeMark)
	}
}
