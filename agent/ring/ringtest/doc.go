// Package ringtest plays the part of the JVM for tests: it fills a ring.Segment as the callbacks in agent/native do,
// without a JVM and without cgo.
//
// It says the layout of the memory and the way of publishing once more, in its own words, so that a mistake in package
// ring shows.
package ringtest
