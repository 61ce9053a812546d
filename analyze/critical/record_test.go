package critical

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

func TestTooManySegments(t *testing.T) {
	r := NewRecorder()
	r.Put(&trace.ModelThread{Key: 1})
	err := r.Put(&trace.ModelEvent{ID: 1, Segment: maxSegments + 1, Thread: trace.ThreadRef{Key: 1}})
	if want := "the trace has more than 4294967295 state changes, the limit of a path; cut the trace " +
		"into parts"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
