package timeline

import "testing"

// SmallBlocks makes blocks so small that small traces have many, for the time of the test.
func SmallBlocks(t testing.TB, records uint32, bytes int) {
	before, open := blockRecords, mostOpen
	blockRecords, mostOpen = records, bytes
	t.Cleanup(func() { blockRecords, mostOpen = before, open })
}
