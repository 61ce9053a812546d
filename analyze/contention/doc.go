// Package contention counts what threads were blocked on and waited for: by thread, class, monitor, place in the
// program, and by who held the monitor.
//
// It looks on behind enrich and segment: a Collector takes one trace and gives its Statistics. Statistics of several
// traces, collected or saved, merge into one. Tables print them.
package contention
