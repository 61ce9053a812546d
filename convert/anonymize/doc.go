// Package anonymize replaces the names in a trace that could reveal its origin, for traces that go to others.
//
// New returns an optional sink between a reader and any consumer, so that all outputs have the same replacements.
// Names enter a trace only through a few attributes of definitions: stack traces and objects refer to those by ids.
// Names of the JDK and of the JVM's own threads stay, since they are the same everywhere.
package anonymize
