// Package dot writes who waited for whom as a graph for Graphviz: threads, and arrows from those that were held up to
// those that held them up.
//
// It is the end of the walk: segments come in, the graph is written when the trace is over. It shows the arrows of the
// longest waits; how much is left out stands in the graph itself.
package dot
