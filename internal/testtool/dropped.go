package testtool

import (
	"regexp"
	"strconv"
)

var dropped = regexp.MustCompile(`<option key="trcx\.dropped" value="(\d+)"/>`)

// Dropped returns how many records were dropped while a trace was recorded, according to the trace. A test that counts
// events logs it when it fails.
func Dropped(trace []byte) (count int) {
	for _, option := range dropped.FindAllSubmatch(trace, -1) {
		n, _ := strconv.Atoi(string(option[1])) // digits alone
		count += n
	}
	return count
}
