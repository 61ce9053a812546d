package jfr

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// eventType is a type of events that is decoded.
type eventType struct {
	name   string
	fields fieldSlots
	decode func(*reader, *decoder, *event) bool // completes the event; false drops it
}

// decoder decodes the events of a type in the current chunk.
type decoder struct {
	*typeDecoder
	*eventType
}

// threadLoadEvent is the type of events that say which share of all processors a thread has used.
const threadLoadEvent = "jdk.ThreadCPULoad"

// withCommon adds the fields that most event types have.
func withCommon(more fieldSlots) fieldSlots {
	all := fieldSlots{"startTime": slotStart, "duration": slotDuration, "eventThread": slotThread,
		"stackTrace": slotStack, "endTime": slotEnd, "klass": slotClass, "javalangthread": slotSubject}
	maps.Copy(all, more)
	return all
}

// eventTypes are the types of events that are decoded. Events of other types are only counted.
var eventTypes = sync.OnceValue(func() []eventType {
	return []eventType{
		{"jdk.JavaMonitorEnter", withCommon(fieldSlots{"monitorClass": slotClass, "previousOwner": slotOther,
			"address": slotAddress}), (*reader).monitorEnter},
		{"jdk.JavaMonitorWait", withCommon(fieldSlots{"monitorClass": slotClass, "notifier": slotOther,
			"timeout": slotTimeout, "timedOut": slotTimedOut, "address": slotAddress}), (*reader).monitorWait},
		{"jdk.JavaMonitorNotify", withCommon(fieldSlots{"monitorClass": slotClass, "notifiedCount": slotCount,
			"address": slotAddress}), (*reader).monitorNotify},
		{"jdk.JavaMonitorInflate", withCommon(fieldSlots{"monitorClass": slotClass, "address": slotAddress,
			"cause": slotText}), (*reader).monitorInflate},
		{"jdk.ThreadSleep", withCommon(fieldSlots{"time": slotTimeout}), (*reader).threadSleep},
		{"jdk.ThreadPark", withCommon(fieldSlots{"parkedClass": slotClass, "timeout": slotTimeout, "until": slotUntil,
			"address": slotAddress}), (*reader).threadPark},
		{startEvent, withCommon(fieldSlots{"thread": slotSubject, "parentThread": slotOther}),
			(*reader).threadStart},
		{"jdk.ThreadEnd", withCommon(fieldSlots{"thread": slotSubject}), (*reader).threadEnd},
		{"jdk.VirtualThreadStart", withCommon(nil), (*reader).threadStart},
		{"jdk.VirtualThreadEnd", withCommon(nil), (*reader).threadEnd},
		{"jdk.SocketRead", withCommon(socketFields), (*reader).socketRead},
		{"jdk.SocketWrite", withCommon(socketFields), (*reader).socketWrite},
		{"jdk.FileRead", withCommon(fieldSlots{"path": slotText}), (*reader).fileRead},
		{"jdk.FileWrite", withCommon(fieldSlots{"path": slotText}), (*reader).fileWrite},
		{"jdk.GarbageCollection", withCommon(fieldSlots{"gcId": slotID, "name": slotName, "cause": slotText,
			"sumOfPauses": slotTimeout, "longestPause": slotTotal}), (*reader).garbageCollection},
		{"jdk.GCPhasePause", withCommon(fieldSlots{"gcId": slotID}), (*reader).pause},
		{"jdk.CPULoad", withCommon(fieldSlots{"jvmUser": slotLow, "jvmSystem": slotHigh, "machineTotal": slotTotal}),
			(*reader).cpuLoad},
		{threadLoadEvent, withCommon(fieldSlots{"user": slotLow, "system": slotHigh}), (*reader).threadLoad},
		{"jdk.CPUInformation", withCommon(fieldSlots{"hwThreads": slotCount}), (*reader).processors},
		{"jdk.ContainerConfiguration", withCommon(fieldSlots{"effectiveCpuCount": slotCount}), (*reader).processors},
		{"jdk.GCHeapSummary", withCommon(fieldSlots{"gcId": slotID, "when": slotText, "heapUsed": slotSize,
			"heapSpace.start": slotLow, "heapSpace.reservedEnd": slotHigh, "heapSpace.committedSize": slotTotal}),
			(*reader).heapSummary},
		{"jdk.ObjectAllocationSample", withCommon(fieldSlots{"objectClass": slotClass, "weight": slotSize}),
			(*reader).allocationSample},
		{executionSample, sampleFields, (*reader).periodicSample},
		{"jdk.NativeMethodSample", sampleFields, (*reader).sample},
		{"jdk.CPUTimeSample", withCommon(fieldSlots{"samplingPeriod": slotTimeout}), (*reader).sample},
		{"profiler.WallClockSample", sampleFields, (*reader).sample},
		{"datadog.ExecutionSample", withCommon(sampleFields), (*reader).sample},
		{"datadog.MethodSample", withCommon(sampleFields), (*reader).sample},
		{pinnedEvent, withCommon(nil), (*reader).pinned},
		{"jdk.SafepointBegin", withCommon(nil), (*reader).safepoint},
		{"jdk.ExecuteVMOperation", withCommon(fieldSlots{"operation": slotText, "safepoint": slotCount}),
			(*reader).vmOperation},
		{threadDumpEvent, fieldSlots{"startTime": slotStart, "endTime": slotEnd, "result": slotText}, (*reader).threadDump},
		{jvmInformationEvent, withCommon(fieldSlots{"pid": slotID, "jvmStartTime": slotLow}), (*reader).jvmInformation},
		{"jdk.ActiveSetting", withCommon(fieldSlots{"id": slotID, "name": slotName, "value": slotText,
			"enabled": slotTimedOut, "threshold": slotTimeout, "period": slotUntil}),
			(*reader).activeSetting},
		{"jdk.DataLoss", withCommon(fieldSlots{"amount": slotSize, "total": slotTotal}), (*reader).dataLoss},
		{"jdk.CPUTimeSamplesLost", withCommon(fieldSlots{"lostSamples": slotCount}), (*reader).samplesLost},
	}
})

