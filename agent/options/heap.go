package options

import (
	"errors"
	"strings"
)

// Heap is the part of the allocations that is recorded.
type Heap uint8

// The parts.
const (
	NoHeap Heap = iota
	Sampled
	Full
)

// sampleInterval is the mean number of bytes between two samples: HotSpot's own default.
const sampleInterval = 512 << 10

// String returns the value of the option heap, "" for NoHeap.
func (h Heap) String() string { return [...]string{"", "sampled", "full"}[h] }

// Interval returns the mean number of bytes between two recorded allocations, 0 unless they are Sampled.
func (h Heap) Interval() int {
	if h == Sampled {
		return sampleInterval
	}
	return 0
}

func setHeap(o *Options, value string) error {
	switch value {
	case Sampled.String():
		o.Heap = Sampled
	case Full.String():
		o.Heap = Full
	default:
		return errors.New("want sampled or full")
	}
	return nil
}

// setAllocsites handles HeapProf's option allocsites.
func setAllocsites(o *Options, value string) error {
	var all bool
	if err := boolean(func(*Options) *bool { return &all })(o, value); err != nil {
		return err
	}
	if o.Heap = Sampled; all {
		o.Heap = Full
	}
	return nil
}

// setDumpOnExit accepts the names that the JVM does.
func setDumpOnExit(o *Options, value string) error {
	if !strings.HasSuffix(value, ".hprof") {
		return errors.New("want a name that ends with .hprof")
	}
	o.DumpOnExit = value
	return nil
}
