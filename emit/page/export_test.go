package page

import (
	"bufio"
	"bytes"
)

// Harmless is JSON as a page has it.
func Harmless(json []byte) []byte {
	var text bytes.Buffer
	out := bufio.NewWriter(&text)
	writeHarmless(out, json)
	out.Flush()
	return text.Bytes()
}
