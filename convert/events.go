package convert

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// Events iterates over the events of a reader, in the order of the input. The reader may be compressed, and may be a
// zip of documents. An event is valid until the next one; use Clone to keep it.
//
// The last pair has the error if there is one: a *DamageError, which matches ErrDamaged, after all events that could be
// read of an input with errors; an *InputError for what cannot be read at all; or that of ctx. With OnFinding, errors
// of the input are findings instead. A trace that ends between two elements is no damage: a fragment may end so.
func Events(ctx context.Context, r io.Reader, o Options) iter.Seq2[*trace.Event, error] {
	return func(yield func(*trace.Event, error) bool) {
		put, finish := pushed(yield)
		finish(readAll(ctx, r, o, events(put)))
	}
}

// Model iterates over the records of the model that is computed from the events of a reader. A record is valid
// until the next one. Options.Model selects what it has; the
// error is as for Events.
func Model(ctx context.Context, r io.Reader, o Options) iter.Seq2[trace.Record, error] {
	return func(yield func(trace.Record, error) bool) {
		put, finish := pushed(yield)
		finish(readAll(ctx, r, o, enrich.New(trace.SinkFunc(put), o.Model)))
	}
}

func readAll(ctx context.Context, r io.Reader, o Options, dst Sink) error {
	inputs, err := OpenInputs([]string{Stdin}, r, 0)
	if err != nil {
		return err
	}
	defer inputs.Close()
	return Run(ctx, inputs.Documents, o, dst)
}

// errStop ends the reading when the consumer of an iterator has stopped.
var errStop = errors.New("the iteration has stopped")

// pushed returns put, which yields a value unless the consumer has stopped, and finish, which yields the error.
func pushed[T any](yield func(T, error) bool) (put func(T) error, finish func(error)) {
	stopped := false
	put = func(value T) error {
		if stopped || !yield(value, nil) {
			stopped = true
			return errStop
		}
		return nil
	}
	finish = func(err error) {
		if err != nil && !stopped {
			var none T
			yield(none, err)
		}
	}
	return put, finish
}

// events is a Sink of the events alone.
type events func(*trace.Event) error

func (put events) Put(e *trace.Event) error { return put(e) }
func (put events) Begin(int) error          { return nil }
func (put events) End(trace.Ending) error   { return nil }
func (put events) Finish() error            { return nil }
