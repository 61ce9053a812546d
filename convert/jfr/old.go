package jfr

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/trcx/trcx/internal/modified"
	"github.com/trcx/trcx/trace"
)

// Format 0.9 is written by JDK 7, Oracle's JDK 8 and early versions of async-profiler. A chunk has a short header,
// which points to the metadata at its end. Types of events and constants have numbers. Their descriptions are converted
// to the form of later formats, so that the same decoders read both.

// oldHeaderSize is the size of the header of an old chunk in bytes.
const oldHeaderSize = 16

// oldMinor is the minor version of the format with the major version 0.
const oldMinor = 9

// The first ids of classes without an id in the format: types of constants, of parts of values, and of numbers and
// strings.
const (
	oldConstants  = 1 << 32
	oldStructs    = 2 << 32
	oldPrimitives = 3 << 32
)

// oldTypes are the types of numbers and strings, by their numbers in the format. All other types are compound.
var oldTypes = [...]string{"boolean", "byte", "byte", "short", "short", "int", "int", "long", "long", "float", "double",
	oldUTF8, oldUTF16}

// The compound types.
const (
	oldArray = len(oldTypes) + iota
	oldStruct
	oldStructArray
)

// The names of the string types, which later formats do not use.
const oldUTF8, oldUTF16 = "0.9 UTF-8", "0.9 UTF-16"

// The numbers of the types of constants to which the JVM's own fields refer.
const oldThread, oldStack = 7, 9

// oldLoss is the type id of lost events, which no metadata describes.
const oldLoss = 2

// oldUnits are the units of numbers. The other content types up to oldLastUnit, and oldPercentage, are numbers without
// a unit. The rest are keys of constants.
var oldUnits = map[uint32]unit{2: sinceEpochMillis, 3: milliseconds, 4: nanoseconds, 5: ticks}

const oldLastUnit, oldPercentage = 6, 11

// oldTypeNames are today's names of the types of events and constants.
var oldTypeNames = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"java/thread_start": "jdk.ThreadStart", "java/thread_end": "jdk.ThreadEnd", "java/thread_sleep": "jdk.ThreadSleep",
		"java/thread_park": "jdk.ThreadPark", "java/monitor_enter": "jdk.JavaMonitorEnter",
		"java/monitor_wait": "jdk.JavaMonitorWait", "java/socket_read": "jdk.SocketRead",
		"java/socket_write": "jdk.SocketWrite", "java/file_read": "jdk.FileRead", "java/file_write": "jdk.FileWrite",
		"vm/gc/heap/summary": "jdk.GCHeapSummary", "vm/gc/collector/garbage_collection": "jdk.GarbageCollection",
		"vm/gc/phases/pause": "jdk.GCPhasePause", "os/processor/cpu_load": "jdk.CPULoad",
		"vm/runtime/execute_vm_operation": "jdk.ExecuteVMOperation",
		"vm/prof/execution_sample":        executionSample, "vm/runtime/thread_dump": threadDumpEvent,
		"recordings/recording_setting": "jdk.ActiveSetting", "buffer lost": "jdk.DataLoss",

		"Thread": poolThread, "JavaThread": poolJavaThread, "ThreadGroup": poolGroup, "Class": poolClass, "Method": poolMethod,
		"StackTrace": poolStack, "UTFConstant": "jdk.types.Symbol", "GCWhen": "jdk.types.GCWhen",
		"GCName": "jdk.types.GCName", "GCCause": "jdk.types.GCCause", "ThreadState": "jdk.types.ThreadState",
		"VMOperationType": "jdk.types.VMOperationType",
	}
})

// newOldClass returns a type of events or constants without fields.
func newOldClass(id uint64, name string) class {
	c := newClass(id, name)
	if now, ok := oldTypeNames()[name]; ok {
		c.known = now
	}
	return c
}

// oldMetadata decodes the metadata of an old chunk.
type oldMetadata struct {
	cursor
	classes []class
	structs []class // of all producers
	parts   int
	err     error
}

// finishOld reads the metadata at the end of an old chunk, and its times.
func (s *scanner) finishOld(c *chunk) {
	c.size = s.buffer.size
	if c.cut = len(c.metadataEvents) == 0; c.cut {
		s.finding(ruleTruncated, trace.Error, s.offset, "the recording ends before the metadata of the chunk at %d",
			c.offset)
		return
	}
	at := c.metadataEvents[len(c.metadataEvents)-1]
	event, err := s.buffer.at(at, int(min(s.buffer.size-at, maxEvent)))
	if err != nil {
		s.err = err
		return
	}
	m := &oldMetadata{cursor: cursor{data: event, at: 8, fixed: true}}
	c.old, c.oldErr = m.read(c)
}

