package trace

// Collection is a garbage collection. It comes when it has ended.
type Collection struct {
	Time, End Time
	// Paused is for how long the JVM was stopped, in nanoseconds: as long as the collection took, unless the input
	// reports its pauses.
	Paused int64
	// Longest is the longest of its pauses, in nanoseconds; Paused, unless the input reports it.
	Longest int64
	// Name is the collector and the cause, such as "G1Full: System.gc()"; "" if unknown.
	Name string
}

// WholeCollection is, while a collection is read, a pause as long as the collection.
const WholeCollection = -1

// Load is how busy the processors were over a whole recording.
type Load struct {
	Known        bool
	JVM, Machine LoadFigures
}

// LoadFigures are parts of all processors, from 0 to 1. A Max of 0 is unknown.
type LoadFigures struct{ Mean, Max float64 }

// The annotations of gcStart: the collector and its cause; in nanoseconds, for how long the JVM was stopped, and the
// longest of several such pauses.
const (
	NoteCollection = "collection"
	NotePaused     = "paused"
	NoteLongest    = "longest"
)

// The keys of options with the load of all processors, by the JVM and in all: decimal numbers from 0 to 1.
const (
	OptionJVMLoad        = "cpu.jvm"
	OptionJVMMaxLoad     = "cpu.jvm.max"
	OptionMachineLoad    = "cpu.machine"
	OptionMachineMaxLoad = "cpu.machine.max"
)
