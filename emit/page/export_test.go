package page

import "bytes"

// Harmless is JSON as a page has it.
func Harmless(json []byte) []byte {
	var out bytes.Buffer
	writeHarmless(&out, json)
	return out.Bytes()
}
