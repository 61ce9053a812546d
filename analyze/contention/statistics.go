package contention

import (
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/trace"
)

// The names of the tables in JSON.
const (
	TableThreads  = "threads"
	tablePools    = "pools"
	tableClasses  = "classes"
	TableMonitors = "monitors"
	tableCallers  = "callers"
	TableSites    = "sites"
	tablePairs    = "pairs"
	tableStarts   = "starts"
	tableOwners   = "owners"  // of monitors
	tableHolders  = "holders" // of sites
	tableBlame    = "blame"
)

// Statistics are the sums over one or more whole traces. Threads and monitors of different traces are different;
// classes, methods and sites are the same if their names are. Rows are in the order first seen; pairs, owners and
// holders by descending total.
type Statistics struct {
	Traces []Trace `json:"traces"`
	// All is the sum over all threads, also those without a row.
	All      Times      `json:"all"`
	Threads  []*Thread  `json:"threads"` // one for each incarnation
	Pools    []*Pool    `json:"pools"`
	Classes  []*Class   `json:"classes"`
	Monitors []*Monitor `json:"monitors"`
	Callers  []*Caller  `json:"callers"`
	Sites    []*Site    `json:"sites"`
	Pairs    []*Pair    `json:"pairs"`
	// Starts are the times that threads took to start.
	Starts Starts `json:"starts"`
	// Blame is who kept threads waiting; nil unless it was computed for all traces.
	Blame *Blame `json:"blame,omitempty"`
	// Unblamed names the traces of merged statistics that lack it.
	Unblamed []string `json:"-"`
	// Workers are what only all threads of pools show together, such as pools that were saturated.
	Workers *Workers `json:"workers,omitempty"`
	// Samples are the states in which samplers and thread dumps found threads; nil without samples.
	Samples *samples.Summary `json:"-"`
	Hidden  Hidden           `json:"hidden,omitempty"`
	// Selected reports that the statistics cover a part of the traces, so that shares of all time mean nothing.
	Selected bool `json:"selected,omitempty"`
	// NoClass are the selection's patterns for classes, if no class in the traces matches one of them.
	NoClass []string `json:"-"`
}

// Trace is a trace in the statistics.
type Trace struct {
	Name     string `json:"name"`
	Start    string `json:"startTime,omitempty"` // decimal seconds since 1970
	Duration int64  `json:"duration"`            // nanoseconds up to its latest time
	Recorded int64  `json:"-"`                   // sum of the lengths of its recordings; 0 if unknown
	Events   uint64 `json:"events"`              // model events
	// Truncated reports that the trace ends inside an element.
	Truncated bool `json:"truncated,omitempty"`
	// Deadlocked counts threads of deadlocks at the end. CutOff reports that the trace lacks the run's end, so that
	// they may have gone on; Possible that one of the deadlocks is only a possible one for this or another reason.
	Deadlocked int  `json:"deadlocked,omitempty"`
	CutOff     bool `json:"cutOff,omitempty"`
	Possible   bool `json:"possible,omitempty"`
	// Collections are the garbage collections that end in the selected part of the time. Load covers the whole trace.
	// They are nil if the trace has none.
	Collections *Collections   `json:"collections,omitempty"`
	Load        *ProcessorLoad `json:"load,omitempty"`
	// Troubles are what the JVM reports besides what threads did, in the whole trace.
	Troubles []Trouble `json:"troubles,omitempty"`
	// MonitorTimes are profilers' own sums, one for each recording that has them.
	MonitorTimes []MonitorTime `json:"monitorTimes,omitempty"`
}

// NamedThread is a thread as other rows name it. The zero NamedThread is an unknown one.
type NamedThread struct {
	ID   string `json:"threadId,omitempty"`
	Name string `json:"name,omitempty"` // "" if unknown
	// Session is the index, in the trace, of the recording that the id belongs to.
	Session int `json:"session,omitempty"`
}

// Thread is the time in which a thread did not run.
type Thread struct {
	NamedThread
	// Key is the thread's key in its trace; it is not saved.
	Key   trace.ThreadKey `json:"-"`
	Group string          `json:"group,omitempty"`
	Times Times           `json:"times"`
}

// Class is the time in which threads were blocked or waited at the monitors of a class.
type Class struct {
	// Name is "" for monitors of unknown class, and Others beyond the limit of classes.
	Name  string `json:"class"`
	Times Times  `json:"times"`
	Different
	// Blocks and Waits count the monitors at which threads were blocked, and at which they waited.
	Blocks Different `json:"blocks"`
	Waits  Different `json:"waits"`
}

