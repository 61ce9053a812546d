// Package growth proves that the work of trcx is in proportion to its input: inputs of every format grow in one
// dimension at a time, and every command and output reads them. The statements that are executed and the peak memory
// are counted, not the time. docs/performance.md has the result. The package has tests only.
package growth
