// Package threaddump reads what JVMs print about their threads: jstack and jcmd Thread.print, what a JVM prints when it
// is sent a SIGQUIT (also inside of other output), and jcmd Thread.dump_to_file, plain and as JSON. One input may hold
// a series of dumps.
//
// It is a reader of package convert: bytes become lines (encoding.go) or tokens of JSON (token.go), these become dumps
// (text.go, plain.go, json.go), and a series of dumps becomes elements of a trace (series.go), by a
// builder.Builder.
//
// A dump is one moment. It says what each thread does, not since when, so a series becomes a sampled trace: each
// element bears the time of the dump that shows it, and what must have happened between two dumps is marked as
// inferred. docs/formats/threaddump.md says what becomes of what.
//
// HotSpot prints these forms from JDK 8 to 25. What is not documented was taken from the output of JVMs and from the
// sources of the JDK (vframe.cpp, threads.cpp, ThreadDumper.java).
package threaddump
