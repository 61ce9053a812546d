package enrich

import (
	"sync/atomic"

	"github.com/trcx/trcx/trace"
)

// Async is a Sink that puts its records into another one in a goroutine of its own, in order but later. The Summary is
// an exception: when Put returns, the other sink has consumed it and all records before it. An error of the other sink
// is returned by one of the next calls, and by all after it.
type Async struct {
	dst    trace.Sink
	batch  *trace.Batch
	frames int               // of the batch's stacks
	full   chan *trace.Batch // to be put into dst
	spare  chan *trace.Batch // free to be filled
	failed atomic.Pointer[error]
	closed bool
}

const (
	batches    = 4
	batchSize  = 1 << 9  // records
	batchStack = 1 << 14 // frames of the records' stacks
)

// NewAsync returns an Async that puts its records into dst. It must be closed.
func NewAsync(dst trace.Sink) *Async {
	a := &Async{dst: dst, batch: &trace.Batch{}, full: make(chan *trace.Batch, batches),
		spare: make(chan *trace.Batch, batches)}
	for range batches - 1 {
		a.spare <- &trace.Batch{}
	}
	go a.run()
	return a
}

func (a *Async) run() {
	for batch := range a.full {
		if a.failed.Load() == nil {
			if err := trace.Copy(a.dst, batch.All()); err != nil {
				a.failed.Store(&err)
			}
		}
		batch.Reset()
		a.spare <- batch
	}
}

// Put copies the record, for dst to consume later.
func (a *Async) Put(r trace.Record) error {
	a.batch.Add(r)
	switch r := r.(type) {
	case *trace.ModelEvent:
		if r.Stack != nil {
			a.frames += len(r.Stack.Frames)
		}
	case *trace.Summary:
		return a.wait()
	}
	if a.batch.Len() >= batchSize || a.frames >= batchStack {
		a.send()
	}
	return a.err()
}

// send passes the batch on, and waits for another one.
func (a *Async) send() {
	a.full <- a.batch
	a.batch, a.frames = <-a.spare, 0
}

// wait returns when dst has consumed all records.
func (a *Async) wait() error {
	a.send()
	for range batches - 1 { // when all are spare, dst has consumed them
		defer func(spare *trace.Batch) { a.spare <- spare }(<-a.spare)
	}
	return a.err()
}

func (a *Async) err() error {
	if failed := a.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// Close ends the goroutine when dst has consumed all records. No record may follow. Further calls return the same
// error.
func (a *Async) Close() error {
	if a.closed {
		return a.err()
	}
	err := a.wait()
	close(a.full)
	a.closed = true
	return err
}
