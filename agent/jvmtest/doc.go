// Package jvmtest proves what recorded traces claim: Java programs log what they do, and the model of their trace is
// held against it.
//
// It stands beside the walk. The programs, in the folder of that name, write a truth file (Truth); a trace of the same
// run goes through the reader and convert/enrich like any other (ReadTrace); Judge compares the two and counts, for
// each kind of interaction, how many claims are true and how many facts were found. The tests run the programs in the
// JVMs that they find, under the agent: see jvm_test.go for what they need.
package jvmtest