// Different counts different monitors and threads.
type Different struct {
	Monitors uint64 `json:"monitors"`
	Threads  uint64 `json:"threads"`
}

// Monitor is the time in which threads were blocked or waited at an object.
type Monitor struct {
	ID      string `json:"objectId"`
	Class   string `json:"class"`
	Session int    `json:"session,omitempty"` // the index of the recording that the id belongs to
	// Lock is, for a condition, the id of its lock, and LockClass the class of the lock; "" if unknown.
	Lock      string `json:"lock,omitempty"`
	LockClass string `json:"lockClass,omitempty"`
	Times     Times  `json:"times"`
	Threads   uint64 `json:"threads"` // number of different ones
	// Blocked is how many of them were blocked on it, 0 if unknown. Inferred reports that an owner was concluded, not
	// recorded. Neither is saved.
	Blocked  uint64 `json:"-"`
	Inferred bool   `json:"-"`
	// Owners are the threads that held it while others were blocked on it. The one without an id sums up all times
	// without a known holder. Their totals sum to the time in which threads were blocked on it.
	Owners []Owner `json:"owners,omitempty"`
}

// Owner is a thread that held a monitor while others were blocked on it. Count is the number of their intervals, Total
// the time of these in which it held the monitor, Max the longest such time.
type Owner struct {
	NamedThread
	// Key is the thread's key in its trace; it is not saved.
	Key trace.ThreadKey `json:"-"`
	Tally
	// Places are where it was then, as far as the trace shows, the longest first.
	Places []OwnerPlace `json:"places,omitempty"`
}

// Tally counts lengths; Total and Max are in nanoseconds.
type Tally struct {
	Count uint64 `json:"count"`
	Total uint64 `json:"total"`
	Max   int64  `json:"max"`
}

// Others is the name of the class and of the method that sum up all beyond the limit.
const Others = "(others)"

// Caller is the time in which threads were blocked or waited in a method.
type Caller struct {
	Class  string `json:"class"`
	Method string `json:"method"`
	Times  Times  `json:"times"`
	Different
}

// Place is a place in the program.
type Place struct {
	Class  string `json:"class"`
	Method string `json:"method"`
	File   string `json:"file,omitempty"` // the class's source file, "" if unknown
	Line   int32  `json:"line,omitempty"` // from 1 on, or 0 if unknown
	// In is the library's method in which the threads were, as Java writes it; "" for none.
	In string `json:"in,omitempty"`
	// Outer are the calls below it, for people; "" if they are unknown or not wanted.
	Outer string `json:"outer,omitempty"`
}

// Site is the time in which threads did not run at a place in the program, by the class of the monitors.
type Site struct {
	Place
	// Monitor is the class of the monitors, or of joined Thread objects; "" if unknown, and for sleeps.
	Monitor string `json:"monitorClass"`
	// ClassObject is javaname.ClassObject of the monitor, if that is a java.lang.Class object and the trace has the
	// class that it represents; "" if there are several.
	ClassObject string `json:"classObject,omitempty"`
	Times       Times  `json:"times"`
	Different          // without joined Thread objects
	// Holders are the places where the owners of the monitors were last seen when threads were blocked here.
	Holders []Holder `json:"holders,omitempty"`
	// byPlace has the indexes of Holders while they are merged.
	byPlace map[Place]int
}

// Holder is a place in which the owner of a monitor was last seen.
type Holder struct {
	Place
	Tally
}

// Pair is the time in which one thread was blocked on monitors that another one held when it began to be blocked.
// Others may have held them later; see Owner.
type Pair struct {
	Waiter NamedThread `json:"waiter"`
	Owner  NamedThread `json:"owner"`
	Tally
}

// Hidden counts the rows beyond the limit, by table. Other tables include their time.
type Hidden map[string]HiddenRows

// HiddenRows are the rows that a table lacks.
type HiddenRows struct {
	Rows uint64 `json:"rows"`
	Time uint64 `json:"time"` // the total of all kinds, in nanoseconds
}

func (h *Hidden) add(table string, rows HiddenRows) {
	if rows.Rows == 0 {
		return
	}
	if *h == nil {
		*h = Hidden{}
	}
	sum := (*h)[table]
	(*h)[table] = HiddenRows{sum.Rows + rows.Rows, histogram.Sum(sum.Time, rows.Time)}
}
