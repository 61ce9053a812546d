package stackprofile

// KeepAtMost sets how many samples are kept and how many bytes, and returns a function that sets it back.
func KeepAtMost(samples, bytes int) func() {
	samplesBefore, bytesBefore := mostSamples, mostBytes
	mostSamples, mostBytes = samples, bytes
	return func() { mostSamples, mostBytes = samplesBefore, bytesBefore }
}

// Size is how many samples and names are kept.
func (t *Tally) Size() int {
	return len(t.samples) + len(t.threads.values) + len(t.monitors.values) + len(t.stacks.numbers.values) +
		len(t.stacks.functions.values)
}
