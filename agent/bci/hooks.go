package bci

import "strings"

// Method names methods by their class, name and descriptor, as class files spell them: "java/lang/Thread", "sleep",
// "(J)V". An empty part fits all. A call through a class that inherits the method is one of its class too, where the
// class file at hand shows it; see class.names.
type Method struct {
	Class, Name, Descriptor string
}

// Site says where a hook is.
type Site uint8

// The sites.
const (
	AtCalls Site = iota // where Hook.Method is called, of the methods Hook.Within
	InBody              // in Hook.Method itself
)

// Arguments say what a report is told. A hook fits only where there is such a thing: a static method has no object.
type Arguments uint8

// The arguments.
const (
	Nothing       Arguments = iota
	Object                  // the object that the method is called on, of a call without parameters; in a body: this
	Long                    // of a call: its only parameter, a long; in a body: the first parameter
	ObjectAndLong           // in a body only: both
)

// arguments are how they are spelt in a descriptor, and how many words of the operand stack they take.
var arguments = [...]struct {
	descriptor string
	words      int
}{
	Nothing:       {"()V", 0},
	Object:        {"(Ljava/lang/Object;)V", 1},
	Long:          {"(J)V", 2},
	ObjectAndLong: {"(Ljava/lang/Object;J)V", 3},
}

// Report is a static method of the Recorder that a hook calls. The zero Report calls none.
type Report struct {
	Name string
	With Arguments
}

// none says that nothing is reported.
func (r Report) none() bool { return r.Name == "" }

// Hook is a place in classes, and what is reported there.
type Hook struct {
	Site   Site
	Method Method
	// Within limits calls to those that stand in such methods.
	Within Method
	// Before is reported before the call, or at the body's entry.
	Before Report
	// After is reported when the call has returned, with Nothing; or before the body returns. It is not when an
	// exception ends either.
	After Report
}

// The reports. The native methods of the Recorder are these, by name and arguments.
var (
	Started     = Report{"started", Object}     // the thread is about to be started
	Interrupted = Report{"interrupted", Object} // the thread is about to be interrupted
	Notified    = Report{"notified", Object}    // the object's notify is about to be called
	NotifiedAll = Report{"notifiedAll", Object} // likewise, notifyAll
	Sleeps      = Report{"sleeps", Long}        // the current thread is about to sleep, for so many milliseconds
	SleepsNanos = Report{"sleepsNanos", Long}   // likewise, nanoseconds
	Slept       = Report{"slept", Nothing}      // its sleep has ended, and not by an exception
	// it is about to join the thread, for so many nanoseconds; 0 for ever
	Joins        = Report{"joins", ObjectAndLong}
	Joined       = Report{"joined", Object}        // its join has ended, and not by an exception
	Interruption = Report{"interruption", Nothing} // it makes an InterruptedException, which ends a wait, sleep or join
	reports      = []Report{Started, Interrupted, Notified, NotifiedAll, Sleeps, SleepsNanos, Slept, Joins, Joined,
		Interruption}
)

const (
	threadClass        = "java/lang/Thread"
	virtualThreadClass = "java/lang/VirtualThread"
)

// VirtualThreads are the hooks for virtual threads, from JDK 21 on. Starting, interrupting, sleeping and joining never
// reach native code there, so there is nothing else to see them by. All ways of starting one end in the start that
// takes a container; a second start, which fails, is reported too. A sleep or join that is interrupted has no end of
// its own: Interruptions tell of it.
var VirtualThreads = []Hook{
	{Site: InBody, Method: Method{virtualThreadClass, "start", "(Ljdk/internal/vm/ThreadContainer;)V"},
		Before: Started},
	{Site: InBody, Method: Method{virtualThreadClass, "interrupt", "()V"}, Before: Interrupted},
	{Site: InBody, Method: Method{virtualThreadClass, "sleepNanos", "(J)V"}, Before: SleepsNanos, After: Slept},
	{Site: InBody, Method: Method{virtualThreadClass, "joinNanos", "(J)Z"}, Before: Joins, After: Joined},
}

