// Package threaddump reads what JVMs print about their threads: the output of jstack and jcmd Thread.print, a JVM's
// answer to SIGQUIT (also within other output), jcmd Thread.dump_to_file, plain and as JSON, javacores, and what
// programs write with java.lang.management. One input may hold a series of dumps.
//
// It is a reader of package convert: bytes become lines (encoding.go) or JSON tokens (token.go), these become dumps,
// and a series of dumps becomes the elements of a trace (series.go), through a builder.Builder. The forms of dumps:
//
//   - text.go, lock.go, owner.go: HotSpot's own, and its list of deadlocks
//   - forced.go: jstack -F and -m
//   - plain.go, json.go: jcmd Thread.dump_to_file
//   - jmx.go, jmxjson.go: ThreadInfo.toString, VisualVM, Spring Boot's actuator
//   - jrockit.go, javacore.go: JRockit, IBM and OpenJ9
//
// A dump shows one moment. It says what each thread does, not since when, so a series becomes a sampled trace: each
// element has the time of the dump that shows it, and what must have happened between two dumps is marked as
// inferred. barrier.go finds who runs a barrier's action, collector.go sums up the garbage collector's CPU times.
// docs/formats/threaddump.md says what each part of a dump becomes.
//
// HotSpot's forms are read from Java 1.3 to 25. What is not documented was taken from the output of JVMs and from the
// sources of the JDK (vframe.cpp, threads.cpp, ThreadDumper.java, ThreadInfo.java) and OpenJ9 (javadump.cpp).
package threaddump
