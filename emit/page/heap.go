package page

import "bytes"

// HeapJSON returns the document "heap" of the page: of allocation.Collector.Extract and of heap.Report.Extract, which
// is empty without a dump.
func HeapJSON(allocations, dump []byte) []byte {
	if len(dump) == 0 {
		dump = []byte("null")
	}
	return bytes.Join([][]byte{[]byte(`{"allocations":`), allocations, []byte(`,"dump":`), dump, []byte("}")}, nil)
}
