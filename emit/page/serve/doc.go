// Package serve serves the page of package page with data on demand, for traces of any size, also during recording.
//
// A Trace has an index of analyze/timeline; a Server answers the requests of web/served.ts from it. The server listens
// on loopback only, and answers only its own page; see guard.go.
package serve
