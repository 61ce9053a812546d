// Command trcx records, converts, validates and analyzes Java thread and heap traces in the XML format of Eclipse TPTP.
//
// The package parses the flags, lets the packages of convert, validate, analyze, emit and agent do the work, and turns
// the result into an exit status. Messages of these packages name options, which flags.go replaces by flags. Some notes
// in answers name flags themselves. Each command has a file. The other files:
//
//	main.go, app.go                  the process: the app, exit statuses, signals
//	flags.go                         flags of several commands, windows of time, wrong names, flags of options
//	inputs.go, diagnostics.go        inputs: reading, progress on a terminal, findings
//	jobs.go                          documents that are read at the same time
//	answer.go, pagedata.go, live.go  the work common to analyses; sinks of pages and pictures
//	format.go, output.go             output formats, files of results
//	about.go, completion.go          the DTD, schemas, the manual page and the version; completion scripts
package main

import "os"

func main() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
