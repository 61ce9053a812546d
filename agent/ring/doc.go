// Package ring is the memory that a recorded JVM and its trace's writer share: what the callbacks in agent/native have
// seen, not yet written.
//
// The memory is a Segment: a header, and one ring for each thread of the operating system that has something to say. A
// ring has one producer, the thread it belongs to (C code, in agent/native/ring.c), and one consumer, package
// agent/drain, which may live in the JVM's process or in the one that started it. So what was published outlives the
// JVM, however it ends.
//
// A ring consists of cells of 32 bytes. A Record is one cell; names, stacks and the like follow it in further cells.
// The definitions ring is a ring of its own, written under a lock: it holds what names the ids that records use, and a
// definition is published before any record that uses it.
//
// The rings do not know of time order. But the consumer can: a producer marks its ring busy before it reads the clock,
// and a consumer that reads the clock first and the ring's mark then knows that whatever it does not see yet is
// younger; see Segment.Snapshot.
//
// Walk: agent/native -> ring -> agent/drain. The package does no I/O but mapping memory.
package ring
