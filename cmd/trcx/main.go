// Command trcx records, converts, validates and analyzes Java thread and heap traces in the XML format of Eclipse TPTP.
//
// The package is the only one that knows the command line: flags in, exit status out. Each command has a file. The work
// is done by the packages of convert, validate, analyze, emit and agent. Files of no single command:
//
//	main.go, app.go                         the process: the app, exit statuses, signals
//	flags.go, selection.go, unknown.go      flags of several commands, windows of time, wrong names of flags
//	inputs.go, progress.go, diagnostics.go  inputs: reading, progress on a terminal, findings
//	jobs.go                                 documents that are read at the same time
//	answer.go, pagedata.go, live.go         the work common to analyses; sinks of pages and pictures
//	garbage.go, memory.go                   when garbage is collected; limits of memory
//	format.go, checked.go, output.go        output formats, checks while converting, files of results
//	completion.go, manpage.go, version.go   completion scripts, the manual page, the version
package main

import "os"

func main() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
