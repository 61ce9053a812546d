package trace

import "bytes"

// CPUTime is the time that a thread has been on a processor since it began. The recorder asks for it when the thread
// starts, when waits end, and when the thread or the recording ends. It follows the records of an event.
type CPUTime struct {
	Thread ThreadRef
	Time   Time
	Used   int64 // nanoseconds
}

// CPUFrom returns the CPU time in nanoseconds that an annotation has, or 0.
func CPUFrom(text []byte) int64 {
	value, n := decimal(text)
	if n == 0 || n != len(text) || value > 1<<62 {
		return 0
	}
	return int64(value)
}

// ThreadCPUFrom returns the values of an annotation among the events: a thread, a time and the thread's CPU time then,
// with blanks between. ok is false if the text has another form.
func ThreadCPUFrom(text []byte) (thread ThreadID, at Time, used int64, ok bool) {
	id, rest, _ := bytes.Cut(text, []byte(" "))
	moment, value, _ := bytes.Cut(rest, []byte(" "))
	at, reading := ParseTime(moment)
	used = CPUFrom(value)
	return ThreadFrom(id), at, used, len(id) > 0 && reading == Exact && used > 0
}
