// Package convert is the pipeline: it opens inputs, finds out what they are, has the reader of their format (one folder
// each) turn them into elements, and hands these to a Sink.
//
// The walk is bytes -> internal/xmlscan -> convert/trcxml -> Sink; a Sink is convert/enrich with an output of emit
// behind it, or an output of emit that takes elements as they are. One pass, one direction. Everything here works on
// readers; only the opening of inputs knows files.
package convert
