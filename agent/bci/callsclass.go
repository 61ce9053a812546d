package bci

import _ "embed"

// calls is the class file of callsClass, which the agent defines in the boot loader. TestCallsClass compiles its
// source, and writes it with -update.
//
//go:embed java/java/lang/TrcxCalls.class
var calls []byte

// Calls returns a copy of the class file of java.lang.TrcxCalls, whose methods instrumented methods call.
func Calls() []byte { return append([]byte(nil), calls...) }
