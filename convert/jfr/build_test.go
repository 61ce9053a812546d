package jfr

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// chunkBuilder writes chunks as a JVM does, as far as this package reads them.
type chunkBuilder struct {
	fixed    bool // integers have their full width
	unpinned bool // the JVM is of JDK 24 or later
	io       bool // includes the types of inputOutput
	oracle   bool // types have the names of Oracle's JDK 9
	strings  []string
	index    map[string]int
	events   [][]byte
	header   chunkHeader
	notes    map[string]int // offsets of events in the chunk, by name
}

// The ids of the types of the builder's recordings.
const (
	idLong = iota + 10
	idInt
	idBoolean
	idString
	idTimespan
	idTimestamp
	idThread
	idGroup
	idClass
	idSymbol
	idMethod
	idFrame
	idStack
	idEnter
	idWait
	idNotify
	idSleep
	idPark
	idStart
	idEnd
	idCollection
	idAllocation
	idOther
	idInflate
	idJVM
	idPinned
	idFloat
	idSocketRead
	idFileWrite
	idCPULoad
	idPauses
	idPause
	idSpace
	idHeapSummary
	idSample
	idCPUSample
	idSetting
	idDump
	idOperation
	idThreadLoad
	idProcessors
	idLost
)

// described are the types: a name, and fields as name:type, with * for a key of a pool, [] for an array, and a unit.
var described = []builtType{
	{idLong, "long", nil}, {idInt, "int", nil}, {idBoolean, "boolean", nil}, {idString, "java.lang.String", nil},
	{idTimespan, "jdk.jfr.Timespan", nil}, {idTimestamp, "jdk.jfr.Timestamp", nil},
	{idThread, poolThread, []builtField{{"osName", idString, "", ""}, {"osThreadId", idLong, "", ""},
		{"javaName", idString, "", ""}, {"javaThreadId", idLong, "", ""},
		{"group", idGroup, "*", ""}, {"virtual", idBoolean, "", ""}}},
	{idGroup, poolGroup, []builtField{{"parent", idGroup, "*", ""}, {"name", idString, "", ""}}},
	{idClass, poolClass, []builtField{{"name", idSymbol, "*", ""}}},
	{idSymbol, "jdk.types.Symbol", []builtField{{"string", idString, "", ""}}},
	{idMethod, poolMethod, []builtField{{"type", idClass, "*", ""}, {"name", idSymbol, "*", ""},
		{"descriptor", idSymbol, "*", ""}}},
	{idFrame, "jdk.types.StackFrame", []builtField{{"method", idMethod, "*", ""}, {"lineNumber", idInt, "", ""}}},
	{idStack, poolStack, []builtField{{"truncated", idBoolean, "", ""}, {"frames", idFrame, "[]", ""}}},
	{idEnter, "jdk.JavaMonitorEnter", eventFields(true, builtField{"monitorClass", idClass, "*", ""},
		builtField{"previousOwner", idThread, "*", ""}, builtField{"address", idLong, "", ""})},
	{idWait, "jdk.JavaMonitorWait", eventFields(true, builtField{"monitorClass", idClass, "*", ""},
		builtField{"notifier", idThread, "*", ""},
		builtField{"timeout", idLong, "", "MILLISECONDS"}, builtField{"timedOut", idBoolean, "", ""},
		builtField{"address", idLong, "", ""})},
	{idNotify, "jdk.JavaMonitorNotify", eventFields(true, builtField{"monitorClass", idClass, "*", ""},
		builtField{"notifiedCount", idInt, "", ""}, builtField{"address", idLong, "", ""})},
	{idSleep, "jdk.ThreadSleep", eventFields(true, builtField{"time", idLong, "", "NANOSECONDS"})},
	{idPark, "jdk.ThreadPark", eventFields(true, builtField{"parkedClass", idClass, "*", ""},
		builtField{"timeout", idLong, "", "NANOSECONDS"},
		builtField{"until", idLong, "", "MILLISECONDS_SINCE_EPOCH"}, builtField{"address", idLong, "", ""})},
	{idStart, "jdk.ThreadStart", eventFields(false, builtField{"thread", idThread, "*", ""},
		builtField{"parentThread", idThread, "*", ""})},
	{idEnd, "jdk.ThreadEnd", eventFields(false, builtField{"thread", idThread, "*", ""})},
	{idCollection, "jdk.GarbageCollection", eventFields(true, builtField{"gcId", idInt, "", ""})},
	{idAllocation, "jdk.ObjectAllocationSample", eventFields(false, builtField{"objectClass", idClass, "*", ""},
		builtField{"weight", idLong, "", ""})},
	{idOther, "app.Unknown", eventFields(true, builtField{"text", idString, "", ""}, builtField{"numbers", idInt, "[]",
		""})},
	{idInflate, "jdk.JavaMonitorInflate", eventFields(true, builtField{"monitorClass", idClass, "*", ""},
		builtField{"address", idLong, "", ""})},
	{idJVM, jvmInformationEvent, eventFields(false, builtField{"jvmStartTime", idLong, "", ""}, builtField{"pid", idLong, "",
		""})},
}

