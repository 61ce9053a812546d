// Package critical finds the critical path of a run: the chain of dependent activities whose length is the time that
// the run took.
//
// It takes the enriched stream. A Recorder keeps of each state change what a walk backward needs, in 24 bytes; when the
// trace is over, Path walks from its end to its beginning, and WhatIf replays the run as it would have been had nobody
// waited for some monitors. WriteText and WriteJSON print what they found.
package critical
