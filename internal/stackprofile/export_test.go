package stackprofile

// KeepAtMost sets the limits of samples and bytes, and returns a function that restores them.
func KeepAtMost(samples, bytes int) func() {
	samplesBefore, bytesBefore := maxSamples, maxBytes
	maxSamples, maxBytes = samples, bytes
	return func() { maxSamples, maxBytes = samplesBefore, bytesBefore }
}

// Size returns the number of samples and names.
func (p *Profile) Size() int {
	return len(p.samples) + len(p.threads.values) + len(p.monitors.values) + len(p.stacks.numbers.values) +
		len(p.stacks.functions.values)
}
