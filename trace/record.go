package trace

import "iter"

// Record is one item of the model of a trace: a pointer to one of the types below. Consumers switch on the type and
// ignore types that they do not need.
//
// The order of records is the same for every producer:
//   - an *Origin comes before all times, and not at all if no element of the trace has a time;
//   - a *Session comes before the first event of its recording, and again when more becomes known;
//   - a *ModelThread comes before the thread's first event, and again if its threadStart comes later;
//   - a *ModelObject comes before the first event that names the object, and again if its class becomes known later or
//     its id now names another object;
//   - an *Activity comes before the events of the element that it reports;
//   - an *Interval comes when it has ended, before the event that ends it; intervals still open at the end of the trace
//     come before the *Summary, in the order of their threads' keys;
//   - a *MonitorOwner comes after the WaitingForLock events of the threads blocked on the monitor, and before the
//     events of the element that changes its owner; without a monitor, before the events of its element;
//   - a *Binding comes after the Running event; its cause may be an event of the same element, which comes next;
//   - a *Start comes before the Running event of the started thread, with the call of Thread.start if that is recorded
//     later, or at the end of the recording if the thread never started;
//   - a *CPUTime comes after the events of its element, a *Sample or *ObjectState with its element;
//   - a *Collection comes when the garbage collection has ended;
//   - an *Allocation, *Free, *Move or *ObjectEnd comes with its element, and only if it is asked for;
//   - a *MonitorTime comes at the end of its recording, and so does an *AllocationSites if it is asked for;
//   - a *DeadlockLoop comes after the DeadLock events of its threads;
//   - a *SessionEnd is the last record of its recording, except for open intervals;
//   - the *Summary is the last record.
type Record interface {
	// clone returns a copy of the record. What its fields refer to is shared.
	clone() Record
}

func (r *Origin) clone() Record          { return copied(r) }
func (r *Session) clone() Record         { return copied(r) }
func (r *SessionEnd) clone() Record      { return copied(r) }
func (r *ModelThread) clone() Record     { return copied(r) }
func (r *ModelObject) clone() Record     { return copied(r) }
func (r *Activity) clone() Record        { return copied(r) }
func (r *ModelEvent) clone() Record      { return copied(r) }
func (r *Interval) clone() Record        { return copied(r) }
func (r *MonitorOwner) clone() Record    { return copied(r) }
func (r *Binding) clone() Record         { return copied(r) }
func (r *Start) clone() Record           { return copied(r) }
func (r *DeadlockLoop) clone() Record    { return copied(r) }
func (r *Collection) clone() Record      { return copied(r) }
func (r *CPUTime) clone() Record         { return copied(r) }
func (r *Sample) clone() Record          { return copied(r) }
func (r *ObjectState) clone() Record     { return copied(r) }
func (r *MonitorTime) clone() Record     { return copied(r) }
func (r *Allocation) clone() Record      { return copied(r) }
func (r *Free) clone() Record            { return copied(r) }
func (r *Move) clone() Record            { return copied(r) }
func (r *ObjectEnd) clone() Record       { return copied(r) }
func (r *AllocationSites) clone() Record { return copied(r) }
func (r *Summary) clone() Record         { return copied(r) }

// Sink consumes the records of a model.
type Sink interface {
	// Put consumes the next record. The record is valid until Put returns; what its fields refer to (slices, stacks,
	// methods) does not change and can be kept. An error ends the reading of the trace.
	Put(Record) error
}

// SinkFunc is a function as a Sink.
type SinkFunc func(Record) error

// Put calls the function.
func (f SinkFunc) Put(r Record) error { return f(r) }

// Tee returns a Sink that passes each record to all sinks in turn. The first error ends it.
func Tee(sinks ...Sink) Sink {
	if len(sinks) == 1 {
		return sinks[0]
	}
	return tee(sinks)
}

type tee []Sink

func (t tee) Put(r Record) error {
	for _, sink := range t {
		if err := sink.Put(r); err != nil {
			return err
		}
	}
	return nil
}

// Copy puts the records into the sink, up to the first error of either.
func Copy(dst Sink, records iter.Seq2[Record, error]) error {
	for r, err := range records {
		if err == nil {
			err = dst.Put(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Batch holds copies of records, in order. The zero Batch is empty. Its memory is reused after Reset.
type Batch struct {
	records    []Record // pointers into the slices below
	events     []ModelEvent
	intervals  []Interval
	activities []Activity
	bindings   []Binding
	owners     []MonitorOwner
	threads    []ModelThread
	objects    []ModelObject
	samples    []Sample
}

// Add appends a copy of the record.
func (b *Batch) Add(r Record) {
	switch of := r.(type) {
	case *ModelEvent:
		r = keep(&b.events, of)
	case *Interval:
		r = keep(&b.intervals, of)
	case *Activity:
		r = keep(&b.activities, of)
	case *Binding:
		r = keep(&b.bindings, of)
	case *MonitorOwner:
		r = keep(&b.owners, of)
	case *ModelThread:
		r = keep(&b.threads, of)
	case *ModelObject:
		r = keep(&b.objects, of)
	case *Sample:
		r = keep(&b.samples, of)
	default: // these are few
		r = r.clone()
	}
	b.records = append(b.records, r)
}

// keep appends a copy of the record to the slice. A slice that grows leaves the earlier copies where they are.
func keep[T any](to *[]T, r *T) *T {
	*to = append(*to, *r)
	return &(*to)[len(*to)-1]
}

func copied[T any](r *T) *T {
	own := *r
	return &own
}

// Len returns the number of records.
func (b *Batch) Len() int { return len(b.records) }

// All iterates over the records, which are valid until Reset.
func (b *Batch) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for _, r := range b.records {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Reset empties the batch and drops its references.
func (b *Batch) Reset() {
	clear(b.records)
	clear(b.events)
	clear(b.intervals)
	clear(b.owners)
	clear(b.threads)
	clear(b.objects)
	clear(b.samples)
	*b = Batch{b.records[:0], b.events[:0], b.intervals[:0], b.activities[:0], b.bindings[:0], b.owners[:0],
		b.threads[:0], b.objects[:0], b.samples[:0]}
}
