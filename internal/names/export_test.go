package names

// SetLimit sets the limits of each generation in bytes. It returns a function that restores the limits.
func SetLimit(bytes int) func() {
	live, ended := maxSize, maxEnded
	maxSize, maxEnded = bytes, bytes
	return func() { maxSize, maxEnded = live, ended }
}
