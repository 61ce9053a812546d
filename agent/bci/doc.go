// Package bci puts calls into Java class files: where a thread is started, interrupted, notified or put to sleep, the
// class then tells the Recorder of it. This is for what JVMTI has no event for: in a JVM that was attached to while it
// ran, and for virtual threads in any.
//
// Rewrite takes a class and a table of hooks. A Hook says where (at calls of a method, or in a method's body) and what
// is reported there, before and after. Hooks are data: VirtualThreads, Calls and Interruptions are the agent's.
// Candidate tells most classes that no hook fits by their constants alone.
//
// A class comes out right or not at all. Nothing but the methods with hooks is touched, and those only if all that
// depends on the places of instructions could be moved with them: jumps, switches, exception handlers, stack map
// frames, lines, variables, type annotations. A method that grows too large, or bears an attribute that the package
// does not know, is left alone, with a reason for people. Whatever the bytes, the package ends, and takes memory in
// proportion to them.
//
// How a method is rewritten (code.go): its instructions are scanned, and what is to be inserted is noted for each
// (plan.go). Then the new places are laid out (layout.go), and the instructions and all attributes are written for them
// (frames.go, attributes.go). What is inserted before an instruction belongs to it: who jumps to the instruction runs
// it too. What is inserted at the entry does not belong to the first one, which may begin a loop.
//
// Walk: the JVM's ClassFileLoadHook in agent/native -> bci -> the JVM. The package imports nothing of the project.
package bci
