// Package serve gives the page of package page its data piece by piece, so that traces of any size can be looked at,
// also while they are being recorded.
//
// It stands at the end of the walk: a Trace holds an index of analyze/timeline, a Server answers what web/served.ts
// asks about it. The server listens on loopback only, and answers nobody but the page that it has given out itself:
// guard.go says how.
package serve
