package bci

import "strings"

// Method matches methods by class, name and descriptor, as class files have them: "java/lang/Thread", "sleep", "(J)V".
// An empty part matches all. A call through a class that inherits the method matches, too, if the class file shows the
// inheritance; see class.names.
type Method struct {
	Class, Name, Descriptor string
}

// Site is the kind of place at which a hook inserts code.
type Site uint8

// The sites.
const (
	AtCalls Site = iota // calls of Hook.Method in the methods Hook.Within
	InBody              // the body of Hook.Method
)

// Arguments are the arguments of a report. A hook matches only where they exist: a static method has no object.
type Arguments uint8

// The arguments.
const (
	Nothing         Arguments = iota
	Object                    // of a call without parameters: the receiver; in a body: this
	Long                      // of a call: its only argument, a long; in a body: the first parameter
	ObjectAndLong             // in a body only: both
	Parameter                 // at a body's entry only: the first parameter, an object
	ObjectAndFlag             // at a body's entry only: this, and the second parameter, a boolean after an object
	ObjectAndResult           // after a body only: this, and the int that it returns
)

// arguments are their descriptors and their words of the operand stack.
var arguments = [...]struct {
	descriptor string
	words      int
}{
	Nothing:         {"()V", 0},
	Object:          {"(Ljava/lang/Object;)V", 1},
	Long:            {"(J)V", 2},
	ObjectAndLong:   {"(Ljava/lang/Object;J)V", 3},
	Parameter:       {"(Ljava/lang/Object;)V", 1},
	ObjectAndFlag:   {"(Ljava/lang/Object;Z)V", 2},
	ObjectAndResult: {"(Ljava/lang/Object;I)V", 2},
}

// Report is a static method of the Recorder that a hook calls. The zero Report calls none.
type Report struct {
	Name string
	With Arguments
}

// none reports whether no method is called.
func (r Report) none() bool { return r.Name == "" }

// Hook is a place in classes, and the reports called there.
type Hook struct {
	Site   Site
	Method Method
	// Within restricts calls to those in such methods.
	Within Method
	// Before is called before the call, or at the body's entry.
	Before Report
	// After is called when the call has returned, with Nothing; or before the body returns. It is not called when
	// either ends by an exception.
	After Report
}

// The reports, which are the Recorder's native methods, by name and arguments.
var (
	reportStarted     = Report{"started", Object}     // the thread is about to be started
	reportInterrupted = Report{"interrupted", Object} // the thread is about to be interrupted
	reportSleepsNanos = Report{"sleepsNanos", Long}   // the current thread is about to sleep, in nanoseconds
	reportSlept       = Report{"slept", Nothing}      // its sleep has returned
	// it is about to join the thread, in nanoseconds; 0 is no limit
	reportJoins  = Report{"joins", ObjectAndLong}
	reportJoined = Report{"joined", Object} // its join has returned
	reportParks  = Report{"parks", Object}  // the virtual thread is about to park
	// likewise, in nanoseconds at most
	reportParksNanos = Report{"parksNanos", ObjectAndLong}
	reportParked     = Report{"parked", Object}  // its park has returned
	reportUnparks    = Report{"unparks", Object} // the virtual thread is about to be unparked
	// the current thread has waited for the synchronizer: 1 if it has acquired it
	reportAcquired  = Report{"acquired", ObjectAndResult}
	reportSignals   = Report{"signals", ObjectAndFlag} // it is about to signal the condition, or all of its waiters
	reportSignalled = Report{"signalled", Parameter}   // the waiter's node is about to be removed from the condition

	reports = []Report{reportStarted, reportInterrupted, reportSleepsNanos, reportSlept, reportJoins, reportJoined,
		reportParks, reportParksNanos, reportParked, reportUnparks, reportAcquired, reportSignals, reportSignalled}
)

const (
	threadClass           = "java/lang/Thread"
	virtualThreadClass    = "java/lang/VirtualThread"
	synchronizerClass     = "java/util/concurrent/locks/AbstractQueuedSynchronizer"
	longSynchronizerClass = "java/util/concurrent/locks/AbstractQueuedLongSynchronizer"
	conditionSuffix       = "$ConditionObject"
	conditionNodeSuffix   = "$ConditionNode"
)

