//go:build !unix

package main

import "os"

// peakMemory returns 0: systems without getrusage do not report it.
func peakMemory(*os.ProcessState) int64 { return 0 }
