package trace

// Collection is a garbage collection. It comes when it has ended.
type Collection struct {
	Time, End Time
	// Paused is how long the JVM was stopped, in nanoseconds: the length of the collection, unless the input reports
	// its pauses.
	Paused int64
	// Stopped reports that the JVM was stopped from Time to End. It is false if the input reports pauses of less than
	// nine tenths of that time, or unreadable ones.
	Stopped bool
	// Part reports that it is a pause of a longer collection, whose Paused includes it.
	Part bool
	// Longest is its longest pause in nanoseconds; it equals Paused unless the input reports it.
	Longest int64
	// Name is the collector and the cause, such as "G1Full: System.gc()"; "" if unknown.
	Name string
	// Collector is the JVM's garbage collector, such as "G1"; "" if unknown.
	Collector string
	// Pause reports that this is a pause of the JVM. A collection may have several.
	Pause bool
	// Number is the number of the collection that the pause is part of, from 1; 0 if it is unknown.
	Number uint64
	// Full is the number of the full collection that the pause is part of, or 0. FullKnown reports that the input
	// states it.
	Full      uint64
	FullKnown bool
	// Used and Total are the bytes of the heap in use after it, and of the whole heap; 0 if unknown.
	Used, Total uint64
}

// Load is how busy the processors were over a whole recording: parts of all processors, from 0 to 1. Max is 0 if the
// load is unknown.
type Load struct {
	Known        bool
	JVM, Machine struct{ Mean, Max float64 }
}
