// Package switchlog writes the log of thread switches that convert/switchlog reads: a line for each start, interrupt,
// join, sleep, wait and notification, with the active time of the thread before it stopped.
//
// It consumes the model's records, because only records bind notifications to threads. It also observes each element
// before its records: with the reader's annotations, a log is written again as it was read.
package switchlog
