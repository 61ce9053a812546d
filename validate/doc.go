// Package validate checks that the events of a trace can happen in a JVM.
//
// A Checker observes the events that a reader of package convert emits, and adds its findings to the Findings of their
// document, to which the reader and the grammar (package dtd) add theirs. A Result is the outcome for one document;
// package validate/report prints it.
//
// Each rule is a file with a Rule that describes it. Outputs, the command line and docs/rules.md are derived from
// Rules. All rules together should cost a fraction of reading. So they share one lookup of an event's thread, and the
// table plans has the attributes to check, by kind of element.
//
//	checker.go, kindchecks.go, monitor.go    the Checker, the checks of a kind, misfits of waits and blocks
//	call.go                                  calls; kindchecks.go has a shortcut for most of them
//	thread.go, definitions.go, aliases.go    live threads, defined ids, ids of moved objects
//	idset.go                                 sets of ids
//	rule.go, ruleselection.go                the Rule, rules that a program adds, which rules apply
//	readerrules.go, grammarrules.go          rules that the reader and the DTD apply; others have a file each
//	findings.go, quote.go                    the Findings and their Result; a tag quoted on a line
//	read.go                                  Read
//
// After a finding the Checker assumes that the newer event is right, so that one defect is one finding. Its memory
// depends on the live threads, calls, classes, methods and objects, never on the length of the trace. What exceeds its
// limits is not checked.
package validate