// sinceJDK24 is an additional type of JVMs whose virtual threads leave their carriers while they are blocked or wait.
var sinceJDK24 = builtType{idPinned, pinnedEvent, eventFields(true, builtField{sinceUnpinned, idString, "", ""})}

// inputOutput are the types for input, output, load and heap.
var inputOutput = []builtType{
	{idFloat, "float", nil},
	{idSocketRead, "jdk.SocketRead", eventFields(true, builtField{"host", idString, "", ""},
		builtField{"address", idString, "", ""}, builtField{"port", idInt, "", ""},
		builtField{"timeout", idLong, "", "MILLISECONDS"})},
	{idFileWrite, "jdk.FileWrite", eventFields(true, builtField{"path", idString, "", ""})},
	{idCPULoad, "jdk.CPULoad", []builtField{{"startTime", idLong, "", "TICKS"}, {"jvmUser", idFloat, "", ""},
		{"jvmSystem", idFloat, "", ""}, {"machineTotal", idFloat, "", ""}}},
	{idThreadLoad, threadLoadEvent, []builtField{{"startTime", idLong, "", "TICKS"}, {"eventThread", idThread, "*", ""},
		{"user", idFloat, "", ""}, {"system", idFloat, "", ""}}},
	{idProcessors, "jdk.CPUInformation", []builtField{{"startTime", idLong, "", "TICKS"}, {"hwThreads", idInt, "", ""}}},
	{idPauses, "jdk.GarbageCollection", eventFields(true, builtField{"gcId", idInt, "", ""},
		builtField{"name", idString, "", ""}, builtField{"cause", idString, "", ""},
		builtField{"sumOfPauses", idLong, "", "TICKS"})},
	{idPause, "jdk.GCPhasePause", eventFields(true, builtField{"gcId", idInt, "", ""},
		builtField{"name", idString, "", ""})},
	{idSpace, "jdk.types.VirtualSpace", []builtField{{"start", idLong, "", ""}, {"committedSize", idLong, "", ""}}},
	{idHeapSummary, "jdk.GCHeapSummary", eventFields(false, builtField{"gcId", idInt, "", ""},
		builtField{"when", idString, "", ""}, builtField{"heapSpace", idSpace, "", ""},
		builtField{"heapUsed", idLong, "", ""})},
	{idSample, executionSample, []builtField{{"startTime", idLong, "", "TICKS"}, {"sampledThread", idThread, "*", ""},
		{"stackTrace", idStack, "*", ""}, {"state", idString, "", ""}}},
	{idCPUSample, "jdk.CPUTimeSample", []builtField{{"startTime", idLong, "", "TICKS"}, {"stackTrace", idStack, "*", ""},
		{"eventThread", idThread, "*", ""}, {"samplingPeriod", idLong, "", "TICKS"}}},
	{idSetting, "jdk.ActiveSetting", []builtField{{"startTime", idLong, "", "TICKS"}, {"id", idLong, "", ""},
		{"name", idString, "", ""}, {"value", idString, "", ""}}},
	{idOperation, "jdk.ExecuteVMOperation", eventFields(true, builtField{"operation", idString, "", ""},
		builtField{"safepoint", idBoolean, "", ""})},
	{idLost, "jdk.CPUTimeSamplesLost", []builtField{{"startTime", idLong, "", "TICKS"}, {"lostSamples", idInt, "", ""},
		{"eventThread", idThread, "*", ""}}},
	{idDump, threadDumpEvent, []builtField{{"startTime", idLong, "", "TICKS"}, {"result", idString, "", ""}}},
}

