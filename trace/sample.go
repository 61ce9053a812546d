package trace

import (
	"bytes"

	"github.com/trcx/trcx/internal/digits"
)

// Sample is what a sampler or a thread dump found a thread doing. Nothing is known of the time between two samples.
type Sample struct {
	Thread ThreadRef
	Time   Time
	// State is the state as sampled, but StateInIO instead of RUNNABLE for a thread that waits in native code.
	State  State
	Count  uint64 // the number of samples with the same call stack, at least 1
	Period int64  // how many nanoseconds each of them represents; 0 if unknown
	Stack  *Stack // nil if it is unknown
}

// sampleStates are the states of samples, as State.String names them.
var sampleStates = [...]string{StateRunnable.String(), StateBlocked.String(), StateWaiting.String(),
	StateTimedWaiting.String(), StateParked.String(), StateSleeping.String()}

// AppendTo appends the sample as the value of the annotation NoteSample, with the id of the thread and the frames.
func (s *Sample) AppendTo(dst, thread, frames []byte) []byte {
	dst = s.Time.AppendTo(append(append(dst, thread...), ' '))
	dst = append(append(dst, ' '), s.State.String()...)
	dst = digits.Append(append(dst, ' '), s.Count)
	dst = digits.Append(append(dst, ' '), uint64(s.Period))
	if len(frames) == 0 {
		return dst
	}
	return append(append(dst, ' '), frames...)
}

// Parse sets the sample to the value of an annotation NoteSample, without thread and stack, and returns the id of the
// thread and the frames. ok is false if the value has another form.
func (s *Sample) Parse(value []byte) (thread, frames []byte, ok bool) {
	var fields [5][]byte
	rest := value
	for i := range fields {
		fields[i], rest, _ = bytes.Cut(rest, []byte{' '})
	}
	at, reading := ParseTime(fields[1])
	state, known := sampleState(fields[2])
	count, counted := digits.Number(fields[3])
	period, timed := digits.Number(fields[4])
	*s = Sample{Time: at, State: state, Count: uint64(count), Period: period}
	return fields[0], rest, len(fields[0]) > 0 && reading == Exact && known && counted && timed &&
		count > 0 && count <= maxSamples && period <= maxPeriod && (len(rest) == 0 || IsStack(rest))
}

// The limits of one annotation. Their product still fits a time.
const (
	maxSamples = 1 << 20
	maxPeriod  = 1 << 40 // 18 minutes
)

func sampleState(name []byte) (State, bool) {
	for state := range StateInIO {
		if string(name) == stateNames[state] {
			return state, state != StateJoining
		}
	}
	return 0, false
}
