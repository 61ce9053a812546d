package timeline

import "github.com/trcx/trcx/trace"

// Detail is what the index knows of one event of a thread: an instant, or the begin of a span.
type Detail struct {
	Thread trace.ThreadKey
	// Type is the event's type.
	Type trace.ModelType
	// Span is the span that the event began, Instant what the thread did. One of them is nil.
	Span    *Span
	Instant *Instant
	// Causes are the events that caused the event: one or none. Effects are the Running events that it caused. Each of
	// them occurred at an End.
	Causes, Effects []Link
}

// Link is an event at the other end of an interaction.
type Link struct {
	Type Interaction
	End
}

// modelTypes are, by state, the types of the events that begin spans.
var modelTypes = [StateCount]trace.ModelType{
	Running: trace.Running, WaitingForObject: trace.WaitingForObject, WaitingForLock: trace.WaitingForLock,
	WaitingForJoin: trace.WaitingForJoin,
	Sleeping:       trace.Sleeping, Deadlocked: trace.WaitingForLock, TimedWaiting: trace.WaitingForObject,
	Parked: trace.WaitingForObject, InIO: trace.WaitingForObject,
}

// instantTypes are the types of the events that are instants.
var instantTypes = func() (of [InteractionCount]trace.ModelType) {
	for typ, interaction := range interactions {
		of[interaction] = typ
	}
	return of
}()

// Detail returns what is known of an event; nil if the thread has no such event, or a timeline does not show it.
func (x *Index) Detail(thread trace.ThreadKey, event trace.EventID) (*Detail, error) {
	if !x.has(thread) || event == 0 {
		return nil, nil
	}
	l, err := x.laneOf(thread)
	if err != nil {
		return nil, err
	}
	s := &search{laneBuilder: laneBuilder{view: &view{index: x, stacks: map[uint32]*Stack{}}, key: thread,
		session: x.entryOf(thread).session}, event: event}
	if err := s.track(&l.tracks[spanTrack]); err != nil {
		return nil, err
	}
	if going := x.going(l); going != nil {
		s.addRecord(going)
	}
	if s.found == nil {
		return nil, nil
	}
	return s.found, s.lateEffects()
}

// search looks for an event in a lane, and for what it has caused.
type search struct {
	laneBuilder
	event   trace.EventID
	found   *Detail
	effects []Link
}

func (s *search) track(t *track) error {
	for i := range t.blocks {
		b := &t.blocks[i]
		if !b.events.has(s.event) && !b.causes.has(s.event) {
			continue
		}
		if err := s.index.each(b, &s.buffer, s.addRecord); err != nil {
			return err
		}
	}
	return records(&t.open, t.text, s.addRecord)
}

// addRecord reads a record.
func (s *search) addRecord(r *record) {
	switch {
	case r.event != s.event:
	case r.isSpan():
		span := s.spanOf(r)
		s.found = &Detail{Thread: s.key, Type: modelTypes[r.kind], Span: &span}
		if late, ok := s.index.late[r.event]; ok {
			r.interaction, r.cause = s.index.causeOf(late)
		}
		if r.kind == recordKind(Running) && r.cause.Event != 0 {
			s.found.Causes = []Link{{r.interaction, s.shift(r.cause)}}
		}
	case r.kind == instantRecord:
		instant := s.instantOf(r)
		instant.Time -= s.index.earliest
		s.found = &Detail{Thread: s.key, Type: instantTypes[r.interaction], Instant: &instant}
	default:
		if _, replaced := s.index.late[r.cause.Event]; !replaced {
			s.effects = append(s.effects, Link{r.interaction, s.shift(r.cause)})
		}
	}
}

func (s *search) shift(e End) End {
	e.Time -= s.index.earliest
	return e
}

// lateEffects adds effects that became known after their spans.
func (s *search) lateEffects() error {
	s.found.Effects = s.effects
	for running, cause := range s.index.late {
		if cause.ID != s.event || cause.Thread != s.key {
			continue
		}
		at, err := s.index.find(running)
		if err != nil {
			return err
		}
		s.found.Effects = append(s.found.Effects, Link{Interaction(instantOf[cause.Type] - 1), s.shift(at)})
	}
	return nil
}

// find finds the span that an event of any thread began.
func (x *Index) find(event trace.EventID) (found End, err error) {
	for key := range x.threads.Keys() {
		s := &search{event: event}
		s.view, s.key = &view{index: x, stacks: map[uint32]*Stack{}}, key
		l, err := x.laneOf(s.key)
		if err != nil {
			return End{}, err
		}
		if err := s.track(&l.tracks[spanTrack]); err != nil {
			return End{}, err
		}
		if s.found != nil && s.found.Span != nil {
			return End{event, s.key, s.found.Span.Begin + x.earliest}, nil
		}
	}
	return End{Event: event}, nil
}
