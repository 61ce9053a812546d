// Package ringtest replaces the JVM in tests: it fills a ring.Segment as the callbacks in agent/native do,
// without a JVM and without cgo.
//
// It implements the layout of the memory and the protocol of publishing a second time, so that mistakes in package ring
// show.
package ringtest
