// Package deadlock finds the deadlocks in which a trace ends, who is stuck behind them, and the lock orders that could
// have led to others.
//
// It looks on behind enrich: a Finder takes the model events of one or more recordings and gives a Report, which is
// printed as text, Markdown or JSON.
//
// That a thread lets go of a monitor is in no trace. So whether a thread held one monitor while it was blocked on
// another one has to be concluded; held.go says how, and Evidence how far that can be trusted.
package deadlock