// read returns the types that the metadata describes, and sets the times of the chunk.
func (m *oldMetadata) read(c *chunk) ([]class, error) {
	for i, name := range oldTypes {
		m.classes = append(m.classes, newClass(oldPrimitives+uint64(i), name))
	}
	for range m.count(4) {
		m.producer()
	}
	begin, end := m.uint64(), m.uint64()
	c.startTicks, c.ticksPerSecond, c.constants = int64(m.uint64()), int64(m.uint64()), int64(m.uint64())
	switch {
	case m.err != nil:
		return nil, m.err
	case m.short:
		return nil, errEndsEarly
	case c.ticksPerSecond <= 0 || begin > math.MaxInt64/nanosPerMilli || end < begin ||
		end-begin > math.MaxInt64/nanosPerMilli:
		return nil, fmt.Errorf("its times are impossible: %d to %d ms after 1970, %d ticks per second", begin, end,
			c.ticksPerSecond)
	}
	c.startNanos, c.durationNanos = int64(begin)*nanosPerMilli, int64(end-begin)*nanosPerMilli
	loss := newOldClass(oldLoss, "buffer lost")
	loss.fields = []field{oldTicks("endTime"), oldKey("eventThread", oldThread, encodedInt),
		{name: "amount", class: oldPrimitives + 5}}
	return append(append(m.classes, m.structs...), loss), nil
}

func oldTicks(name string) field { return field{name: name, class: oldPrimitives + 7, unit: ticks} }

func oldKey(name string, constant uint32, key encoding) field {
	return field{name: name, class: oldConstants + uint64(constant), pooled: true, key: key}
}

// shortText decodes a string of at most 65535 bytes.
func (c *cursor) shortText() string { return modified.Decode(c.take(int(c.uint16()))) }

// part counts a part of the metadata with its copied fields. It makes the cursor short if they are too many.
func (m *oldMetadata) part(copied int) {
	if m.parts += 1 + copied; m.parts > maxParts && m.err == nil {
		m.err = fmt.Errorf("it has more than %d parts", maxParts)
		m.fail()
	}
}

// producer decodes what a producer of events describes: relations, structures, types of events and of constants.
func (m *oldMetadata) producer() {
	m.uint32() // id
	for range 3 {
		m.shortText() // name, description, URI
	}
	for range m.count(2) {
		m.shortText()
	}
	first := uint64(len(m.structs))
	for range m.count(4) {
		m.part(0)
		c := class{id: oldStructs + uint64(len(m.structs))}
		for range m.count(19) {
			c.fields = append(c.fields, m.field(first))
		}
		m.structs = append(m.structs, c)
	}
	for range m.count(18) {
		m.eventType(first)
	}
	for range m.count(13) {
		m.constantType(first)
	}
}

// field decodes a field. The ids of structures begin with first.
func (m *oldMetadata) field(first uint64) field {
	m.part(0)
	f := field{name: m.shortText()}
	m.shortText() // name for people
	m.shortText() // description
	m.byte()      // transition
	kind, content, of := int(m.byte()), m.uint32(), uint64(m.uint32())
	m.uint32() // expansion
	if f.array = kind == oldArray || kind == oldStructArray; kind == oldArray {
		kind = int(of)
	}
	switch {
	case kind == oldStruct || kind == oldStructArray:
		f.class = oldStructs + first + of
	case kind >= len(oldTypes):
		f.class = noClass
	case content > oldLastUnit && content != oldPercentage && kind > 0 && kind < 9:
		return field{name: f.name, class: oldConstants + uint64(content), pooled: true, array: f.array,
			key: primitives[oldTypes[kind]]}
	default:
		f.class, f.unit = oldPrimitives+uint64(kind), oldUnits[content]
	}
	return f
}

// fields returns the fields of a structure.
func (m *oldMetadata) fields(at uint64) []field {
	if at >= uint64(len(m.structs)) {
		if m.err == nil && !m.short {
			m.err = fmt.Errorf("it refers to structure %d of %d", at, len(m.structs))
		}
		return nil
	}
	m.part(len(m.structs[at].fields))
	return m.structs[at].fields
}

func (m *oldMetadata) eventType(first uint64) {
	m.part(0)
	id := uint64(m.uint32())
	m.shortText() // name for people
	m.shortText() // description
	c := newOldClass(id, m.shortText())
	starts, thread, stack := m.byte() != 0, m.byte() != 0, m.byte() != 0
	m.byte() // whether it can be requested
	c.fields = []field{oldTicks("endTime")}
	if starts {
		c.fields = append(c.fields, oldTicks("startTime"))
	}
	if thread {
		c.fields = append(c.fields, oldKey("eventThread", oldThread, encodedInt))
	}
	if stack {
		c.fields = append(c.fields, oldKey("stackTrace", oldStack, encodedLong))
	}
	c.fields = append(c.fields, m.fields(first+uint64(m.uint32()))...)
	m.uint32() // expansion
	m.classes = append(m.classes, c)
}

