//go:build unix

package launch

import (
	"os"
	"os/signal"
	"syscall"
)

// Passed are the signals that are passed on to the program, in addition to those that interrupt a command.
var Passed = []os.Signal{syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// signalBase is added to a signal to make an exit status, as shells do.
const signalBase = 128

// ExitStatus returns the exit status of a process as a shell does: its own, or 128 and the signal that ended it.
func ExitStatus(state *os.ProcessState) int {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return signalBase + int(status.Signal())
	}
	return state.ExitCode()
}

// OutliveSizeLimit makes a write beyond the process's limit of file sizes (ulimit -f) fail, instead of ending trcx.
// Programs that it starts are not affected.
func OutliveSizeLimit() { signal.Notify(make(chan os.Signal, 1), syscall.SIGXFSZ) }
