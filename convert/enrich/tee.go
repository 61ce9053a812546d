package enrich

import "github.com/trcx/trcx/trace"

// Tee returns a sink that gives everything to each of the sinks, in turn. The first error ends it.
func Tee(sinks ...Sink) Sink {
	if len(sinks) == 1 {
		return sinks[0]
	}
	return tee(sinks)
}

type tee []Sink

func (t tee) each(give func(Sink) error) error {
	for _, sink := range t {
		if err := give(sink); err != nil {
			return err
		}
	}
	return nil
}

func (t tee) Start(at trace.Time) error { return t.each(func(s Sink) error { return s.Start(at) }) }

func (t tee) Session(described *trace.Session) error {
	return t.each(func(s Sink) error { return s.Session(described) })
}

func (t tee) Thread(described *trace.ModelThread) error {
	return t.each(func(s Sink) error { return s.Thread(described) })
}

func (t tee) Object(described *trace.ModelObject) error {
	return t.each(func(s Sink) error { return s.Object(described) })
}

func (t tee) Acted(who trace.ThreadRef, at trace.Time) error {
	return t.each(func(s Sink) error { return s.Acted(who, at) })
}

func (t tee) Event(event *trace.ModelEvent) error {
	return t.each(func(s Sink) error { return s.Event(event) })
}

func (t tee) Bind(binding *trace.Binding) error {
	return t.each(func(s Sink) error { return s.Bind(binding) })
}

func (t tee) Deadlock(loop *trace.DeadlockLoop) error {
	return t.each(func(s Sink) error { return s.Deadlock(loop) })
}

func (t tee) End(summary *trace.Summary) error {
	return t.each(func(s Sink) error { return s.End(summary) })
}
