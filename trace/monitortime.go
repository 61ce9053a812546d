package trace

// MonitorTime is a profiler's table of the time that threads were BLOCKED, by place, summed over the whole run. It has
// no single waits. A later one of the same recording replaces it.
type MonitorTime struct {
	Session int
	Total   int64 // nanoseconds, as the profiler states it
	Rows    []MonitorShare
}

// MonitorShare is a row: the part of the total at one place and monitors of one class.
type MonitorShare struct {
	Share  float64 // of the total, from 0 to 1, as the profiler rounded it
	Count  uint64  // how often threads were BLOCKED
	Class  string  // in Java's form
	Caller Frame   // the place; the zero Frame if it is unknown
}
