// Package convert opens inputs, decompresses them, detects their format and decodes them.
//
// Events iterates over the events of one reader, Model over the model that is computed from them, Run reads many inputs
// into a Sink. Each input format has a subpackage; enrich, normalize and selection are stages between a reader and an
// output. Intact parts of damaged input are kept; the damage is reported to Options.OnFinding, or is the error after
// all records.
package convert