// setObject sets the class and the address of the event's object.
func (r *reader) setObject(d *decoder, e *event) {
	if d.has[slotClass] && d.pools[slotClass] == poolClass {
		e.class = r.constants.class(r.values.numbers[slotClass])
	}
	if d.has[slotAddress] {
		e.address = r.values.numbers[slotAddress]
	}
}

// setOther sets the other thread, if it is known.
func (r *reader) setOther(d *decoder, e *event) {
	if !isThreadPool(d.pools[slotOther]) {
		return
	}
	t := r.constants.threadIn(d.pools[slotOther], r.values.numbers[slotOther])
	if t != nil && t.id.number&unknownThread == 0 {
		e.other = t.id.number
		r.noteThread(t, e)
	}
}

func (r *reader) monitorEnter(d *decoder, e *event) bool {
	e.kind = kindEnter
	r.setObject(d, e)
	r.setOther(d, e)
	return true
}

func (r *reader) monitorWait(d *decoder, e *event) bool {
	e.kind = kindWait
	r.setObject(d, e)
	r.setOther(d, e)
	switch nanos, ok := r.timespan(d, slotTimeout); {
	case !ok:
		e.timeout = unknownTimeout
	case nanos > 0:
		e.timeout = nanos
	}
	if r.unmounts && r.actor != nil && r.actor.virtual && e.duration < minWait {
		e.flags |= flagEndOnly
		r.endOnly = true
	}
	if d.has[slotTimedOut] && r.values.numbers[slotTimedOut] != 0 {
		e.flags |= flagTimedOut
		if e.timeout-e.duration < clockError+e.timeout/100 {
			e.timeout = min(e.timeout, e.duration)
		}
	}
	join := r.symbols.stacks[e.stack].inJoin || e.stack == 0 && r.symbols.names[e.class] == threadClass
	if join && e.other != 0 && e.other != e.thread && e.flags&flagTimedOut == 0 {
		e.flags |= flagJoin
	}
	return true
}

// clockError is how much, in ns and beside 1 %, a timeout can differ from the length of the wait that it ended. A
// processor's ticks drift by 0.2 % in recordings of JDK 9, and Windows waits for multiples of 15.6 ms.
const clockError = 16 * nanosPerMilli

