//go:build !unix

package launch

import "os"

// Passed are the signals that are passed on to the program, in addition to those that interrupt a command.
var Passed []os.Signal

// ExitStatus returns the exit status of a process.
func ExitStatus(state *os.ProcessState) int { return state.ExitCode() }

// OutliveSizeLimit does nothing on systems without such a limit.
func OutliveSizeLimit() {}
