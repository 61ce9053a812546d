// Package csv writes the model of a trace as tables for spreadsheets and other programs: a row for each event, and a
// row for each interaction, an event of a thread that caused a Running event of another one.
//
// It consumes the model's records. Statistics, the third table, are written by analyze/contention.
//
// The files are UTF-8 as in RFC 4180, except that lines end in a line feed alone; the first line names the columns.
// Times are nanoseconds since the first timed element, exact integers.
package csv
