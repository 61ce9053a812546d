// Package bench has the benchmarks. Those in Go measure the steps of the data flow one by one; the scripts compare
// commands in pairs, and README.md explains their output.
package bench
