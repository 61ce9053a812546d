package csv

// KeepInMemory sets how many bytes are sorted in memory, and returns a function that sets it back.
func KeepInMemory(bytes int) func() {
	before := memory
	memory = bytes
	return func() { memory = before }
}
