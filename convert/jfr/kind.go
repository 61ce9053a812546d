package jfr

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// kind is a type of events that becomes something.
type kind struct {
	name   string // of the type
	fields wanted
	does   func(*reader, *reading, *deed) bool // fills the deed; false if the event becomes none
}

// usual are fields that most types of events have.
func usual(more wanted) wanted {
	all := wanted{"startTime": slotStart, "duration": slotDuration, "eventThread": slotThread, "stackTrace": slotStack}
	for path, at := range more {
		all[path] = at
	}
	return all
}

// kinds are the types of events that become something. All others are counted only.
var kinds = []kind{
	{"jdk.JavaMonitorEnter", usual(wanted{"monitorClass": slotClass, "previousOwner": slotOther,
		"address": slotAddress}), (*reader).enter},
	{"jdk.JavaMonitorWait", usual(wanted{"monitorClass": slotClass, "notifier": slotOther, "timeout": slotTimeout,
		"timedOut": slotTimedOut, "address": slotAddress}),
		(*reader).wait},
	{"jdk.JavaMonitorNotify", usual(wanted{"monitorClass": slotClass, "notifiedCount": slotCount,
		"address": slotAddress}), (*reader).notify},
	{"jdk.JavaMonitorInflate", usual(wanted{"monitorClass": slotClass, "address": slotAddress, "cause": slotText}),
		(*reader).inflate},
	{"jdk.ThreadSleep", usual(wanted{"time": slotTimeout}), (*reader).sleep},
	{"jdk.ThreadPark", usual(wanted{"parkedClass": slotClass, "timeout": slotTimeout, "until": slotUntil,
		"address": slotAddress}), (*reader).park},
	{"jdk.ThreadStart", usual(wanted{"thread": slotOwn, "parentThread": slotOther}), (*reader).start},
	{"jdk.ThreadEnd", usual(wanted{"thread": slotOwn}), (*reader).threadEnd},
	{"jdk.VirtualThreadStart", usual(nil), (*reader).start},
	{"jdk.VirtualThreadEnd", usual(nil), (*reader).threadEnd},
	{"jdk.GarbageCollection", usual(wanted{"gcId": slotID}), (*reader).collection},
	{"jdk.GCHeapSummary", usual(wanted{"gcId": slotID, "when": slotText, "heapUsed": slotSize,
		"heapSpace.start": slotLow, "heapSpace.reservedEnd": slotHigh,
		"heapSpace.committedSize": slotTotal}), (*reader).heap},
	{"jdk.ObjectAllocationSample", usual(wanted{"objectClass": slotClass, "weight": slotSize}), (*reader).allocation},
	{jvmInformation, usual(wanted{"pid": slotID, "jvmStartTime": slotLow}), (*reader).jvm},
	{"jdk.ActiveSetting", usual(wanted{"id": slotID, "name": slotName, "value": slotText}), (*reader).setting},
	{"jdk.DataLoss", usual(wanted{"amount": slotSize, "total": slotTotal}), (*reader).loss},
}

// reading is a kind in a chunk.
type reading struct {
	*layout
	*kind
}

// object takes the class and the address of the object.
func (r *reader) object(k *reading, d *deed) {
	if k.has[slotClass] && k.pools[slotClass] == poolClass {
		d.class = r.constants.class(r.values.numbers[slotClass])
	}
	if k.has[slotAddress] {
		d.address = r.values.numbers[slotAddress]
	}
}

// other takes the other thread.
func (r *reader) other(k *reading, d *deed) {
	if k.pools[slotOther] != poolThread {
		return
	}
	if t := r.constants.thread(r.values.numbers[slotOther]); t != nil && t.id.number&unknownThread == 0 {
		d.other = t.id.number
		r.involve(t, d)
	}
}

func (r *reader) enter(k *reading, d *deed) bool {
	d.kind = enters
	r.object(k, d)
	r.other(k, d)
	return true
}

func (r *reader) wait(k *reading, d *deed) bool {
	d.kind = waits
	r.object(k, d)
	r.other(k, d)
	switch nanos, ok := r.timespan(k, slotTimeout); {
	case !ok:
		d.timeout = unknownTimeout
	case nanos > 0:
		d.timeout = nanos
	}
	if r.unpinned && r.actor != nil && r.actor.virtual && d.length < shortestWait {
		d.flags |= unbegun
		r.unbegun = true
	}
	if k.has[slotTimedOut] && r.values.numbers[slotTimedOut] != 0 {
		d.flags |= timedOut
	}
	joining := r.names.stack[d.stack].joins || d.stack == 0 && r.names.class[d.class] == threadClass
	if joining && d.other != 0 && d.other != d.thread && d.flags&timedOut == 0 {
		d.flags |= joins
	}
	return true
}

// shortestWait is in ns: no thread waits, is woken and runs again in less. JVMs make the event of a wait of a virtual
// thread when it runs again, and take no more for it than some tens.
const shortestWait = 1000

