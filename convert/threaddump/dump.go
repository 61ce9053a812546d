package threaddump

import (
	"fmt"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/polling"
)

// form is a format of dumps. One form may omit threads that another one has, so a thread is known to have ended only if
// a dump of the same form lacks it.
type form uint8

const (
	printed form = iota // jstack, Thread.print, SIGQUIT
	plain               // Thread.dump_to_file
	asJSON              // Thread.dump_to_file -format=json
	jmx                 // by java.lang.management
	jrockit
	javacore // of IBM and OpenJ9
	forced   // jstack -F and -m, up to JDK 8
)

// ofOneMoment reports whether a dump of the form is made while all threads are stopped.
func (f form) ofOneMoment() bool { return f != plain && f != asJSON }

// javaState is a thread's state as dumps name it.
type javaState uint8

const (
	javaUnknown javaState = iota
	javaRunnable
	javaBlocked
	javaWaiting
	javaTimedWaiting
	javaSomeWaiting // whether it has a timeout is unknown
	javaEnded       // or not started
)

var javaStates = map[string]javaState{
	"RUNNABLE": javaRunnable, "BLOCKED": javaBlocked, "WAITING": javaWaiting, "TIMED_WAITING": javaTimedWaiting,
	"NEW": javaEnded, "TERMINATED": javaEnded,
	"IN_NATIVE": javaRunnable, "IN_VM": javaRunnable, "IN_JAVA": javaRunnable, // of jstack -F
}

// relation is the relation of a thread to the object that it wants.
type relation uint8

const (
	nothing relation = iota
	toLock
	toBeNotified
	toLockAgain
	toBeUnparked
)

// waitCall is how a thread waits, according to the details of its state or its innermost calls.
type waitCall uint8

const (
	noWaitCall waitCall = iota
	bySleeping
	byParking
	byWaiting
)

// object is what a dump says of an object.
type object struct {
	name  string // as in the dump: an address, or class@hash
	class string // as Java writes it; "" if unknown
}

func (o object) known() bool { return o.name != "" }

// thread is a thread as a dump shows it.
type thread struct {
	threadHeader
	wait
	stackTrace
	isJava bool // it has parts that only Java threads have
	// initializing are the classes whose static initializers it runs, according to its calls.
	initializing []string
	owned        []object
	synced       []object // ownable synchronizers
	place        trace.Place
	state        threadState // resolved when the dump is complete
}

// newThread returns a thread that begins at a place of the input.
func newThread(at trace.Place) *thread {
	return &thread{threadHeader: threadHeader{elapsed: unknownTime}, place: at}
}

// threadHeader has the attributes of a thread.
type threadHeader struct {
	id      string // Java's, or the address of the VM's thread if there is none
	handle  string // that address; "" if unknown
	name    string
	group   string
	parent  string
	nid     string
	prio    string
	carrier string // the id of the thread that runs this virtual thread
	carries string // the id of the virtual thread that it runs
	daemon  bool
	virtual bool
	elapsed trace.Time // since the thread's start; below 0 if unknown
	cpu     int64      // the CPU time that the thread has used, in nanoseconds; 0 if unknown
}

// wait is the wait of a thread as the dump shows it.
type wait struct {
	javaState   javaState
	waitCall    waitCall
	want        relation
	wanted      object
	ownerID     string // the id of the wanted object's owner, if the dump names it with the thread
	ownerName   string // its name, if the dump has no id
	blockedInVM bool   // the JVM calls it blocked, which can also be a thread that waits
	initializes string // the class whose initialization it waits for
}

// stackTrace is a thread's calls.
type stackTrace struct {
	stack         *string // as symbols has it; threads with the same calls share it
	depth         int
	cut           bool        // it is not complete
	mounted       int         // bytes of the stack up to the run method of a virtual thread; 0 without it
	numbered      bool        // of JRockit, which prints the number before the name
	misplaced     bool        // each call has the line of its caller
	native        bool        // the innermost call is of a native method; unknown in some forms
	innermost     [4]waitCall // for a virtual thread that keeps its carrier, its sleep is the fourth
	stackWaitCall waitCall    // according to the innermost frames
	polls         polling.Wait
	io            trace.IO // for which a virtual thread waits, see poll; NoIO if unknown
	barrier       barrierPart
}

