package enrich

import (
	"sync/atomic"

	"github.com/trcx/trcx/trace"
)

// Beside gives a sink what comes in a goroutine of its own, so that the sink works while the trace is read on. It comes
// in order, but later: only after Wait, Start, Session, Deadlock and End has the sink had all of it. An error of the
// sink's is returned by one of the next methods, and by all behind it.
//
// The sink must not share what it changes with others that take the same stream: the Memo of a stack is for one of them
// only.
type Beside struct {
	sink    Sink
	filling *batch
	full    chan *batch // those that are to be given to the sink
	spare   chan *batch // the others, but for the one that is being filled
	failed  atomic.Pointer[error]
	closed  bool
}

const (
	batches   = 4
	batchSize = 1 << 10 // calls
)

// NewBeside returns a Beside of the sink. It is to be closed.
func NewBeside(sink Sink) *Beside {
	b := &Beside{sink: sink, filling: &batch{}, full: make(chan *batch, batches), spare: make(chan *batch, batches)}
	for range batches - 1 {
		b.spare <- &batch{}
	}
	go b.run()
	return b
}

func (b *Beside) run() {
	for full := range b.full {
		if b.failed.Load() == nil {
			if err := full.giveTo(b.sink); err != nil {
				b.failed.Store(&err)
			}
		}
		full.empty()
		b.spare <- full
	}
}

// Wait waits until the sink has had all that came.
func (b *Beside) Wait() error {
	b.handOver()
	for range batches - 1 { // when all are spare, none is being given
		defer func(spare *batch) { b.spare <- spare }(<-b.spare)
	}
	return b.err()
}

// Close ends the goroutine when the sink has had all that came, if it has not been closed before. Nothing may come
// behind it.
func (b *Beside) Close() error {
	if b.closed {
		return b.err()
	}
	err := b.Wait()
	close(b.full)
	b.closed = true
	return err
}

func (b *Beside) handOver() {
	b.full <- b.filling
	b.filling = <-b.spare
}

func (b *Beside) err() error {
	if failed := b.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// note notes that there is one call more in the batch.
func (b *Beside) note(c call) error {
	b.filling.calls = append(b.filling.calls, c)
	if len(b.filling.calls) >= batchSize {
		b.handOver()
	}
	return b.err()
}

// now gives something to the sink when it has had all that came before.
func (b *Beside) now(give func() error) error {
	if err := b.Wait(); err != nil {
		return err
	}
	return give()
}

// Start waits, and gives the time to the sink.
func (b *Beside) Start(at trace.Time) error {
	return b.now(func() error { return b.sink.Start(at) })
}

// Session waits, and gives the session to the sink.
func (b *Beside) Session(s *trace.Session) error {
	return b.now(func() error { return b.sink.Session(s) })
}

// Thread gives the thread to the sink, later.
func (b *Beside) Thread(t *trace.ModelThread) error {
	b.filling.threads = append(b.filling.threads, *t)
	return b.note(threadCall)
}

// Object gives the object to the sink, later.
func (b *Beside) Object(o *trace.ModelObject) error {
	b.filling.objects = append(b.filling.objects, *o)
	return b.note(objectCall)
}

// Event gives the event to the sink, later.
func (b *Beside) Event(e *trace.ModelEvent) error {
	b.filling.events = append(b.filling.events, *e)
	return b.note(eventCall)
}

// Acted gives who has acted to the sink, later.
func (b *Beside) Acted(who trace.ThreadRef, at trace.Time) error {
	b.filling.acts = append(b.filling.acts, act{who, at})
	return b.note(actedCall)
}

// Bind gives the binding to the sink, later.
func (b *Beside) Bind(binding *trace.Binding) error {
	b.filling.bindings = append(b.filling.bindings, *binding)
	return b.note(bindCall)
}

// Deadlock waits, and gives the loop to the sink.
func (b *Beside) Deadlock(d *trace.DeadlockLoop) error {
	return b.now(func() error { return b.sink.Deadlock(d) })
}

// End waits, and ends the sink.
func (b *Beside) End(s *trace.Summary) error {
	return b.now(func() error { return b.sink.End(s) })
}

// call is a method of a sink.
type call uint8

const (
	eventCall call = iota
	actedCall
	bindCall
	threadCall
	objectCall
)

// act is what Acted says.
type act struct {
	who trace.ThreadRef
	at  trace.Time
}

// batch is a number of calls, in order, and what each of them is given.
type batch struct {
	calls    []call
	events   []trace.ModelEvent
	acts     []act
	bindings []trace.Binding
	threads  []trace.ModelThread
	objects  []trace.ModelObject
}

// giveTo gives everything to the sink, until there is an error.
func (b *batch) giveTo(sink Sink) (err error) {
	var event, acted, binding, thread, object int // how many have been given
	for _, c := range b.calls {
		switch c {
		case eventCall:
			err = sink.Event(&b.events[event])
			event++
		case actedCall:
			err = sink.Acted(b.acts[acted].who, b.acts[acted].at)
			acted++
		case bindCall:
			err = sink.Bind(&b.bindings[binding])
			binding++
		case threadCall:
			err = sink.Thread(&b.threads[thread])
			thread++
		case objectCall:
			err = sink.Object(&b.objects[object])
			object++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// empty makes room for others, and lets go of what was held.
func (b *batch) empty() {
	clear(b.events)
	clear(b.threads)
	clear(b.objects)
	*b = batch{b.calls[:0], b.events[:0], b.acts[:0], b.bindings[:0], b.threads[:0], b.objects[:0]}
}
