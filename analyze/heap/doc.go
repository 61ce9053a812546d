// Package heap answers what a heap dump holds and what keeps it alive: the objects of each class, the dominator tree
// with retained sizes, the shortest way from a root to an object, equal objects and empty space.
//
// A Collector is a sink of convert. It consumes the objects, references and roots of a dump, from binary HPROF without
// events; Graph returns their graph. Its edges are the references, one from each object to the object of its class, and
// one from a super root to each object that a root holds. Referents of weak, soft, phantom and final references are not
// kept alive, so those references are no edges unless asked for.
//
//	collector.go            consumes a dump
//	ids.go                  the index of an object by its id
//	graph.go                objects, references and roots as arrays
//	dominators.go           the dominator tree and retained sizes
//	classes.go              sums by class
//	rootpath.go             the shortest path from a root
//	contents.go             equal strings and arrays, and how full containers are
//	report.go, json.go      tables and JSON; contenttables.go: tables of contents; extract.go: what a page has
//
// Memory is in proportion to objects and references: some 50 bytes for an object and 16 for a reference.
package heap
