package names

// SetLimit sets the limit of each generation in bytes. It returns a function that restores the limit.
func SetLimit(bytes int) func() {
	before := maxSize
	maxSize = bytes
	return func() { maxSize = before }
}
