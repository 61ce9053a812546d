package trace

// CPUTime is the time that a thread has been on a processor since it began. The recorder asks for it when the thread
// starts, when waits end, and when the thread or the recording ends. It follows the records of an event.
type CPUTime struct {
	Thread ThreadRef
	Time   Time
	Used   int64 // nanoseconds
}