type builtType struct {
	id     int
	name   string
	fields []builtField
}

type builtField struct {
	name  string
	class int
	kind  string
	unit  string
}

func eventFields(lasts bool, more ...builtField) []builtField {
	fields := []builtField{{"startTime", idLong, "", "TICKS"}}
	if lasts {
		fields = append(fields, builtField{"duration", idLong, "", "TICKS"})
	}
	return append(append(fields, builtField{"eventThread", idThread, "*", ""}, builtField{"stackTrace", idStack, "*",
		""}), more...)
}

// newBuilder begins a chunk at a second of time, with two ticks a nanosecond.
func newBuilder(second int64) *chunkBuilder {
	return &chunkBuilder{index: map[string]int{}, notes: map[string]int{},
		header: chunkHeader{major: 2, minor: 1, startNanos: second * nanosPerSecond, durationNanos: nanosPerSecond,
			startTicks: 1000, ticksPerSecond: 2 * nanosPerSecond, compressed: true}}
}

// ticks converts nanoseconds since the chunk's beginning to the clock of its events.
func (b *chunkBuilder) ticks(nanos int64) int64 { return b.header.startTicks + 2*nanos }

func (b *chunkBuilder) int(dst []byte, n int64) []byte {
	if b.fixed {
		return binary.BigEndian.AppendUint32(dst, uint32(n))
	}
	return compress(dst, uint64(n))
}

func (b *chunkBuilder) long(dst []byte, n int64) []byte {
	if b.fixed {
		return binary.BigEndian.AppendUint64(dst, uint64(n))
	}
	return compress(dst, uint64(n))
}

func compress(dst []byte, n uint64) []byte {
	for i := 0; i < 8; i++ {
		if n < 0x80 {
			return append(dst, byte(n))
		}
		dst = append(dst, byte(n)|0x80)
		n >>= 7
	}
	return append(dst, byte(n))
}

func (b *chunkBuilder) text(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, stringEmpty)
	}
	return append(b.int(append(dst, stringUTF8), int64(len(s))), s...)
}

// The encodings of numbers in append. All other numbers are longs.
type (
	count   int
	written bool
	raw     []byte
)

// append appends values, encoded by their Go types.
func (b *chunkBuilder) append(dst []byte, values ...any) []byte {
	for _, value := range values {
		switch v := value.(type) {
		case int:
			dst = b.long(dst, int64(v))
		case int64:
			dst = b.long(dst, v)
		case count:
			dst = b.int(dst, int64(v))
		case written:
			dst = append(dst, map[written]byte{false: 0, true: 1}[v])
		case string:
			dst = b.text(dst, v)
		case raw:
			dst = append(dst, v...)
		default:
			panic(fmt.Sprint("no way to write ", v))
		}
	}
	return dst
}

// event adds an event.
func (b *chunkBuilder) event(id int, values ...any) {
	b.events = append(b.events, b.sized(b.append(b.long(nil, int64(id)), values...)))
}

