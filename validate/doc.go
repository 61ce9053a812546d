// Package validate checks that the events of a trace can happen in a JVM.
//
// A Checker observes the events that a reader of package convert emits, and adds its findings to the Findings of their
// document, to which the reader and the grammar (package dtd) add theirs. A Result is the outcome for one document;
// package validate/report prints it.
//
// rules.txt describes each rule. Outputs, the command line and docs/rules.md are derived from it. All rules together
// should cost a fraction of reading. So they share one lookup of an event's thread, and the table plans has the
// attributes to check, by kind of element.
//
//	checker.go, kindchecks.go              the Checker, the checks of a kind, a shortcut for most calls
//	thread.go, monitor.go, owner.go        live and dead threads; waits, blocks and owners that do not fit
//	timeout.go, call.go                    waits that time out too early; calls
//	definitions.go, idset.go, aliases.go   defined ids, sets of ids, ids of moved objects
//	object.go, heapdump.go, collection.go  sizes of objects, heap dumps, garbage collections
//	annotation.go, document.go             annotations and numbers; the beginning and the end of a document
//	rule.go, ruleselection.go              the Rule, rules that a program adds, which rules apply
//	findings.go, quote.go                  the Findings and their Result; a tag quoted on a line
//	read.go                                Read
//
// After a finding the Checker assumes that the newer event is right, so that one defect is one finding. Its memory
// depends on the live threads, calls, classes, methods and objects, never on the length of the trace. What exceeds its
// limits is not checked.
package validate
