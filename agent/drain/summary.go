package drain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
)

// Summary has the counts and times of a recording.
type Summary struct {
	// Events counts the elements that the output has accepted, by kind, without the preamble and the ending.
	Events [trace.KindCount]uint64
	// Dropped counts the records that were lost because a ring was full; the trace has their number in option elements.
	Dropped uint64
	// Strays counts the records that were left out because they do not fit: events of a thread that has not started or
	// has ended, or ends of waits that have not begun. Repaired counts the ends of waits and blocks that were written
	// without a record. If nothing was dropped, both are small.
	Strays, Repaired uint64
	// Skipped counts the calls of methods that were left out, with the calls inside them, because a ring was full.
	Skipped uint64
	// Unknown counts the records of an unknown kind, which only a crashed JVM writes.
	Unknown uint64
	// LeftAlone counts the classes that hooks fit and that could not be rewritten safely.
	LeftAlone uint64
	// Unsampled is the error if the samples of methods could not be read; nil if they are in the trace, or were not
	// wanted.
	Unsampled error
	// Stopped is the error that ended the trace before the recording; nil if none did.
	Stopped error
	// First and Last are the times at which the recording began and ended.
	First, Last trace.Time
	// PID is the JVM's process, 0 if none attached; JVM its name and version, JavaVersion the feature number, such as
	// 17.
	PID         int
	JVM         string
	JavaVersion int
}

// String returns the summary for people, in lines: how much was recorded of which process, and what was lost. It is
// about a recording that has begun.
func (s *Summary) String() string {
	text := fmt.Sprintf("%d elements in %.1f s of process %d, %s\n", s.Total(), float64(s.Last-s.First)/1e9, s.PID, s.JVM)
	if s.Dropped > 0 {
		text += fmt.Sprintf("%d records were dropped, because they came faster than they could be written", s.Dropped)
	} else {
		text += "no records were dropped"
	}
	if s.Skipped > 0 {
		text += fmt.Sprintf("; %d calls were skipped, because they came faster than they could be written", s.Skipped)
	}
	if s.LeftAlone > 0 {
		text += fmt.Sprintf("; %d classes could not be rewritten, and their calls are missing", s.LeftAlone)
	}
	if s.Unsampled != nil {
		text += fmt.Sprintf("\nthe trace has no samples of methods (%v)", s.Unsampled)
	}
	if s.Stopped != nil {
		text += fmt.Sprintf("\nthe trace is not complete (%v)", s.Stopped)
	}
	return text
}

// Total returns the number of elements that were written.
func (s *Summary) Total() (total uint64) {
	for _, count := range s.Events {
		total += count
	}
	return total
}

// losses counts lost records.
type losses struct {
	lost     uint64 // since their number was last written
	ringless uint64 // how many of the segment's ringless records were counted
	written  int    // how much of the segment's text about what is not recorded the trace has, in bytes
}

// writeLost writes what is not recorded in this JVM, if that is news.
func (d *Drainer) writeLost() {
	lost := d.segment.Lost()
	if len(lost) <= d.losses.written || !d.delivery.open() {
		return
	}
	for line := range strings.Lines(lost[d.losses.written:]) {
		d.writeOption(trace.OptionNotRecorded, strings.TrimSuffix(line, "\n"))
	}
	d.losses.written = len(lost)
}

// writeLosses writes how many records were lost since the last time, if any.
func (d *Drainer) writeLosses(rings []*ring.Ring) {
	for _, ring := range rings {
		d.losses.lost += ring.Dropped()
	}
	d.losses.lost += d.segment.Definitions().Dropped()
	if ringless := d.segment.Ringless(); ringless > d.losses.ringless {
		d.losses.lost += ringless - d.losses.ringless
		d.losses.ringless = ringless
	}
	if d.losses.lost == 0 || !d.delivery.open() {
		return
	}
	d.writeOption(trace.OptionDropped, strconv.FormatUint(d.losses.lost, 10))
	d.summary.Dropped += d.losses.lost
	d.losses.lost = 0
}

// summarise completes the Summary.
func (d *Drainer) summarise() *Summary {
	d.summary.Events = d.delivery.written.events
	d.summary.Dropped += d.losses.lost
	d.summary.Stopped = d.delivery.stopped
	d.summary.LeftAlone = d.segment.LeftAlone()
	d.summary.PID, d.summary.JVM, d.summary.JavaVersion = d.segment.PID(), d.segment.JVM(), d.segment.JavaVersion()
	return &d.summary
}
