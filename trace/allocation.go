package trace

// Allocation is an objAlloc with a size, or a sample that represents several allocations. Enrichers put it if they are
// asked to.
type Allocation struct {
	Session int
	// Time is the time of the element, or the latest of the trace if the element has none.
	Time Time
	// Thread allocated the object; its Key is 0 if that is unknown.
	Thread ThreadRef
	// Object is unknown if the trace does not follow the object.
	Object ObjectID
	// Class is the JVM's internal name: java/lang/String, [I. It is "" if unknown.
	Class string
	// Size is in bytes, with header and alignment; 0 if unknown.
	Size uint64
	// Interval is the mean distance of samples in bytes. 0 reports that every object has its Allocation.
	Interval uint64
	// Weight is the number of bytes that a sample of unknown distance represents; 0 for others.
	Weight uint64
	// Stack is nil if unknown.
	Stack *Stack
}

// Free is an objFree. The object was dead from the latest end of a garbage collection on: the JVM reports it later.
type Free struct {
	Session int
	Time    Time
	Object  ObjectID
}

// ObjectEnd reports the end of an object that can be a monitor. From now on its id is unused or names a new object.
type ObjectEnd struct{ Object ObjectID }

// Move is an objMove: From is To from now on.
type Move struct {
	Session  int
	From, To ObjectID
}

// AllocationSites is a profiler's table of allocations by class and call stack. A later one of the same recording
// replaces it.
type AllocationSites struct {
	Session int
	Rows    []AllocationSite
}

// AllocationSite is a row: objects and bytes.
type AllocationSite struct {
	Class                     string // the JVM's internal name; "" if unknown
	Stack                     *Stack // nil if unknown
	Live, LiveBytes           uint64
	Allocated, AllocatedBytes uint64
}

// LeastAlignment is the smallest size and the smallest alignment of an object in bytes. Most JVMs align objects by it.
const LeastAlignment = 8
