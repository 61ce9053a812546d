// Package ring has the ring buffers in shared memory by which the JVMTI callbacks of agent/native pass records to
// package agent/drain.
//
// The memory is a Segment: a header, and a ring buffer for each thread of the operating system that publishes records.
// A ring has one producer, its thread (C code, in agent/native/ring.c), and one consumer, which may be in the JVM's
// process or in the one that started the JVM. So published records outlive the JVM, however it ends.
//
// A full ring continues in an extension, one of several larger parts of the memory that all rings share, and later in
// its own cells again. A record says where, so one position still counts all cells of the ring.
//
// A ring consists of cells of 32 bytes. A Record is one cell; names, stacks and the like follow it in further cells.
// The definitions have their own ring, written under a lock; a definition is published before any record that uses it.
//
// The rings are not in time order. A producer marks its ring busy before it reads the clock. A consumer reads first the
// clock and then the mark, so every record that it does not see yet is younger than its time; see Segment.Snapshot.
//
// The package does no I/O except for mapping memory.
package ring
