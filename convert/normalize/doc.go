// Package normalize converts traces of other programs to the form of TPTP's own agents: class names with slashes, one
// spelling of each attribute, only elements and attributes that TPTP defines.
//
// A Normalizer is an optional sink between a reader and the writer of trcxml. Without it, the writer keeps elements and
// attributes that TPTP does not define. Each kind of change is a row of a table; their number and the place of the
// first one are reported.
package normalize
