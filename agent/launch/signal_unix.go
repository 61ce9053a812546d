//go:build unix

package launch

import (
	"os"
	"os/signal"
	"syscall"
)

// Passed are the signals that a program is to get when trcx does, besides those that interrupt a command.
var Passed = []os.Signal{syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// signalBase is what shells add to a signal to make it an exit status.
const signalBase = 128

// ExitStatus is the status that a shell gives for a process that has ended: its own, or 128 and the signal that has
// ended it.
func ExitStatus(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return signalBase + int(status.Signal())
	}
	return state.ExitCode()
}

// OutliveSizeLimit has a write beyond the size that the system allows for files (ulimit -f) fail, instead of ending
// trcx. Programs that it starts are as ever.
func OutliveSizeLimit() { signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ) }
