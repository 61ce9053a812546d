// Package critical computes the critical path of a run: the chain of dependent intervals whose length is the run's
// time.
//
// A Recorder consumes the records of convert/enrich and keeps what the walk backward needs, 24 bytes a state change.
// When the trace is over, Path walks from its end to its beginning, and WhatIf replays the run as if some monitors had
// never been contended. Results are written as text and JSON. Lengths are in nanoseconds.
package critical
