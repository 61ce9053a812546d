package bci

import "strings"

// Method matches methods by class, name and descriptor, as class files have them: "java/lang/Thread", "sleep", "(J)V".
// An empty part matches all.
type Method struct {
	Class, Name, Descriptor string
}

// Arguments are the arguments of a report. A hook matches only where they exist: a static method has no object.
type Arguments uint8

// The arguments.
const (
	Nothing         Arguments = iota
	Object                    // this
	Long                      // the first parameter, a long
	ObjectAndLong             // both
	Parameter                 // at the entry only: the first parameter, an object
	ObjectAndFlag             // at the entry only: this, and the second parameter, a boolean after an object
	ObjectAndResult           // at a return only: this, and the int that is returned
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

// Report is a static method of the Recorder that a hook calls. The zero Report calls no method.
type Report struct {
	Name string
	With Arguments
}

// none reports whether no method is called.
func (r Report) none() bool { return r.Name == "" }

// Hook is a method, and the reports called in its body.
type Hook struct {
	Method Method
	// Before is called at the body's entry.
	Before Report
	// After is called before the body returns. It is not called when the body ends by an exception.
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
	{Method: Method{virtualThreadClass, "start", "(Ljdk/internal/vm/ThreadContainer;)V"},
		Before: reportStarted},
	{Method: Method{virtualThreadClass, "interrupt", "()V"}, Before: reportInterrupted},
	{Method: Method{virtualThreadClass, "sleepNanos", "(J)V"}, Before: reportSleepsNanos,
		After: reportSlept},
	{Method: Method{virtualThreadClass, "joinNanos", "(J)Z"}, Before: reportJoins, After: reportJoined},
}

// VirtualParks are the hooks for parks of virtual threads.
var VirtualParks = []Hook{
	{Method: Method{virtualThreadClass, "park", "()V"}, Before: reportParks, After: reportParked},
	{Method: Method{virtualThreadClass, "parkNanos", "(J)V"}, Before: reportParksNanos,
		After: reportParked},
	{Method: Method{virtualThreadClass, "unpark", "()V"}, Before: reportUnparks},
}

// Synchronizers are the hooks for locks and conditions. A thread that has to wait for a synchronizer parks in acquire,
// which returns the result when the thread has stopped parking. doSignal removes waiters from a condition by enqueue,
// whose parameter is a Node or, since a later JDK, a ConditionNode.
var Synchronizers = append(synchronizers(synchronizerClass, "I"), synchronizers(longSynchronizerClass, "J")...)

// synchronizers returns the hooks for a class of synchronizers with states of this type.
func synchronizers(class, state string) []Hook {
	return []Hook{
		{Method: Method{class, "acquire", "(L" + class + "$Node;" + state + "ZZZJ)I"},
			After: reportAcquired},
		{Method: Method{class, "enqueue", ""}, Before: reportSignalled},
		{Method: Method{class + conditionSuffix, "doSignal", "(L" + class + conditionNodeSuffix + ";Z)V"},
			Before: reportSignals},
	}
}

// matches reports whether a method has the names of m.
func (m Method) matches(class, name, descriptor string) bool {
	return (m.Class == "" || m.Class == class) && (m.Name == "" || m.Name == name) &&
		(m.Descriptor == "" || m.Descriptor == descriptor)
}

// fits reports whether the body of a method has the arguments of the reports.
func (h *Hook) fits(static bool, name, descriptor string) bool {
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
