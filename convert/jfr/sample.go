package jfr

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace"
)

// executionSample is the event of the JDK's own sampler, and of async-profiler.
const executionSample = "jdk.ExecutionSample"

// sampleFields are the fields of samples. async-profiler sums up the samples of a thread that waits at one place.
var sampleFields = fieldSlots{"startTime": slotStart, "endTime": slotEnd, "sampledThread": slotThread, "stackTrace": slotStack,
	"state": slotText, "samples": slotCount}

// sampleStates are the states of samples by the names that JVMs and profilers use. A profiler calls each thread
// SLEEPING that is not on a processor.
var sampleStates = map[string]trace.State{
	"STATE_RUNNABLE": trace.StateRunnable, "RUNNABLE": trace.StateRunnable,
	"STATE_SLEEPING": trace.StateSleeping, "SLEEPING": trace.StateSleeping,
	"STATE_IN_OBJECT_WAIT": trace.StateWaiting, "STATE_IN_OBJECT_WAIT_TIMED": trace.StateTimedWaiting,
	"STATE_PARKED": trace.StateParked, "STATE_PARKED_TIMED": trace.StateParked, "PARKED": trace.StateParked,
	"STATE_BLOCKED_ON_MONITOR_ENTER": trace.StateBlocked, "CONTENDED": trace.StateBlocked,
	"WAITING": trace.StateWaiting,
}

// periodicSample decodes a sample of the JDK's own sampler or of async-profiler, whose period is a setting.
func (r *reader) periodicSample(d *decoder, e *event) bool {
	e.flags |= flagPeriodic
	return r.sample(d, e)
}

// sample decodes a sample of a Java thread.
func (r *reader) sample(d *decoder, e *event) bool {
	e.kind, e.duration, e.size = kindSample, 0, 1
	if d.has[slotCount] {
		e.size = r.values.numbers[slotCount]
	}
	if period, ok := r.timespan(d, slotTimeout); ok {
		e.total = uint64(period)
	}
	known := true
	if d.has[slotText] {
		e.state, known = sampleStates[r.constants.string(d.typeDecoder, &r.values, slotText)]
	}
	if only := r.options.Samples; only != "" && only != d.name {
		return false
	}
	if !known || e.size == 0 || e.thread == 0 || e.thread&(nativeThread|unknownThread) != 0 {
		return false
	}
	return r.samples.first(e)
}

// samples sums up the samples of a chunk: a thread's samples at one place within a second become one. This keeps a
// profile of many waiting threads small.
type samples struct {
	at   map[sampleKey]int // in kept
	kept []event
}

type sampleKey struct {
	jvm, stack uint32
	thread     uint64
	state      trace.State
	flags      flags
	period     uint64
}

// Limits for samples that are summed up as one: the time in nanoseconds, and the number.
const (
	maxTogether = nanosPerSecond
	maxCount    = 1 << 20
)

// first adds a sample to a kept one if they belong together. Else it keeps the sample and reports whether to use the
// event now: it becomes the sample kept before for this key, or stays the sample itself if too many are kept.
func (s *samples) first(e *event) bool {
	e.size = min(e.size, maxCount)
	key := sampleKey{e.jvm, e.stack, e.thread, e.state, e.flags, e.total}
	i, known := s.at[key]
	if !known {
		if len(s.kept) == maxKept {
			return true
		}
		if s.at == nil {
			s.at = map[sampleKey]int{}
		}
		s.at[key] = len(s.kept)
		s.kept = append(s.kept, *e)
		return false
	}
	kept := &s.kept[i]
	if since := e.begin - kept.begin; since >= 0 && since < maxTogether && kept.size+e.size <= maxCount {
		kept.size += e.size
		return false
	}
	*kept, *e = *e, *kept
	return true
}

// maxKept limits the samples that are kept.
const maxKept = 1 << 16

// addSamples adds the samples of the chunk that are kept.
func (r *reader) addSamples() error {
	for i := range r.samples.kept {
		if err := r.events.add(&r.samples.kept[i]); err != nil {
			return err
		}
	}
	clear(r.samples.at)
	r.samples.kept = r.samples.kept[:0]
	return nil
}

// sample emits a sample of a thread, unless it has ended.
func (m *emitter) sample(t *thread, e *event) {
	if t.dead {
		return
	}
	m.ensureStarted(t, e)
	stack := innermost(m.stack(e))
	m.id = threadID{e.jvm, e.thread}.append(m.id[:0])
	s := trace.Sample{Time: e.begin, State: e.state, Count: e.size, Period: int64(e.total)}
	if e.flags&flagPeriodic != 0 {
		s.Period = m.period
	}
	m.Sample(e.offset, m.id, &s, stack)
	m.err = m.Err()
}

// maxSampled limits the frames of samples: a profiler's stacks have thousands, and differ in the outer ones.
const maxSampled = 64

// innermost returns the innermost frames of a stack.
func innermost(stack []byte) []byte {
	end := 0
	for range maxSampled {
		next := bytes.IndexByte(stack[end:], ' ')
		if next < 0 {
			return stack
		}
		end += next + 1
	}
	return stack[:end-1]
}

// sampler has the settings of the sampler, as the recording has them.
type sampler struct{ period, interval, event string }

// set keeps a setting. Settings of async-profiler have an interval in nanoseconds, and the event that it counts.
func (s *sampler) set(event, name, value string) {
	switch {
	case event == executionSample && name == "period":
		s.period = value
	case event == executionSample && name == "interval":
		s.interval = value
	case name == "event":
		s.event = value
	}
}

// defaultInterval is the interval of async-profiler without an option, in nanoseconds.
const defaultInterval = 10_000_000

// nanos returns the processor time in nanoseconds that a sample represents; 0 if it is unknown.
func (s *sampler) nanos() int64 {
	if number, ok := strings.CutSuffix(s.period, " ms"); ok {
		ms, _ := strconv.ParseUint(number, 10, 20)
		return int64(ms) * nanosPerMilli
	}
	if s.event != "cpu" && s.event != "itimer" && s.event != "ctimer" {
		return 0
	}
	if interval, err := strconv.ParseUint(s.interval, 10, 40); err == nil && interval > 0 {
		return int64(interval)
	}
	return defaultInterval
}
