// Package blame finds who kept the waiting threads of a run waiting: all of them, not only those on the critical path.
//
// A finished wait is the time in which a thread was blocked, waited or joined another one, until it ran again. Its
// blame is the walk of the critical path from its end back to its begin: each piece counts for the thread, and the
// state, that the walk passes. So a convoy is followed from hand to hand, and a thread that holds a lock while it waits
// itself passes the blame on. What the walk does not reach is unknown.
//
// Of computes the blame of the waits that Options choose, over the records of a critical.Recorder:
//
//   - Blame.Rows returns the sums by thread, kind and state, Blame.Pools by pool instead of thread;
//   - Blame.Groups returns the waits by monitor, place or waiter, each with those who are most to blame for it;
//   - Blame.Waits iterates over the waits with the parts of each, which sum to its length;
//   - Blame.Open lists the waits that the trace leaves open, which have no blame;
//   - Blame.Samples returns sums by the calls of waiting threads, what they waited for, and the one to blame with its
//     calls, for flame graphs: whole call stacks if the Recorder keeps them.
//
// The sums take time in proportion to the trace. Walks are taken one by one, which in most traces pass a few segments
// each, until they have passed four times as many segments as the trace has. The sums over the other waits are made
// over a forest: each segment has one predecessor in all walks, so that the blame is a count of the walks through it.
// The forest and the counts take about 85 bytes a segment while they are computed, in addition to the Recorder's 64.
package blame
