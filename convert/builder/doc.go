// Package builder builds the elements of a trace (trace.Event) for the readers of formats that are not TPTP's XML, the
// other subpackages of convert.
//
// A Builder emits the definitions of classes and methods before the stack traces that refer to them, and escapes
// values. A Builder does not make up what a log lacks: writers add the preamble that TPTP's loaders require, and
// package enrich infers interactions. Lines splits a log into lines with positions.
package builder