// VirtualThreads are the hooks for virtual threads, since JDK 21. Starting, interrupting, sleeping and joining them
// never calls native methods, so there is no other way to record it. All ways of starting one end in the start that
// takes a container; a second start, which fails, is reported, too. An interrupted sleep or join does not return.
var VirtualThreads = []Hook{
	{Site: InBody, Method: Method{virtualThreadClass, "start", "(Ljdk/internal/vm/ThreadContainer;)V"},
		Before: reportStarted},
	{Site: InBody, Method: Method{virtualThreadClass, "interrupt", "()V"}, Before: reportInterrupted},
	{Site: InBody, Method: Method{virtualThreadClass, "sleepNanos", "(J)V"}, Before: reportSleepsNanos,
		After: reportSlept},
	{Site: InBody, Method: Method{virtualThreadClass, "joinNanos", "(J)Z"}, Before: reportJoins, After: reportJoined},
}

// VirtualParks are the hooks for parks of virtual threads.
var VirtualParks = []Hook{
	{Site: InBody, Method: Method{virtualThreadClass, "park", "()V"}, Before: reportParks, After: reportParked},
	{Site: InBody, Method: Method{virtualThreadClass, "parkNanos", "(J)V"}, Before: reportParksNanos,
		After: reportParked},
	{Site: InBody, Method: Method{virtualThreadClass, "unpark", "()V"}, Before: reportUnparks},
}

// Synchronizers are the hooks for locks and conditions. A thread that has to wait for a synchronizer does so in
// acquire, whose result it has when it has stopped parking. doSignal removes waiters from a condition by enqueue, whose
// parameter is a Node or, since a later JDK, a ConditionNode.
var Synchronizers = append(synchronizers(synchronizerClass, "I"), synchronizers(longSynchronizerClass, "J")...)

// synchronizers returns the hooks for a class of synchronizers with states of this type.
func synchronizers(class, state string) []Hook {
	return []Hook{
		{Site: InBody, Method: Method{class, "acquire", "(L" + class + "$Node;" + state + "ZZZJ)I"},
			After: reportAcquired},
		{Site: InBody, Method: Method{class, "enqueue", ""}, Before: reportSignalled},
		{Site: InBody, Method: Method{class + conditionSuffix, "doSignal", "(L" + class + conditionNodeSuffix + ";Z)V"},
			Before: reportSignals},
	}
}

// matches reports whether a method has the names of m.
func (m Method) matches(class, name, descriptor string) bool {
	return (m.Class == "" || m.Class == class) && (m.Name == "" || m.Name == name) &&
		(m.Descriptor == "" || m.Descriptor == descriptor)
}

// matchesCall reports whether the hook can be at a call, by an instruction with this opcode, of a method with this name
// and descriptor.
func (h *Hook) matchesCall(opcode byte, name, descriptor string) bool {
	if h.After.With != Nothing || h.Before.none() && h.After.none() {
		return false
	}
	switch h.Before.With {
	case Nothing:
		return true
	case Object: // the top of the stack; not for constructors, whose object is uninitialized
		return opcode != opInvokestatic && strings.HasPrefix(descriptor, "()") && name != "<init>"
	case Long:
		return strings.HasPrefix(descriptor, "(J)")
	}
	return false
}

// matchesBody reports whether the hook can be in a method's body.
func (h *Hook) matchesBody(static bool, name, descriptor string) bool {
	if h.Before.none() && h.After.none() || h.Before.With.object() && name == "<init>" {
		return false
	}
	for _, with := range [...]Arguments{h.Before.With, h.After.With} {
		if with.object() && static || with.long() && !strings.HasPrefix(descriptor, "(J") {
			return false
		}
	}
	return h.Before.With.atEntry(static, descriptor) && h.After.With.atReturn(descriptor)
}

// atEntry reports whether a method has the arguments at its entry.
func (a Arguments) atEntry(static bool, descriptor string) bool {
	switch a {
	case Parameter:
		return !static && strings.HasPrefix(descriptor, "(L")
	case ObjectAndFlag:
		return objectAndBoolean(descriptor)
	}
	return a != ObjectAndResult
}

// atReturn reports whether a method has the arguments when it returns.
func (a Arguments) atReturn(descriptor string) bool {
	return a != Parameter && a != ObjectAndFlag && (a != ObjectAndResult || strings.HasSuffix(descriptor, ")I"))
}

// objectAndBoolean reports whether the first parameters are an object and a boolean.
func objectAndBoolean(descriptor string) bool {
	first, rest, found := strings.Cut(descriptor, ";")
	return found && strings.HasPrefix(first, "(L") && strings.HasPrefix(rest, "Z")
}

// object and long report whether the object and a long are among the arguments.
func (a Arguments) object() bool {
	return a == Object || a == ObjectAndLong || a == ObjectAndFlag || a == ObjectAndResult
}
func (a Arguments) long() bool { return a == Long || a == ObjectAndLong }
