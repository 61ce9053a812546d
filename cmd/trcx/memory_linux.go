package main

import (
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// systemLimits returns the limits of the system: of the control group of a container, and of the address space.
func systemLimits() []memoryLimit {
	return []memoryLimit{{groupLimit("/sys/fs/cgroup/memory.max"), "the container (memory.max)"},
		{addressLimit(), "ulimit -v"}}
}

// groupLimit returns the number in a file of a control group, in bytes; 0 if there is none, or no limit.
func groupLimit(name string) uint64 {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0
	}
	limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil { // max
		return 0
	}
	return limit
}

const (
	// reservation is the unit, in bytes, in which Go's runtime takes address space for the heap.
	reservation = 64 << 20
	// otherSpace is address space, in bytes, that is left for stacks and files.
	otherSpace = 16 << 20
)

// addressLimit returns half of what the runtime can have within the limit of the address space (ulimit -v), in bytes; 0
// if there is no limit. The rest is for what it takes while a collection runs, and for address space that is free: the
// runtime returns none. Most of the address space that the process has is only reserved.
func addressLimit() uint64 {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || limit.Cur > math.MaxInt64 {
		return 0
	}
	fields, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	size, _, _ := strings.Cut(string(fields), " ")
	pages, err := strconv.ParseUint(size, 10, 64)
	if err != nil {
		return 0
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	reserved := (memory.HeapSys + reservation - 1) / reservation * reservation
	used := pages*uint64(os.Getpagesize()) + otherSpace
	if limit.Cur > used {
		reserved += (limit.Cur - used) / reservation * reservation
	}
	return (reserved + memory.Sys - memory.HeapSys) / 2
}
