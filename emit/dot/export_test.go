package dot

// KeepAtMost sets the limit of edges in memory, and returns the writer.
func (w *Writer) KeepAtMost(edges int) *Writer {
	w.limit = edges
	return w
}

// Waits returns the waits of all edges, dropped ones included.
func (w *Writer) Waits() (count, total int64) {
	all := w.left
	for _, e := range w.edges {
		all.add(e.sum)
	}
	return all.count, all.total
}

// Size returns the number of nodes, edges and groups in memory.
func (w *Writer) Size() int {
	if w.groups != nil {
		return len(w.nodes) + len(w.edges) + len(w.groups.first) + len(w.groups.pattern)
	}
	return len(w.nodes) + len(w.edges)
}
