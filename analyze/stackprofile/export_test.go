package stackprofile

// Size returns the number of samples and names.
func (p *Profile) Size() int {
	return len(p.samples) + len(p.threads.values) + len(p.monitors.values) + len(p.stacks.numbers.values) +
		len(p.stacks.functions.values)
}
