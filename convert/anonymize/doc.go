// Package anonymize replaces names that could reveal a trace's origin, so that the trace can be given to others.
//
// New returns an optional sink between a reader and any consumer, so that all outputs have the same replacements. Names
// are only in a few attributes of definitions, to which stack traces and objects refer by ids. Names of the JDK and of
// the JVM's own threads stay, because they are the same everywhere.
package anonymize
