// Package normalize converts traces of other programs to the form of TPTP's own agents: class names with slashes, one
// spelling of each attribute, only elements and attributes that TPTP defines.
//
// A Normalizer is an optional sink between a reader and the writer of trcxml, which otherwise keeps what it does not
// know. Each kind of change is a row of a table; its number and its first place are reported.
package normalize
