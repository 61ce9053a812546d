// Package trace defines Eclipse TPTP traces: elements, attributes, events, times, ids, and the model computed from
// them.
//
// Elements is the table from which the reader, the writer, the DTD, the rules and docs/format.md are derived; adding an
// element is adding a row. An Event is one element as read: a Layout, which elements that differ only in digits share,
// and a text. A Builder builds events for readers of any format. A Record is one item of the model.
//
// The package does no I/O and imports only the standard library and internal/digits.
package trace
