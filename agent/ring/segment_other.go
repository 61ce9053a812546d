//go:build !linux

package ring

import (
	"errors"
	"os"
	"time"
)

// ErrUnsupported says that JVMs can be recorded on Linux only.
var ErrUnsupported = errors.New("recording needs Linux")

// Create makes a segment, where that is possible.
func Create() (*Segment, error) { return nil, ErrUnsupported }

// Open maps a segment, where that is possible.
func Open(int) (*Segment, error) { return nil, ErrUnsupported }

// File is the descriptor of the segment's memory.
func (s *Segment) File() int { return -1 }

// Close has nothing to do.
func (s *Segment) Close() error { return nil }

// Discard has nothing to do.
func (s *Segment) Discard() {}

// Now reads a monotonic clock, in nanoseconds.
func Now() int64 { return time.Since(began).Nanoseconds() }

var began = time.Now()

// Sleep waits until the time is over.
func (s *Segment) Sleep(longest time.Duration) { time.Sleep(longest) }

// Wake has nothing to do.
func (s *Segment) Wake() {}

// Duplicate returns the segment's memory as a file, where that is possible.
func (s *Segment) Duplicate() (*os.File, error) { return nil, ErrUnsupported }
