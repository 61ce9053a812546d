// Package pools finds what only all threads of a pool together show: times in which all threads of a pool were busy,
// pools whose tasks wait for other tasks in the pool's own queue, and threads that were started and never ended.
//
// A Finder is a sink of the records of a model. Its results are values:
//
//   - Finder.Pools returns the pools of workers that were saturated or wait for themselves;
//   - Pool.Timers are the times in which the only thread of a timer was busy, and how late its other tasks began;
//   - Finder.Unended returns the groups of threads that only grew.
//
// A pool of workers is one whose threads wait for work by their call stacks (enrich.WaysToWait), or were started by
// ThreadPoolExecutor. The names of its threads differ only in the last number: pool-1-thread-1 and pool-2-thread-1
// belong to different pools.
package pools