func (m *oldMetadata) constantType(first uint64) {
	m.part(0)
	id := uint64(m.uint32())
	c := newOldClass(oldConstants+id, m.shortText())
	m.shortText() // description
	if kind := int(m.byte()); kind < len(oldTypes) {
		c.key = primitives[oldTypes[kind]]
	}
	c.fields = m.fields(first + uint64(m.uint32()))
	for _, f := range c.fields {
		if at := f.class - oldStructs; c.known == poolStack && f.name == "frames" && at < uint64(len(m.structs)) {
			m.structs[at].known = typeFrame
		}
	}
	m.classes = append(m.classes, c)
}

// readOldCheckpoint reads the constants of a checkpoint of an old chunk.
func (c *constantPools) readOldCheckpoint(in *cursor) error {
	in.uint64() // time
	in.uint64() // the previous checkpoint
	for in.left() > 0 && !in.short {
		id := in.uint32()
		class := c.types.classes[oldConstants+uint64(id)]
		if class == nil {
			return fmt.Errorf("it has constants of type %d, which is not described", id)
		}
		if err := c.readPool(in, class); err != nil {
			return err
		}
	}
	if in.short {
		return errEndsEarly
	}
	return nil
}

// oldKey decodes the key of a constant.
func (c *cursor) oldKey(key encoding) uint64 {
	var v values
	steps{{encoding: key, slot: slotID}}.decode(c, &v)
	return v.numbers[slotID]
}

// noteJavaThread notes which Java thread ran on a thread of the operating system.
func (c *constantPools) noteJavaThread(p *constantPool, key uint64) {
	in := cursor{data: c.bytes, at: int(p.offsets[key]), fixed: true}
	p.steps.decode(&in, &c.values)
	c.javaIDs[c.values.numbers[slotOSThread]] = key
}

// isThreadPool reports whether keys of the pool identify threads.
func isThreadPool(pool string) bool { return pool == poolThread || pool == poolJavaThread }

// threadIn returns the thread of a key of one of the pools of threads, or nil for key 0; see thread.
func (c *constantPools) threadIn(pool string, key uint64) *threadConstant {
	if pool != poolJavaThread {
		return c.thread(key)
	}
	p, v := c.decode(poolJavaThread, key)
	switch {
	case key == 0:
		return nil
	case p == nil:
		c.unknown = threadConstant{id: threadID{c.jvm, unknownThread | key&idMask}}
		return &c.unknown
	}
	t := c.thread(v.numbers[slotOSThread])
	if t == nil || t.id.number == key&idMask {
		return t
	}
	if c.reused[key] == nil { // another Java thread ran on the same native thread
		own := *t
		own.id, own.named = threadID{c.jvm, key & idMask}, false
		c.reused[key] = &own
	}
	return c.reused[key]
}

// hasNoThreads reports whether the chunk has only keys of threads, as recordings of profilers on macOS do.
func (c *constantPools) hasNoThreads() bool {
	p := c.pools[poolThread]
	return p == nil || len(p.offsets) == 0
}

// setOldThread sets the id and the group of a thread of an old chunk by the key of its native thread. If no Java thread
// is known, as in the recordings of profilers, every thread is taken for one.
func (c *constantPools) setOldThread(t *threadConstant, key uint64) {
	t.id.number = key & math.MaxUint32
	java, ok := c.javaIDs[key]
	if !ok && len(c.javaIDs) > 0 {
		t.id.number |= nativeThread
	}
	if !ok {
		return
	}
	t.id.number = java & idMask
	if p, v := c.decode(poolJavaThread, java); p != nil && p.has[slotGroup] {
		t.group = c.group(v.numbers[slotGroup])
	}
}

// oldSetting keeps the settings of a type, which an old chunk has all at once.
func (r *reader) oldSetting(d *decoder, class *class) {
	v := &r.values.numbers
	if period, ok := r.timespan(d, slotUntil); ok && period > 0 {
		r.sampler.set(class.known, "period", fmt.Sprint(period/nanosPerMilli, " ms"))
	}
	if threshold, ok := r.timespan(d, slotTimeout); ok && reportedTypes[class.known] {
		r.settings[class.known] = map[string]string{settingEnabled: fmt.Sprint(v[slotTimedOut] != 0),
			settingThreshold: fmt.Sprint(time.Duration(threshold).Milliseconds(), " ms")}
	}
}
