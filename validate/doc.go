// Package validate checks what a trace says against what can happen in a JVM.
//
// A Checker observes the events that a reader of package convert emits, and adds its findings to the Findings of their
// document, to which the reader and the grammar (package dtd) add theirs. A Result is the outcome for one document;
// package validate/report prints it.
//
// Each rule is a file with a Rule that describes it: outputs, the command line and docs/rules.md are derived from
// Rules. All rules together may cost a fraction of what reading costs. So they share one look-up of the thread for an
// event, and plans has, for each kind of element, the attributes to be checked.
//
//	checker.go, kindchecks.go, monitor.go    the Checker, the checks of a kind, misfits of waits and blocks
//	commoncall.go, call.go                   calls; a shortcut for most of them
//	thread.go, definitions.go, aliases.go    live threads, defined ids, ids of moved objects
//	idset.go                                 sets of ids
//	rule.go, tablerule.go, ruleselection.go      the Rule, rules of the table of elements, which rules apply
//	findings.go, quote.go                    the Findings; a tag quoted on a line
//	read.go, result.go                       Read, and its Result
//
// After a finding the Checker believes the newer event, so that one defect is one finding. Its memory depends on the
// live threads, calls, classes, methods and objects, never on the length of the trace; beyond its limits nothing is
// reported.
package validate
