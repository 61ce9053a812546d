// Package switchlog writes the log of thread switches that convert/switchlog reads: a line for each start, interrupt,
// join, sleep, wait and notification, with how long the thread was active before it stopped.
//
// It is an end of the walk: it takes the model, for only that knows which thread a notification woke. What a reader has
// left in annotations, for the log to come out as it was, it takes from the elements, each of which it looks at before
// its events come.
package switchlog
