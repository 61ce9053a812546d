// Package jvmtest tests recorded traces against the truth: Java programs log their own actions, and the model of the
// trace is compared with that log.
//
// It is used by tests alone. The programs, in the folder of that name, write a truth file (Truth). The trace of the
// same run is read by the usual reader and enrich (ReadTrace). Judge compares the two and counts, for each kind
// of interaction, the claims that are true and the facts that were found. The tests run the programs under the agent in
// all JVMs that they find; see jvm_test.go for their requirements.
package jvmtest
