// Package builder turns what a log says into elements of a trace, for the readers of formats that are not the XML of
// TPTP.
//
// It stands beneath these readers, one folder each in convert: they tell a Transcript what happened, to which thread,
// where in the program, and it gives elements (trace.Event) on, with definitions of classes and methods before the call
// stacks that name them. What a log does not say is left out: writers make up the preamble that TPTP's loaders want,
// and package enrich concludes what can be concluded.
package builder
