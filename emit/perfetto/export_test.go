package perfetto

// KeepInMemory sets the limit of each sorter in bytes, and returns a function that restores it.
func KeepInMemory(bytes int) (restore func()) {
	before := memory
	memory = bytes
	return func() { memory = before }
}
