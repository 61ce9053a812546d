// Package enrichtest checks computed interactions against a second opinion.
//
// It holds an oracle, a deliberately naive reading of the rules by which
// thread and monitor events of a Java VM become model events, and simulators
// that write traces for it: a JVM that behaves, and chaos. Nothing here is
// shared with the implementation under test, so a misunderstanding has to be
// made twice to go unnoticed. The package is for tests only; it prefers
// clarity to speed and searches linearly where a program would keep an index.
package enrichtest