// minWait is the least time in ns in which a thread can wait, be notified and run again. When an unmounted virtual
// thread runs again, a JVM writes its wait with a duration of some ten ns.
const minWait = 1000

func (r *reader) monitorNotify(d *decoder, e *event) bool {
	e.kind, e.duration = kindNotify, 0
	r.setObject(d, e)
	if d.has[slotCount] {
		e.size = r.values.numbers[slotCount]
	}
	switch name := r.symbols.methods[r.symbols.stacks[e.stack].top].name; {
	case name == "notifyAll" || e.size > 1:
		e.flags |= flagNotifyAll
	case name == "notify":
		e.flags |= flagNotify
	}
	r.notifies = true
	return true
}

func (r *reader) monitorInflate(d *decoder, e *event) bool {
	e.kind, e.duration = kindInflate, 0
	r.setObject(d, e)
	e.text = r.symbols.internName(r.constants.string(d.typeDecoder, &r.values, slotText))
	return e.thread&unknownThread == 0 // else only the inflation is known of the thread
}

func (r *reader) threadSleep(d *decoder, e *event) bool {
	e.kind, e.timeout = kindSleep, unknownTimeout
	if nanos, ok := r.timespan(d, slotTimeout); ok {
		e.timeout = nanos
	}
	return true
}

// threadPark decodes a park. It has a timeout or a deadline; the other is the least number.
func (r *reader) threadPark(d *decoder, e *event) bool {
	e.kind = kindPark
	r.setObject(d, e)
	if nanos, ok := r.timespan(d, slotTimeout); ok && nanos > 0 {
		e.timeout = nanos
	}
	if deadline, ok := r.timestamp(d, slotUntil); ok {
		e.timeout = max(0, int64(deadline-e.begin))
		e.flags |= flagUntil
	}
	if javaname.IsOwnedLock(r.symbols.names[e.class]) {
		e.flags |= flagLock
		if e.timeout >= 0 && e.duration >= e.timeout {
			e.flags |= flagTimedOut
		}
	}
	return true
}

// subject sets the thread that the event is about: the one in the field thread, or else the one that wrote the event.
func (r *reader) subject(d *decoder, e *event) *threadConstant {
	key, pool := r.values.numbers[slotThread], d.pools[slotThread]
	if isThreadPool(d.pools[slotSubject]) && r.values.numbers[slotSubject] != 0 {
		key, pool = r.values.numbers[slotSubject], d.pools[slotSubject]
	} else if !isThreadPool(pool) {
		return nil
	}
	t := r.constants.threadIn(pool, key)
	if t != nil {
		e.thread = t.id.number
		r.noteThread(t, e)
	}
	return t
}

func (r *reader) threadStart(d *decoder, e *event) bool {
	e.kind, e.duration = kindThreadStart, 0
	t := r.subject(d, e)
	if t == nil || t.id.number&unknownThread != 0 {
		return false // only the thread's begin is known
	}
	if t.start == 0 {
		t.start = int64(e.begin)
	}
	r.setOther(d, e)
	return true
}

func (r *reader) threadEnd(d *decoder, e *event) bool {
	e.kind, e.duration = kindThreadEnd, 0
	return r.subject(d, e) != nil
}

func (r *reader) garbageCollection(d *decoder, e *event) bool {
	e.kind, e.thread = kindCollection, 0
	e.gcID = r.values.numbers[slotID]
	what := []string{r.constants.string(d.typeDecoder, &r.values, slotName), r.constants.string(d.typeDecoder,
		&r.values, slotText)}
	e.text = r.symbols.internName(strings.Join(slices.DeleteFunc(what, func(s string) bool { return s == "" }), ": "))
	if pauses, ok := r.timespan(d, slotTimeout); ok {
		e.size = uint64(pauses)
		r.load.paused += e.size
	}
	if longest, ok := r.timespan(d, slotTotal); ok {
		e.total = uint64(longest)
	}
	r.load.collections++
	return true
}

func (r *reader) pause(_ *decoder, e *event) bool {
	e.kind, e.thread = kindPause, 0
	return true
}

