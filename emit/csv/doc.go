// Package csv writes the model of a trace as tables for spreadsheets and for programs that read such: a row for each
// event, and a row for each interaction, that is, each event of a thread that let another one run on.
//
// It is the end of the walk: convert/enrich gives its events. Statistics, the third table, come from analyze, and are
// written elsewhere.
//
// The files are UTF-8 as RFC 4180 has it, but that lines end in a line feed alone; the first one names the columns.
// Times are nanoseconds since the first timed element, exact integers.
package csv
