//go:build !linux

package ring

import (
	"errors"
	"os"
	"time"
)

// errUnsupported is the error of recording on systems other than Linux.
var errUnsupported = errors.New("recording needs Linux")

// Create returns errUnsupported.
func Create() (*Segment, error) { return nil, errUnsupported }

// Open returns errUnsupported.
func Open(int) (*Segment, error) { return nil, errUnsupported }

// File returns -1.
func (s *Segment) File() int { return -1 }

// Close does nothing.
func (s *Segment) Close() error { return nil }

// Discard does nothing.
func (s *Segment) Discard() {}

// Now reads a monotonic clock, in nanoseconds.
func Now() int64 { return time.Since(began).Nanoseconds() }

var began = time.Now()

// Sleep waits until the time is over.
func (s *Segment) Sleep(longest time.Duration) { time.Sleep(longest) }

// Wake does nothing.
func (s *Segment) Wake() {}

// Duplicate returns errUnsupported.
func (s *Segment) Duplicate() (*os.File, error) { return nil, errUnsupported }