func (r *reader) heapSummary(d *decoder, e *event) bool {
	e.kind, e.thread = kindHeapSummary, 0
	v := &r.values.numbers
	e.amounts, e.address = amounts{gcID: v[slotID], size: v[slotSize], total: v[slotTotal]}, v[slotLow]
	if d.has[slotLow] && d.has[slotHigh] && v[slotLow] < v[slotHigh] {
		r.heaps[e.jvm] = heapRange{v[slotLow], v[slotHigh]}
	}
	if d.has[slotSize] && d.has[slotTotal] && r.constants.string(d.typeDecoder, &r.values, slotText) == "After GC" {
		e.flags |= flagAfterGC
	}
	return e.flags&flagAfterGC != 0
}

func (r *reader) allocationSample(d *decoder, e *event) bool {
	e.kind, e.duration = kindAllocation, 0
	r.setObject(d, e)
	e.size = r.values.numbers[slotSize]
	return true
}

// jvmInformation drops the event, which assignJVM decodes.
func (r *reader) jvmInformation(*decoder, *event) bool { return false }

// timespan returns a duration in ns. It reports false for an unknown unit, a negative value, and overflow.
func (r *reader) timespan(d *decoder, at slot) (nanos int64, ok bool) {
	if !d.has[at] {
		return 0, false
	}
	n := r.values.numbers[at]
	switch d.units[at] {
	case ticks:
		return r.chunk.timespan(n)
	case nanoseconds:
		return int64(n), int64(n) >= 0
	case microseconds:
		return scaled(n, 1000)
	case milliseconds:
		return scaled(n, nanosPerMilli)
	case secondsUnit:
		return scaled(n, nanosPerSecond)
	}
	return 0, false
}

func scaled(n, factor uint64) (int64, bool) {
	if n > math.MaxInt64/factor {
		return 0, false
	}
	return int64(n * factor), true
}

// timestamp returns a time. It reports false for an unknown unit and an invalid time.
func (r *reader) timestamp(d *decoder, at slot) (trace.Time, bool) {
	if !d.has[at] {
		return 0, false
	}
	n := r.values.numbers[at]
	switch d.units[at] {
	case ticks:
		return r.chunk.time(int64(n))
	case sinceEpochMillis:
		nanos, ok := scaled(n, nanosPerMilli)
		return trace.Time(nanos), ok && n > 0
	case sinceEpochNanos:
		return trace.Time(n), int64(n) > 0
	}
	return 0, false
}

// The names of the reported settings, and the limit of their values in bytes.
const (
	settingEnabled, settingThreshold = "enabled", "threshold"
	maxSetting                       = 100
)

// activeSetting keeps the settings of reportedTypes.
func (r *reader) activeSetting(d *decoder, _ *event) bool {
	class := r.types.classes[r.values.numbers[slotID]]
	if class == nil {
		return false
	}
	if r.chunk.isOld() {
		r.oldSetting(d, class)
		return false
	}
	own := r.values
	name, value := r.constants.string(d.typeDecoder, &own, slotName), r.constants.string(d.typeDecoder, &own, slotText)
	if len(value) > maxSetting {
		return false
	}
	r.sampler.set(class.known, name, value)
	if class.known == threadLoadEvent && name == "period" {
		period, _ := time.ParseDuration(strings.ReplaceAll(value, " ", "")) // everyChunk gives 0
		r.load.period = period.Nanoseconds()
	}
	if !reportedTypes[class.known] || name != settingEnabled && name != settingThreshold {
		return false
	}
	if r.settings[class.known] == nil {
		r.settings[class.known] = map[string]string{}
	}
	r.settings[class.known][name] = value
	return false
}

func (r *reader) dataLoss(_ *decoder, e *event) bool {
	r.finding(RuleLost, trace.Warning, e.offset, "the JVM lost %d bytes of events here because its buffers were full",
		r.values.numbers[slotSize])
	return false
}

func (r *reader) samplesLost(_ *decoder, e *event) bool {
	r.finding(RuleLost, trace.Warning, e.offset, "the JVM lost samples here because they came too fast: %d",
		r.values.numbers[slotCount])
	return false
}
