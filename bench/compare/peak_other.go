//go:build !unix

package main

import "os"

// peakMemory is unknown on systems without getrusage.
func peakMemory(*os.ProcessState) int64 { return 0 }
