// Package validate judges a trace: what can have happened in a JVM, and what cannot.
//
// It looks on at step 3 of the walk. A Checker takes the Events that convert/trcxml has read, holds them against each
// other, and gives what it finds to the Findings of their document, where the findings of the reader and of the grammar
// meet them. A Result is what has come together at the end.
//
// Each rule is a file, and a Rule that describes itself: outputs, the command line and docs/rules.md are made from
// Rules. The checks are no scanners of their own, for all rules together may cost a fraction of what reading costs:
// what is known of a thread is looked up once for an event, and plans says for each kind of element what there is to
// compare.
//
// After a finding the Checker takes for true whatever comes next, so that one defect is one finding. Its memory depends
// on the threads, calls, classes, methods and objects that live, within bounds that each say what happens beyond them;
// never on the length of the trace.
package validate
