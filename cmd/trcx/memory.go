package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/trcx/trcx/internal/table"
)

// memoryLimit is the limit of the memory of Go's runtime, in bytes, and what sets it. The zero memoryLimit is no limit.
type memoryLimit struct {
	bytes uint64
	name  string
}

// memoryError is the error for a trace that needs more memory than the process may use.
type memoryError struct {
	used  uint64
	limit memoryLimit
}

func (e *memoryError) Error() string {
	return fmt.Sprintf("out of memory: %s are in use, of %s that %s leaves; raise that limit",
		table.Size(e.used), table.Size(e.limit.bytes), e.limit.name)
}

// processLimit is the least limit of this process.
var processLimit memoryLimit

// full is the divisor of the part of a limit that the values in use may not reach: the runtime needs it for garbage,
// and for the time until the command has ended.
const full = 8

// watchMemory interrupts the command when the values in use leave too little of the limit. A limit that is reached
// between two collections ends the process: Go's runtime then cannot return an error.
func watchMemory(interrupt context.CancelCauseFunc) {
	if processLimit = leastLimit(); processLimit.bytes == 0 {
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limitedMemory(math.MaxInt64))
	}
	afterCollection(func() (again bool) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		used := live[0].Value.Uint64()
		if used > processLimit.bytes-processLimit.bytes/full {
			interrupt(&memoryError{used, processLimit})
			return false
		}
		return true
	})
}

// afterCollection calls the function after each garbage collection, as long as it returns true.
func afterCollection(call func() (again bool)) {
	next := new(*int) // garbage, whose cleanup runs after the next collection
	runtime.AddCleanup(next, func(struct{}) {
		if call() {
			afterCollection(call)
		}
	}, struct{}{})
}

// limitedMemory returns bytes as a limit for debug.SetMemoryLimit, or less if the process may use less.
func limitedMemory(bytes int64) int64 {
	if processLimit.bytes == 0 {
		return bytes
	}
	return min(bytes, int64(processLimit.bytes))
}

// leastLimit returns the least of the limits that are set.
func leastLimit() (least memoryLimit) {
	limits := append(systemLimits(), memoryLimit{goLimit(), "GOMEMLIMIT"})
	for _, limit := range limits {
		if limit.bytes > 0 && (least.bytes == 0 || limit.bytes < least.bytes) {
			least = limit
		}
	}
	return least
}

// goLimit returns GOMEMLIMIT in bytes; 0 if it is not set.
func goLimit() uint64 {
	if limit := debug.SetMemoryLimit(-1); limit > 0 && limit < math.MaxInt64 {
		return uint64(limit)
	}
	return 0
}
