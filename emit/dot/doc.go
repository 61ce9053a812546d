// Package dot writes the waits of threads for each other as a graph for Graphviz: threads are nodes, and an edge leads
// from a thread to the one it waited for.
//
// It consumes the model's intervals and writes the graph at the end. The graph has the edges with the longest waits,
// and says how many it leaves out.
package dot
