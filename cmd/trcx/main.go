// Command trcx records, converts, validates and analyzes Java thread and heap traces in the XML format of Eclipse TPTP.
//
// The package parses the flags, lets the packages of convert, validate, analyze, emit and agent do the work, and turns
// the result into an exit status. Messages of these packages name options; optionflag.go names the flags in their
// place. Some notes on answers name flags by themselves. Each command has a file. The other files:
//
//	main.go, app.go                         the process: the app, exit statuses, signals
//	flags.go, selection.go, unknown.go      flags of several commands, windows of time, wrong names of flags
//	optionflag.go                           the flags of options that messages of the library name
//	inputs.go, progress.go, diagnostics.go  inputs: reading, progress on a terminal, findings
//	jobs.go                                 documents that are read at the same time
//	answer.go, pagedata.go, live.go         the work common to analyses; sinks of pages and pictures
//	format.go, checked.go, output.go        output formats, checks while converting, files of results
//	completion.go, manpage.go, version.go   completion scripts, the manual page, the version
package main

import "os"

func main() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