// sized prefixes an event with its size.
func (b *chunkBuilder) sized(rest []byte) []byte {
	size := len(rest) + 4
	if b.fixed {
		return append(binary.BigEndian.AppendUint32(nil, uint32(size)), rest...)
	}
	return append([]byte{byte(size) | 0x80, byte(size>>7) | 0x80, byte(size>>14) | 0x80, byte(size>>21) & 0x7F},
		rest...)
}

// checkpoint adds constants: for each type its id, then keys with values.
func (b *chunkBuilder) checkpoint(delta int, pools ...[]any) {
	body := b.append(nil, 0, 0, delta, written(false), count(len(pools)))
	for _, p := range pools {
		body = b.append(body, p...)
	}
	b.notes["checkpoint"] = b.size()
	b.events = append(b.events, b.sized(append(b.long(nil, checkpointType), body...)))
}

// size is the offset of the next event.
func (b *chunkBuilder) size() int {
	n := headerSize
	for _, e := range b.events {
		n += len(e)
	}
	return n
}

func (b *chunkBuilder) name(s string) count {
	if _, known := b.index[s]; !known {
		b.index[s] = len(b.strings)
		b.strings = append(b.strings, s)
	}
	return count(b.index[s])
}

// describe adds the metadata.
func (b *chunkBuilder) describe() {
	type node struct {
		name       string
		attributes []string
		children   []node
	}
	metadata := node{name: "metadata"}
	types := described
	if b.unpinned {
		types = append(slices.Clone(types), sinceJDK24)
	}
	if b.io {
		isOther := func(d builtType) bool { return d.id == idCollection }
		types = slices.Concat(slices.DeleteFunc(slices.Clone(types), isOther), inputOutput)
	}
	for _, d := range types {
		if b.oracle && !strings.HasPrefix(d.name, "jdk.jfr.") {
			d.name = strings.NewReplacer("jdk.types.", "com.oracle.jfr.types.", "jdk.", "com.oracle.jdk.").Replace(d.name)
		}
		class := node{name: "class", attributes: []string{"name", d.name, "id", fmt.Sprint(d.id)}}
		for _, f := range d.fields {
			field := node{name: "field", attributes: []string{"name", f.name, "class", fmt.Sprint(f.class)}}
			switch f.kind {
			case "*":
				field.attributes = append(field.attributes, "constantPool", "true")
			case "[]":
				field.attributes = append(field.attributes, "dimension", "1")
			}
			if f.unit != "" {
				kind := idTimespan
				if f.name == "startTime" || f.name == "until" {
					kind = idTimestamp
				}
				field.children = []node{{name: "annotation", attributes: []string{"class", fmt.Sprint(kind), "value",
					f.unit}}}
			}
			class.children = append(class.children, field)
		}
		metadata.children = append(metadata.children, class)
	}
	var tree []byte
	var add func(n node)
	add = func(n node) {
		tree = b.append(tree, b.name(n.name), count(len(n.attributes)/2))
		for _, a := range n.attributes {
			tree = b.append(tree, b.name(a))
		}
		tree = b.append(tree, count(len(n.children)))
		for _, child := range n.children {
			add(child)
		}
	}
	add(node{name: "root", children: []node{metadata, {name: "region", attributes: []string{"locale", "en"}}}})
	body := b.append(nil, 0, 0, 1, count(len(b.strings)))
	for _, s := range b.strings {
		body = b.append(body, s)
	}
	b.notes["metadata"] = b.size()
	b.events = append(b.events, b.sized(append(append(b.long(nil, metadataType), body...), tree...)))
}

