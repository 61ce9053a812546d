//go:build !unix

package launch

import "os"

// Passed are the signals that a program is to get when trcx does, besides those that interrupt a command.
var Passed []os.Signal

// ExitStatus is the status of a process that has ended.
func ExitStatus(state *os.ProcessState) int { return state.ExitCode() }

// OutliveSizeLimit does nothing where there is no such limit.
func OutliveSizeLimit() {}
