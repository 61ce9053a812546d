// Package dtd parses DTDs and validates documents against them. It has the DTD of traces.
//
// It depends on XML alone, not on traces. Traces are validated while convert/trcxml reads them, token by token. Both
// use the engine in internal/grammar. The DTD of traces, trace.dtd, is written from the table of package trace by a
// test.
package dtd
