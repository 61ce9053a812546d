package bci

// The reports of hooks that only tests use.
var (
	reportNotified     = Report{"notified", Object}      // the object's notify is about to be called
	reportNotifiedAll  = Report{"notifiedAll", Object}   // the object's notifyAll is about to be called
	reportSleeps       = Report{"sleeps", Long}          // the current thread is about to sleep, in milliseconds
	reportInterruption = Report{"interruption", Nothing} // it creates an InterruptedException
)

func init() {
	reports = append(reports, reportNotified, reportNotifiedAll, reportSleeps, reportInterruption)
	stub = recorder([]byte{opReturn})
}

// interruptions are the hooks for an interrupted wait, sleep or join, and for an exception that the program creates
// itself. JVMTI's exception events would slow down every exception of the program. The report has no arguments, so its
// call is allowed before that of the superclass's constructor.
var interruptions = []Hook{
	{Site: InBody, Method: Method{"java/lang/InterruptedException", "<init>", "()V"}, Before: reportInterruption},
	{Site: InBody, Method: Method{"java/lang/InterruptedException", "<init>", "(Ljava/lang/String;)V"},
		Before: reportInterruption},
}

// calls are hooks at calls, which the agent does not use: it replaces the native methods that are called.
//
// notify and notifyAll are final, so all calls of these names are Object's. Every start of a platform thread ends in
// start0. Of interrupt0 only the calls in interrupt count: setInterrupt wakes the carrier of an interrupted virtual
// thread by it. Calls by reflection, method references and native code are not recorded, unless they end in methods of
// Thread.
var calls = []Hook{
	{Method: Method{"", "notify", "()V"}, Before: reportNotified},
	{Method: Method{"", "notifyAll", "()V"}, Before: reportNotifiedAll},
	{Method: Method{threadClass, "start0", "()V"}, Within: Method{Class: threadClass}, Before: reportStarted},
	{Method: Method{threadClass, "interrupt0", "()V"}, Within: Method{threadClass, "interrupt", "()V"},
		Before: reportInterrupted},
}

// sleeps are the hooks for sleeping, which depend on the JDK. Up to 18 the public method is the native one, in
// milliseconds, and is hooked where it is called. Since 19 it calls a native sleep0, which takes milliseconds in 19 and
// 20, and nanoseconds since 21; later sleep0 became sleepNanos0. Up to 18, calls through indirect subclasses of Thread
// from other classes are missed; see class.names.
var sleeps = []struct {
	first, last int
	hook        Hook
}{
	{0, 18, Hook{Method: Method{threadClass, "sleep", "(J)V"}, Before: reportSleeps, After: reportSlept}},
	{19, 20, Hook{Method: Method{threadClass, "sleep0", "(J)V"}, Within: Method{Class: threadClass},
		Before: reportSleeps,
		After:  reportSlept}},
	{21, newest, Hook{Method: Method{threadClass, "sleep0", "(J)V"}, Within: Method{Class: threadClass},
		Before: reportSleepsNanos, After: reportSlept}},
	{21, newest, Hook{Method: Method{threadClass, "sleepNanos0", "(J)V"}, Within: Method{Class: threadClass},
		Before: reportSleepsNanos, After: reportSlept}},
}

const newest = 1 << 30

// callHooks returns the hooks at calls for this feature version: 17 for JDK 17.
func callHooks(feature int) []Hook {
	hooks := append([]Hook(nil), calls...)
	for _, row := range sleeps {
		if row.first <= feature && feature <= row.last {
			hooks = append(hooks, row.hook)
		}
	}
	return hooks
}