// Interruptions are the hooks that tell that a wait, sleep or join was interrupted, or that a program makes such an
// exception itself. JVMTI's exception events would slow every exception of the program down. The report takes nothing,
// so it may stand before the call of the superclass's constructor.
var Interruptions = []Hook{
	{Site: InBody, Method: Method{"java/lang/InterruptedException", "<init>", "()V"}, Before: Interruption},
	{Site: InBody, Method: Method{"java/lang/InterruptedException", "<init>", "(Ljava/lang/String;)V"},
		Before: Interruption},
}

// calls are the hooks that every JDK needs after a late attach, when the native methods themselves cannot be replaced
// any more.
//
// Nobody can override notify and notifyAll, so whatever class a call names, these are Object's. Everything that starts
// a platform thread ends in start0. Of interrupt0 only the calls in interrupt count: when a virtual thread is
// interrupted, the thread that carries it is woken by setInterrupt, and nobody interrupted that. Calls by reflection,
// through method references and by native code are not seen, unless they end in methods of Thread.
var calls = []Hook{
	{Method: Method{"", "notify", "()V"}, Before: Notified},
	{Method: Method{"", "notifyAll", "()V"}, Before: NotifiedAll},
	{Method: Method{threadClass, "start0", "()V"}, Within: Method{Class: threadClass}, Before: Started},
	{Method: Method{threadClass, "interrupt0", "()V"}, Within: Method{threadClass, "interrupt", "()V"},
		Before: Interrupted},
}

// sleeps are the hooks for sleeping. They depend on the JDK: up to 18 the public method is the native one, with
// milliseconds, and is hooked where it is called; since 19 it calls a native sleep0, which takes milliseconds in 19 and
// 20, and nanoseconds since 21; later sleep0 became sleepNanos0. The former misses calls through classes that extend
// Thread in more than one step, or from outside of them; see class.names.
var sleeps = []struct {
	first, last int
	hook        Hook
}{
	{0, 18, Hook{Method: Method{threadClass, "sleep", "(J)V"}, Before: Sleeps, After: Slept}},
	{19, 20, Hook{Method: Method{threadClass, "sleep0", "(J)V"}, Within: Method{Class: threadClass}, Before: Sleeps,
		After: Slept}},
	{21, newest, Hook{Method: Method{threadClass, "sleep0", "(J)V"}, Within: Method{Class: threadClass},
		Before: SleepsNanos, After: Slept}},
	{21, newest, Hook{Method: Method{threadClass, "sleepNanos0", "(J)V"}, Within: Method{Class: threadClass},
		Before: SleepsNanos, After: Slept}},
}

const newest = 1 << 30

// Calls are the hooks for a late attach to a JVM of this feature version: 17 for JDK 17.
func Calls(feature int) []Hook {
	hooks := append([]Hook(nil), calls...)
	for _, row := range sleeps {
		if row.first <= feature && feature <= row.last {
			hooks = append(hooks, row.hook)
		}
	}
	return hooks
}

// fits says whether the names are those of a method like this.
func (m Method) fits(class, name, descriptor string) bool {
	return (m.Class == "" || m.Class == class) && (m.Name == "" || m.Name == name) &&
		(m.Descriptor == "" || m.Descriptor == descriptor)
}

// fitsCall says whether the hook can be at a call by an instruction of a method of this name and descriptor.
func (h *Hook) fitsCall(opcode byte, name, descriptor string) bool {
	if h.After.With != Nothing || h.Before.none() && h.After.none() {
		return false
	}
	switch h.Before.With {
	case Nothing:
		return true
	case Object: // which is the top of the stack, and an object already, as one whose constructor is called is not
		return opcode != opInvokestatic && strings.HasPrefix(descriptor, "()") && name != "<init>"
	case Long:
		return strings.HasPrefix(descriptor, "(J)")
	}
	return false
}

// fitsBody says whether the hook can be in a method.
func (h *Hook) fitsBody(static bool, name, descriptor string) bool {
	if h.Before.none() && h.After.none() || h.Before.With.object() && name == "<init>" {
		return false
	}
	for _, with := range [...]Arguments{h.Before.With, h.After.With} {
		if with.object() && static || with.long() && !strings.HasPrefix(descriptor, "(J") {
			return false
		}
	}
	return true
}

// object and long say what is among the arguments.
func (a Arguments) object() bool { return a == Object || a == ObjectAndLong }
func (a Arguments) long() bool   { return a == Long || a == ObjectAndLong }
