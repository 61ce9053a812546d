package segment

import (
	"github.com/trcx/trcx/convert/enrich"
	"github.com/trcx/trcx/trace"
)

// Tee returns a sink that gives everything to each of the sinks, in turn. The first error ends it.
func Tee(sinks ...Sink) Sink {
	if len(sinks) == 1 {
		return sinks[0]
	}
	models := make([]enrich.Sink, len(sinks))
	for i, sink := range sinks {
		models[i] = sink
	}
	return &tee{enrich.Tee(models...), sinks}
}

type tee struct {
	enrich.Sink // all of them, for what is no segment
	sinks       []Sink
}

// Segment gives the segment to each.
func (t *tee) Segment(s *trace.Segment) error {
	for _, sink := range t.sinks {
		if err := sink.Segment(s); err != nil {
			return err
		}
	}
	return nil
}
