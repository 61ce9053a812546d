package testtool

import (
	"regexp"
	"runtime"
	"strconv"
	"testing"
)

// mostGrowth limits the growth of the work if the input grows tenfold. A sort and doubling buffers exceed ten; anything
// quadratic is far beyond twelve.
const mostGrowth = 12

// growthTries is how often the work is measured until it is within the limit, each time with a quarter more. A
// collection may have emptied a pool in between, or a table may just have doubled.
const growthTries = 3

// Allocations checks that the work of a function is in proportion to the size that is passed to it: ten times the size,
// at most twelve times the work. Work is counted in bytes allocated, which do not depend on the machine. An algorithm
// that is quadratic without allocating is not found; see Counted.
func Allocations(t testing.TB, size int, work func(size int)) {
	t.Helper()
	work(size) // fills pools and tables that are made once
	var small, large uint64
	for range growthTries {
		small, large = allocated(func() { work(size) }), allocated(func() { work(10 * size) })
		if large <= mostGrowth*small {
			return
		}
		size += size / 4
	}
	t.Errorf("ten times the size, %d, takes %.1f times the work: %d bytes are allocated, not %d", 10*size,
		float64(large)/float64(small), large, small)
}

// allocated returns the number of bytes that the function allocates.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Retained returns the bytes of the heap that one more unit takes. It compares size units with twice as many. keep
// returns a value that retains the given number of units.
func Retained(t testing.TB, keep func(size int) any, size int) float64 {
	t.Helper()
	small, large := retained(keep, size), retained(keep, 2*size)
	return (large - small) / float64(size)
}

func retained(keep func(size int) any, size int) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // the first one may only begin to free pools
	runtime.ReadMemStats(&before)
	kept := keep(size)
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}

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
