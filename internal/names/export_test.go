package names

// KeepAtMost sets how many bytes each generation holds, and returns a function that sets it back.
func KeepAtMost(bytes int) func() {
	before := mostKept
	mostKept = bytes
	return func() { mostKept = before }
}
