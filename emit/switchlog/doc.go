// Package switchlog writes the log of thread switches that convert/switchlog reads: a line for each start, interrupt,
// join, sleep, wait and notification, with the active time of the thread before it stopped.
//
// It consumes the model's records, as only these bind notifications to threads. Annotations of a reader, by which a log
// is written again as it was read, are observed in the elements, each before its records.
package switchlog
