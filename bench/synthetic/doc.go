// Package synthetic generates traces for benchmarks and tests: of any size, equal for the same seed, and realistic, so
// that readers have all their work to do.
//
// A small simulated JVM (machine) runs 64 threads, which call methods, contend for monitors, wait, notify, sleep, join,
// interrupt, start other threads and end. 60 % of the elements are method entries and exits, 25 % monitor events, the
// rest definitions, heap and thread events. The numbers of live threads, objects, classes and methods do not grow with
// the trace, so a reader whose memory depends on them needs the same memory for every size.
//
// A hostile trace has the same elements with attributes in random order and 30 % of the values in single quotes, which
// defeats a reader's caches of element forms. In a trace of one line the elements follow each other without white
// space, as in the files that Eclipse saves.
//
// Another Workload has more threads, threads that mostly wait for each other, to measure timelines, or threads that
// mostly call methods.
package synthetic
