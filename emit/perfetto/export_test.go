package perfetto

// KeepInMemory sets how many bytes of records are kept before they go to a file, and returns what undoes that.
func KeepInMemory(bytes int) (restore func()) {
	before := memory
	memory = bytes
	return func() { memory = before }
}
