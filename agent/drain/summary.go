package drain

import (
	"strconv"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
)

// Summary is what came of a recording.
type Summary struct {
	// Events counts the elements that the outlet has taken, by their kind. Of the preamble and the ending nothing is
	// counted.
	Events [trace.KindCount]uint64
	// Dropped counts the records that were lost because there was no room; the trace tells of them.
	Dropped uint64
	// Strays counts the records that were left out because they cannot be: of a thread that has not started or has
	// ended, the end of a wait that has not begun. Mended counts the ends of waits that were written without a record
	// of them. Where nothing was dropped there are few.
	Strays, Mended uint64
	// Unknown counts the records that make no sense at all: a JVM that crashed has written them.
	Unknown uint64
	// LeftAlone counts the classes that should have been rewritten and could not be, safely.
	LeftAlone uint64
	// Stopped is why the trace ends before the recording does; nil if it does not.
	Stopped error
	// First is when the recording began, Last when it ended.
	First, Last trace.Time
	// PID is the JVM's process, 0 if there never was one; JVM its name and version, JavaVersion the feature number,
	// such as 17.
	PID         int
	JVM         string
	JavaVersion int
}

// Total is how many elements were written.
func (s *Summary) Total() (total uint64) {
	for _, count := range s.Events {
		total += count
	}
	return total
}

// countLost writes how many records were lost, where that is.
func (d *Drainer) countLost(rings []*ring.Ring) {
	for _, ring := range rings {
		d.lost += ring.Dropped()
	}
	d.lost += d.segment.Definitions().Dropped()
	if ringless := d.segment.Ringless(); ringless > d.ringless {
		d.lost += ringless - d.ringless
		d.ringless = ringless
	}
	if d.lost == 0 || !d.delivery.open() {
		return
	}
	d.delivery.text = appendOption(d.delivery.text, Option{DroppedOption, strconv.FormatUint(d.lost, 10)})
	d.delivery.counts.events[trace.Option]++
	d.summary.Dropped += d.lost
	d.lost = 0
}

// summarise completes the Summary.
func (d *Drainer) summarise() *Summary {
	d.summary.Events = d.delivery.written.events
	d.summary.First = trace.Time(d.moment(d.segment.Started())) // which may be later than the agent was loaded
	d.summary.Dropped += d.lost
	d.summary.Stopped = d.delivery.stopped
	d.summary.LeftAlone = d.segment.LeftAlone()
	d.summary.PID, d.summary.JVM, d.summary.JavaVersion = d.segment.PID(), d.segment.JVM(), d.segment.JavaVersion()
	return &d.summary
}
