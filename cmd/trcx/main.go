// Command trcx records, converts, validates and analyzes Java thread and heap traces in the XML format of Eclipse TPTP.
//
// The package is the only one that knows the command line: flags in, exit status out. Each command has a file; flags
// that several have are in flags.go. The work is done by the packages of convert, validate, analyze, emit and agent.
package main

import "os"

func main() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
