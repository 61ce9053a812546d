package threaddump

import "github.com/trcx/trcx/trace"

// form is a way in which JVMs write dumps. What one form leaves out another may have, so that a thread is only known to
// be gone if a dump of the same form lacks it.
type form uint8

const (
	printed form = iota // jstack, Thread.print, SIGQUIT
	plain               // Thread.dump_to_file
	asJSON              // Thread.dump_to_file -format=json
)

// state is a thread's state as dumps name it.
type state uint8

const (
	unknown state = iota
	runnable
	blocked
	waiting
	timedWaiting
	ended // or not started
)

var states = map[string]state{
	"RUNNABLE": runnable, "BLOCKED": blocked, "WAITING": waiting, "TIMED_WAITING": timedWaiting, "NEW": ended,
	"TERMINATED": ended,
	"IN_NATIVE":  runnable, "IN_VM": runnable, "IN_JAVA": runnable, // of jstack -F
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

// way is how a thread waits, as its state's particulars or its innermost calls say.
type way uint8

const (
	anyWay way = iota
	bySleeping
	byParking
	byWaiting
)

// object is what a dump says of an object.
type object struct {
	name  string // as the dump has it: an address, or class@hash
	class string // as Java writes it; "" if it is not known
}

func (o object) known() bool { return o.name != "" }

// thread is what a dump says of a thread. Its fields are those of all forms of dumps, hence their number.
type thread struct {
	id        string // Java's, or the address of the VM's thread where there is none
	handle    string // that address; "" if it is not known
	title     string
	group     string
	parent    string
	nid       string
	prio      string
	carrier   string // whose, of a mounted virtual thread
	starts    string // of which class it waits for the initialization
	daemon    bool
	virtual   bool
	java      bool // it has what only threads of Java have
	state     state
	way       way
	calls     way // as the innermost frames say
	innermost [3]way
	want      relation
	wanted    object
	lockedBy  string // the id of who has it, where the dump says it at once
	owned     []object
	synced    []object // ownable synchronizers
	stack     *string
	depth     int
	cut       bool       // the stack is not complete
	elapsed   trace.Time // since its start; below 0 if that is not known
	place     trace.Place
	now       activity // what it does; known when the dump is complete
}

// toldSize is about how much memory a thread takes that has been written, or an object, without names.
const toldSize = 160

// size is about how much memory a thread takes, which is told at once or not.
func (t *thread) size(told bool) int {
	if told {
		return toldSize + len(t.id)
	}
	size := 512 + len(t.id) + len(t.handle) + len(t.title)
	for _, o := range t.owned {
		size += 32 + len(o.name) + len(o.class)
	}
	return size + len(t.wanted.name) + len(t.wanted.class)
}

// edge is what a deadlock section says: a thread waits for an object that another one has.
type edge struct {
	waiter, owner string // their names
	object        string
	loop          int // a number that the edges of a loop have in common
	place         trace.Place
}

// dump is one dump. Its fields are those of all forms, hence their number.
type dump struct {
	form    form
	place   trace.Place
	at      trace.Time
	dated   bool
	vm      string // which JVM it says it is of
	process string // its id
	threads []*thread
	edges   []edge
	loops   int  // deadlocks that the JVM has found
	whole   bool // it has what dumps end with
	synced  bool // it lists ownable synchronizers
	states  bool // it has the states of threads
	locks   bool // it has what threads lock
	found   bool // it has a thread of Java
	escaped bool // it has lines of threads with the entities of HTML
	size    int
	begun   bool // the trace has begun with it, before it was complete
	told    int  // threads that have been given to the trace, and are not kept
}

// maxDump is about how many bytes are kept of a dump, of threads that have been told too.
const maxDump = 256 << 20
