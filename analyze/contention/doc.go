// Package contention adds up how long threads were blocked, waited, joined and slept: by thread, class of monitor,
// monitor, method, place in the program, and pair of waiter and owner.
//
// It consumes the model that enrich emits. A Collector consumes one trace and returns its Statistics. Merged merges the
// statistics of several traces, collected or loaded, in any order and grouping with the same result. Counts, totals,
// minima and maxima are exact; percentiles are within 0.05 %. All lengths are in nanoseconds.
//
//	collector.go, rows.go, finish.go         the Collector: intervals to rows, rows to Statistics
//	top.go, batch.go                         tables with a limit of rows; names by number; what is counted together
//	holders.go, places.go                    the holders of monitors, from hand to hand, and where they were
//	statistics.go, tables.go, kind.go        Statistics, their tables, the kinds of time
//	merge.go, saved.go                       statistics of several traces; Save and Load
//	sums.go, pools.go                        sentences for people; pools of threads, and which are idle
//	longest.go, worstpools.go, blame.go      the longest waits, and pools; who kept threads waiting, by pool
//	starts.go                                how late threads started
//	workers.go                               pools that were saturated, threads that never ended
//	cpu.go, collections.go                   CPU times; garbage collections and the load of the processors
//	monitortime.go                           MONITOR TIME of HPROF logs
//	view.go, order.go                        tables for people, the order of their rows
//	json.go, csv.go                          machine formats
package contention
