// Package stackprofile adds up how often and how long threads did not run: by state, call stack, thread, monitor and
// holder.
//
// The outputs that write profiles (emit/pprof, emit/collapsed) use it. A Profile consumes the records of a model and
// returns samples at the end of the trace. Its memory does not depend on the length of the trace: beyond a limit of
// samples and names it leaves out details, step by step, and Notes reports that.
package stackprofile
