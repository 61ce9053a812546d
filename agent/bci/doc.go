// Package bci rewrites Java class files: it inserts calls of static methods of the Recorder where a virtual thread is
// started, interrupted, put to sleep, joined or parked, and where a thread has waited for a lock or signals a
// condition. JVMTI has no events for these, and there is no native method that could be replaced.
//
// Rewrite takes a class file and hooks. A Hook names a method, and the reports to call at its entry and its returns.
// Hooks are data: VirtualThreads, VirtualParks and Synchronizers are the agent's. Most classes are excluded by their
// constant pool alone (candidate.go).
//
// Instrument inserts calls of java.lang.TrcxCalls into selected methods, which record calls: at the entry, before
// returns, and in a handler for everything that is thrown (calls.go).
//
// A method is rewritten whole or not at all. So everything that has offsets of instructions is rewritten: branches,
// switches, the exception table, the StackMapTable, line numbers, local variables, type annotations. A method that
// would be too large, or whose Code has an attribute that the package does not support, is left alone with a reason.
// Any input terminates, and memory is proportional to its size.
//
// A method's Code attribute is rewritten in three steps: insertion.go scans the instructions and decides what to
// insert, layout.go computes the new offsets, and codeattribute.go, stackmaptable.go and attributes.go write the
// instructions and tables for these. Code inserted before an instruction belongs to it: a branch to the instruction
// executes it. Code inserted at the entry does not belong to the first instruction, which may begin a loop.
//
// Data flow: the JVM's ClassFileLoadHook in agent/native -> bci -> the JVM. The package imports only internal/sanitize
// of the project.
package bci
