// Package pipeline is the pipeline on Apache Beam that sums up many traces: list, reshuffle, analyse, merge by groups
// of keys, write by shard.
//
// One file is one element. The function that analyses hands it to a pool of goroutines, so that the number of files
// that are read at once does not depend on the runner's bundles; they merge rows into a set of the bundle. The files of
// rows are the only product; package tables makes all others from them.
package pipeline
