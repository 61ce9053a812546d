// Package bench measures. Its benchmarks follow the walk step by step; convert.sh pairs whole commands with their peers
// in one run, and README.md says how to read what it prints.
package bench