// bytes returns the chunk.
func (b *chunkBuilder) bytes() []byte {
	h := b.header
	if h.size == 0 && h.state == 0 {
		h.size = int64(b.size())
	}
	h.constants, h.metadata = int64(b.notes["checkpoint"]), int64(b.notes["metadata"])
	out := append([]byte(magic), 0, byte(h.major), 0, byte(h.minor))
	for _, n := range []int64{h.size, h.constants, h.metadata, h.startNanos, h.durationNanos, h.startTicks,
		h.ticksPerSecond} {
		out = binary.BigEndian.AppendUint64(out, uint64(n))
	}
	features := byte(featureCompressed)
	if b.fixed {
		features = 0
	}
	out = append(out, h.state, 0, 0, features)
	for _, e := range b.events {
		out = append(out, e...)
	}
	return out
}

// constants adds the threads 1 (main) to 4, the classes 1 (app/Job), 2 (java/lang/Thread) and 3 ([B), and the stacks 1
// (Job.run) and 2 (Object.wait inside of Thread.join).
func (b *chunkBuilder) constants() {
	threads := []any{idThread, count(5)}
	for i, name := range []string{"main", "worker-1", "worker-2", "late"} {
		threads = append(threads, 100+i, "os", 4000+i, name, 1+i, 1, written(false))
	}
	threads = append(threads, 200, "VM Thread", 4711, "", 0, 0, written(false))
	symbols := []any{idSymbol, count(8)}
	for i, name := range []string{"app/Job", "java/lang/Thread", "[B", "run", "()V", "java/lang/Object", "wait",
		"join"} {
		symbols = append(symbols, 1+i, name)
	}
	b.checkpoint(0, threads, []any{idGroup, count(2), 1, 2, "main", 2, 0, "system"})
	first := b.notes["checkpoint"]
	b.checkpoint(first-b.size(), symbols,
		[]any{idClass, count(4), 1, 1, 2, 2, 3, 3, 4, 6},
		[]any{idMethod, count(3), 1, 1, 4, 5, 2, 4, 7, 5, 3, 2, 8, 5},
		[]any{idStack, count(2), 1, written(false), count(1), 1, count(88), 2, written(false), count(2), 2, count(-1),
			3, count(1313)})
}

// The keys of the constants.
const (
	keyMain = 100 + iota
	keyWorker1
	keyWorker2
	keyLate
	keyVM = 200
)

const noLong = -1 << 63

// sample returns a chunk with events of all kinds, in the order of their ends.
func sample(b *chunkBuilder) *chunkBuilder {
	us := func(n int64) int64 { return b.ticks(n * 1000) }
	lasts := func(n int64) int64 { return 2 * n * 1000 }
	b.event(idStart, us(10), keyWorker1, 1, keyWorker1, keyMain)
	b.event(idOther, us(11), 5, keyMain, 0, "some text", count(2), count(7), count(8))
	b.event(idStart, us(12), keyWorker2, 1, keyWorker2, keyMain)
	b.event(idEnter, us(30), lasts(20), keyWorker1, 1, 1, keyMain, 0x1000)          // 30 to 50
	b.event(idPark, us(40), lasts(15), keyWorker2, 1, 1, 1_500_000, noLong, 0x2000) // 40 to 55
	// 20 to 80, ended by worker-1
	b.event(idWait, us(20), lasts(60), keyMain, 1, 1, keyWorker1, 0, written(false), 0x1000)
	b.event(idSleep, us(60), lasts(30), keyWorker1, 1, 30_000)  // 60 to 90
	b.event(idCollection, us(91), lasts(3), keyVM, 0, count(1)) // 91 to 94
	// now the address is of another object
	b.event(idEnter, us(95), lasts(1), keyWorker2, 1, 1, keyMain, 0x1000)
	b.event(idWait, us(97), lasts(2_000), keyWorker2, 1, 1, 0, 2, written(true), 0x1000) // 97 to 2097, timed out
	b.event(idAllocation, us(98), keyMain, 1, 3, 4096)
	b.event(idWait, us(100), lasts(3_000), keyMain, 2, 2, keyWorker1, 0, written(false), 0x3000) // 100 to 3100: a join
	b.event(idEnd, us(3_101), keyWorker1, 0, keyWorker1)
	b.constants()
	b.describe()
	return b
}
