// Package threaddump reads what JVMs print about their threads: jstack and jcmd Thread.print, what a JVM prints when it
// is sent a SIGQUIT (also inside of other output), jcmd Thread.dump_to_file, plain and as JSON, javacores, and what
// programs write of java.lang.management. One input may hold a series of dumps.
//
// It is a reader of package convert: bytes become lines (encoding.go) or tokens of JSON (token.go), these become dumps,
// and a series of dumps becomes elements of a trace (series.go), by a builder.Builder. The forms of dumps:
//
//   - text.go, lock.go, owner.go: HotSpot's own, and its list of deadlocks
//   - forced.go: jstack -F and -m
//   - plain.go, json.go: jcmd Thread.dump_to_file
//   - jmx.go, jmxjson.go: ThreadInfo.toString, VisualVM, Spring Boot's actuator
//   - jrockit.go, javacore.go: JRockit, IBM and OpenJ9
//
// A dump is one moment. It says what each thread does, not since when, so a series becomes a sampled trace: each
// element bears the time of the dump that shows it, and what must have happened between two dumps is marked as
// inferred. docs/formats/threaddump.md says what becomes of what.
//
// HotSpot prints its forms from Java 1.3 to 25. What is not documented was taken from the output of JVMs and from the
// sources of the JDK (vframe.cpp, threads.cpp, ThreadDumper.java, ThreadInfo.java) and of OpenJ9 (javadump.cpp).
package threaddump
