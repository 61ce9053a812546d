package gcpause

import "github.com/trcx/trcx/trace"

// Sum adds up for how long collections stopped one program. Where they overlap, the time counts once. The zero Sum has
// none.
type Sum struct {
	all    List
	paused int64 // the sum of the pauses, in nanoseconds
	length int64 // of the collections in all
}

// Add adds the pauses of the collection, which are never longer than the collection.
func (s *Sum) Add(c *trace.Collection) {
	length := int64(c.End - c.Time)
	s.paused += min(c.Paused, length)
	if c.Stopped {
		s.length += length
		s.all.Add(c)
	}
}

// Total returns the sum in nanoseconds.
func (s *Sum) Total() int64 {
	s.all.Settle()
	return max(s.paused-(s.length-s.all.Total()), 0)
}