// emittedSize is the approximate size in bytes of a thread or an object that is not kept, without names.
const emittedSize = 160

// size is the approximate size of a thread in bytes, kept or emitted at once.
func (t *thread) size(emitted bool) int {
	if emitted {
		return emittedSize + len(t.id)
	}
	size := 512 + len(t.id) + len(t.handle) + len(t.name)
	for _, o := range t.owned {
		size += 32 + len(o.name) + len(o.class)
	}
	for _, class := range t.initializing {
		size += 32 + len(class)
	}
	return size + len(t.wanted.name) + len(t.wanted.class)
}

// edge is an edge of a deadlock section: a thread waits for an object that another one owns.
type edge struct {
	waiter, owner string // their names
	object        string
	deadlock      int // the number of its deadlock
	place         trace.Place
}

// dump is a thread dump.
type dump struct {
	dumpHeader
	dumpContents
	form      form
	place     trace.Place
	threads   []*thread
	edges     []edge
	deadlocks int // found by the JVM
	// edgeClasses are the classes of the edges' objects.
	edgeClasses map[string]string
	complete    bool            // it has the end of a dump
	size        int             // approximately, in bytes
	headless    bool            // there was no line before its threads
	ids         map[string]bool // of the threads so far, if the dump has no head
	begun       bool            // the trace has begun with it before it was complete
	emitted     int             // threads that were emitted at once, and are not kept
	cpu         cpuTimes
}

// dumpHeader is the text before the first thread.
type dumpHeader struct {
	at      trace.Time
	dated   bool
	vm      string // the version of the JVM
	process string // its id
}

// dumpContents are the kinds of information in a dump.
type dumpContents struct {
	hasSynchronizers bool // ownable synchronizers
	hasStates        bool // states of threads
	hasLocks         bool // monitors and locks
	hasThread        bool // Java threads
	escaped          bool // lines of threads with HTML entities
}

// maxDump limits the size of a dump, in bytes, including the threads that were emitted at once.
const maxDump = 256 << 20

// undatedInterval is the assumed time between two dumps without times, in nanoseconds.
const undatedInterval = trace.Time(1_000_000_000)

// setTime sets the time of a dump that has none, and refines a time in whole seconds if the dump has elapsed times. The
// trace has each dump at a time of its own.
func (s *series) setTime(d *dump, other bool) {
	if d.dated && d.form.ofOneMoment() {
		s.lacks[noZone] = true
	}
	switch {
	case !d.dated:
		s.lacks[noTimes] = true
		s.undated = s.undated || s.dumps == 0
		if s.dumps > 0 {
			d.at = s.last + undatedInterval
		}
	case s.undated: // the first dump's time is unknown, and must not be 50 years earlier
		if s.offset == 0 {
			s.offset = d.at - s.last - undatedInterval
		}
		d.at -= s.offset
	case s.dumps == 0:
	default:
		s.refineTime(d, other)
	}
	latest := max(s.latest, d.at)
	switch {
	case s.dumps == 0:
	case d.at > s.last:
		s.timed = true
	default:
		if d.at < s.latest {
			s.report(ruleTime, trace.Warning, d.place, fmt.Sprintf(
				"this dump is %d ms older than the previous one; it is read as 1 ns after that", (s.latest-d.at)/1e6), nil)
		}
		d.at = s.last + 1
	}
	s.latest = latest
	s.last = d.at
}

// refineTime refines a time in whole seconds by how much longer a thread has lived than at the previous dump.
func (s *series) refineTime(d *dump, other bool) {
	if other || d.form != printed {
		return
	}
	for _, t := range d.threads {
		k := s.threads[t.id]
		if k == nil || k.previous.handle != t.handle || k.previous.elapsed < 0 || t.elapsed < k.previous.elapsed {
			continue
		}
		at := s.last + t.elapsed - k.previous.elapsed
		if off := at - d.at; off > -undatedInterval-undatedInterval/10 && off < undatedInterval+undatedInterval/10 {
			d.at = at
		}
		return
	}
}
