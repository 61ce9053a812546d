//go:build linux

// Measure executes a command, without its output, and prints its CPU time in nanoseconds and its peak memory in KiB. A
// process inherits the peak of the one that starts it, so that this is a small one. The exit status is the command's.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	run := exec.Command(os.Args[1], os.Args[2:]...)
	run.Stderr = os.Stderr
	err := run.Run()
	if run.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(127)
	}
	peak := run.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	fmt.Println(int64(run.ProcessState.UserTime()+run.ProcessState.SystemTime()), peak)
	os.Exit(run.ProcessState.ExitCode())
}
