package page

import "bytes"

// HeapJSON returns the document "heap" of the page, given the results of allocation.Collector.Extract and
// heap.Report.Extract. Without a dump, the latter is empty.
func HeapJSON(allocations, dump []byte) []byte {
	if len(dump) == 0 {
		dump = []byte("null")
	}
	return bytes.Join([][]byte{[]byte(`{"allocations":`), allocations, []byte(`,"dump":`), dump, []byte("}")}, nil)
}
