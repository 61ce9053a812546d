package main

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// firstCollection is the size of the heap, in bytes, at which an analysis collects garbage for the first time.
	firstCollection = 64 << 20
	// largeHeap is the size of the heap, in bytes, above which garbage is a smaller share of it, but at least
	// leastGarbage percent.
	largeHeap    = 32 << 20
	leastGarbage = 30
	// cheapGarbage is the garbage, in bytes, that is allowed however little a collection has to scan.
	cheapGarbage = 12 << 20
	// fragmentation is the divisor of the part of a heap that is expected to be free between values in use, and
	// leastOverhead is what else the process needs, in bytes.
	fragmentation = 10
	leastOverhead = 6 << 20
	// allGarbage is Go's own GOGC.
	allGarbage = 100
	// littleGarbage is the GOGC of validating, which makes next to no garbage, after the first collection.
	littleGarbage = 50
)

// isGarbageSet reports whether the user has set how garbage is collected.
func isGarbageSet() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }

// collectLate delays the first garbage collection to firstCollection bytes; limitGarbage is in force afterwards. Most
// analyses keep little and end before; each collection costs them some percent of their time.
func collectLate() {
	if isGarbageSet() {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(limitedMemory(firstCollection))
	afterCollection(func() (again bool) {
		debug.SetGCPercent(allGarbage)
		limitGarbage()
		return false
	})
}

// collectOften makes the heap small after the first garbage collection, so that memory does not depend on the length of
// the trace. Short traces end before it, and it would take a tenth of their time.
func collectOften() {
	if isGarbageSet() {
		return
	}
	afterCollection(func() (again bool) {
		debug.SetGCPercent(littleGarbage)
		return false
	})
}

// limitGarbage limits the garbage of a large heap: Go lets it become as large as what is in use. What grows large here
// are tables that cost a collection little.
func limitGarbage() {
	if isGarbageSet() {
		return
	}
	adaptGarbage()
	afterCollection(func() (again bool) {
		adaptGarbage()
		return true
	})
}

// adaptGarbage sets GOGC and the limit of the memory by the heap in use. Go returns memory beyond the limit to the
// system.
func adaptGarbage() {
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	metrics.Read(heap)
	used, scanned := heap[0].Value.Uint64(), heap[1].Value.Uint64()
	percent := garbageOf(used, scanned)
	debug.SetGCPercent(percent)
	limit := used + used*uint64(percent)/100 + used/fragmentation + leastOverhead
	debug.SetMemoryLimit(limitedMemory(int64(max(limit, firstCollection))))
}

// garbageOf returns GOGC for a heap of which so many bytes are in use, and so many are scanned for pointers. A
// collection takes time for the latter only, so half of them is enough garbage.
func garbageOf(used, scanned uint64) int {
	if used <= largeHeap {
		return allGarbage
	}
	percent := max(allGarbage*largeHeap/used, leastGarbage)
	return int(min(percent, allGarbage*max(cheapGarbage, scanned/2)/used))
}
