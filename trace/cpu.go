package trace

// CPUTime is the time that a thread has been on a processor since it began. The recorder asks for it when the thread
// starts, when waits end, and when the thread or the recording ends; a thread dump has it of each thread.
type CPUTime struct {
	Thread ThreadRef
	Time   Time
	Used   int64 // nanoseconds
	Age    int64 // for how many nanoseconds the thread had lived; 0 if that is unknown
}
