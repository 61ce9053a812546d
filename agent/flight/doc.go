// Package flight reads the samples of methods that a JVM's flight recorder has taken while the agent recorded, and sums
// them up to a tree for each thread.
package flight
