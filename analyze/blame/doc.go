// Package blame finds who kept the threads of a run waiting: in all waits, not only those on the critical path.
//
// A finished wait is the time in which a thread was blocked, waited or joined another one, until it ran again. A wait
// for a lock is taken apart by what the holders of the lock did (critical.Recorder.Holds), a wait for a class by what
// the thread that initialised it did. The blame of another wait is the walk of the critical path from its end back to
// its begin, in which waits for locks are taken apart in the same way. A thread that waits while it holds a lock passes
// the blame on. Time without a known culprit is unknown.
//
// Of computes the blame of the waits that Options choose, over the records of a critical.Recorder:
//
//   - Blame.Rows returns the sums by thread, kind and state, Blame.Pools by pool instead of thread;
//   - Blame.Classes likewise for each class of what threads waited for;
//   - Blame.Groups returns the waits by monitor, place or waiter, each with those who are most to blame for it;
//   - Blame.Locks returns the locks on which threads were BLOCKED, Blame.FindOwners finds the threads that held them;
//   - Blame.Waits iterates over the waits with the parts of each, which sum to its length;
//   - Blame.Open lists the waits that the trace leaves open, which have no blame;
//   - Blame.Samples returns sums by the calls of waiting threads, what they waited for, and the one to blame with its
//     calls, for flame graphs: whole call stacks if the Recorder keeps them.
//
// The sums take time in proportion to the trace. Waits are taken apart one by one (walk.go), as most have a few parts,
// until they have a million parts. Then one sweep over the trace sums all (sweep.go).
package blame