func (r *reader) notify(k *reading, d *deed) bool {
	d.kind, d.length = notifies, 0
	r.object(k, d)
	if k.has[slotCount] {
		d.size = r.values.numbers[slotCount]
	}
	switch name := r.names.method[r.names.stack[d.stack].top].name; {
	case name == "notifyAll" || d.size > 1:
		d.flags |= all
	case name == "notify":
		d.flags |= one
	}
	r.notifications = true
	return true
}

func (r *reader) inflate(k *reading, d *deed) bool {
	d.kind, d.length = inflates, 0
	r.object(k, d)
	d.cause = r.names.classNumber(r.constants.string(k.layout, &r.values, slotText))
	return true
}

func (r *reader) sleep(k *reading, d *deed) bool {
	d.kind, d.timeout = sleeps, unknownTimeout
	if nanos, ok := r.timespan(k, slotTimeout); ok {
		d.timeout = nanos
	}
	return true
}

// park: of the two timeouts the one that was not asked for is the least number that there is.
func (r *reader) park(k *reading, d *deed) bool {
	d.kind = parks
	r.object(k, d)
	if nanos, ok := r.timespan(k, slotTimeout); ok && nanos > 0 {
		d.timeout = nanos
	}
	if deadline, ok := r.moment(k, slotUntil); ok {
		d.timeout = max(0, int64(deadline-d.begin))
		d.flags |= until
	}
	return true
}

// own takes the thread that the event is about, which is the one that has it where nothing else is said.
func (r *reader) own(k *reading, d *deed) *thread {
	key := r.values.numbers[slotThread]
	if k.pools[slotOwn] == poolThread && r.values.numbers[slotOwn] != 0 {
		key = r.values.numbers[slotOwn]
	} else if k.pools[slotThread] != poolThread {
		return nil
	}
	t := r.constants.thread(key)
	if t != nil {
		d.thread = t.id.number
		r.involve(t, d)
	}
	return t
}

func (r *reader) start(k *reading, d *deed) bool {
	d.kind, d.length = started, 0
	t := r.own(k, d)
	if t == nil {
		return false
	}
	if t.start == 0 {
		t.start = int64(d.begin)
	}
	r.other(k, d)
	return true
}

func (r *reader) threadEnd(k *reading, d *deed) bool {
	d.kind, d.length = ended, 0
	return r.own(k, d) != nil
}

func (r *reader) collection(k *reading, d *deed) bool {
	d.kind, d.thread = collects, 0
	d.id = r.values.numbers[slotID]
	return true
}

func (r *reader) heap(k *reading, d *deed) bool {
	d.kind, d.thread = heapIs, 0
	v := &r.values.numbers
	d.id, d.size, d.address, d.total = v[slotID], v[slotSize], v[slotLow], v[slotTotal]
	if k.has[slotLow] && k.has[slotHigh] && v[slotLow] < v[slotHigh] {
		r.spaces[r.scope] = space{v[slotLow], v[slotHigh]}
	}
	if k.has[slotSize] && k.has[slotTotal] && r.constants.string(k.layout, &r.values, slotText) == "After GC" {
		d.flags |= afterwards
	}
	return d.flags&afterwards != 0
}

func (r *reader) allocation(k *reading, d *deed) bool {
	d.kind, d.length = allocates, 0
	r.object(k, d)
	d.size = r.values.numbers[slotSize]
	return true
}

// timespan is the slot's number in ns. It is not ok where its unit is unknown, or it is negative or too much.
func (r *reader) timespan(k *reading, at slot) (nanos int64, ok bool) {
	if !k.has[at] {
		return 0, false
	}
	n := r.values.numbers[at]
	switch k.units[at] {
	case ticks:
		return r.chunk.interval(n)
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

// moment is the slot's number as a time. It is not ok where its unit is unknown, or it is none.
func (r *reader) moment(k *reading, at slot) (trace.Time, bool) {
	if !k.has[at] {
		return 0, false
	}
	n := r.values.numbers[at]
	switch k.units[at] {
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

// jvm tells JVMs apart; see nextJVM.
func (r *reader) jvm(k *reading, _ *deed) bool { return false }

// The settings that matter, and how many bytes their values have at most, such as false and 20 ms.
const (
	settingEnabled, settingThreshold = "enabled", "threshold"
	longestSetting                   = 100
)

// setting keeps what was recorded of the types that matter.
func (r *reader) setting(k *reading, _ *deed) bool {
	class := r.types.classes[r.values.numbers[slotID]]
	if class == nil || !matters[class.name] {
		return false
	}
	own := r.values
	name, value := r.constants.string(k.layout, &own, slotName), r.constants.string(k.layout, &own, slotText)
	if name != settingEnabled && name != settingThreshold || len(value) > longestSetting {
		return false
	}
	if r.settings[class.name] == nil {
		r.settings[class.name] = map[string]string{}
	}
	r.settings[class.name][name] = value
	return false
}

// loss reports what the JVM could not write.
func (r *reader) loss(_ *reading, d *deed) bool {
	r.finding(RuleLost, trace.Warning, d.place, "the JVM lost %d bytes of events here, because its buffers were full",
		r.values.numbers[slotSize])
	return false
}
