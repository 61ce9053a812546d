// Command trcx reads, enriches and writes Java thread and heap traces in the XML vocabulary of Eclipse TPTP.
//
// It is the top of the house, and thin: flags in, exit status out. What it can do stands in the packages below; this
// one alone knows the command line.
package main

import "os"

func main() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
