//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory returns the process's largest resident size in bytes. Linux may count the moment in which the new process
// shares the memory of compare, so a figure of a few MiB is an upper bound.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	peak := int64(usage.Maxrss) // it has 32 bits on some systems
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // KiB, except on Darwin
	}
	return peak
}
