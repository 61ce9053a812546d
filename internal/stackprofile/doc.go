// Package stackprofile adds up how often and how long threads were held up: by state, call stack, thread, monitor and holder.
//
// It stands beneath the rooms of emit that write profiles (pprof, collapsed), which differ in little but their bytes.
// It takes segments, and gives samples when the trace is over. Its memory does not depend on the length of the trace:
// when there are too many different samples, they are told apart by less, and that is said.
package stackprofile
