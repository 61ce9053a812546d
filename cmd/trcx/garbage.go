package main

import (
	"math"
	"os"
	"runtime"
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
	// allGarbage is Go's own GOGC.
	allGarbage = 100
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
	debug.SetMemoryLimit(firstCollection)
	first := new(*int) // garbage, whose cleanup runs after the first collection
	runtime.AddCleanup(first, func(struct{}) {
		debug.SetGCPercent(allGarbage)
		debug.SetMemoryLimit(math.MaxInt64)
		limitGarbage()
	}, struct{}{})
}

// limitGarbage limits the garbage of a large heap: Go lets it become as large as what is in use. What grows large here
// are tables that cost a collection little.
func limitGarbage() {
	if !isGarbageSet() {
		adaptGarbage(struct{}{})
	}
}

// adaptGarbage sets GOGC by the heap in use, after each collection.
func adaptGarbage(struct{}) {
	used := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(used)
	debug.SetGCPercent(garbageOf(used[0].Value.Uint64()))
	next := new(*int) // garbage, whose cleanup runs after the next collection
	runtime.AddCleanup(next, adaptGarbage, struct{}{})
}

// garbageOf returns GOGC for a heap of which so many bytes are in use.
func garbageOf(used uint64) int {
	if used <= largeHeap {
		return allGarbage
	}
	return max(int(allGarbage*largeHeap/used), leastGarbage)
}
