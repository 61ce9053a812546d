package trace_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestObjectState: Parse reads what AppendTo writes, and rejects everything else.
func TestObjectState(t *testing.T) {
	const value = "1063 1.500000000 permits=-2 queued=10 reader=3 reader=4"
	var s trace.ObjectState
	if !s.Parse([]byte(value)) || string(s.AppendTo(nil)) != value {
		t.Fatalf("%+v", s)
	}
	permits, known := s.Number("permits")
	_, more := s.Number("count")
	if permits != -2 || !known || more || !slices.Equal(s.Numbers("reader"), []int64{3, 4}) {
		t.Errorf("%d %v %v %d", permits, known, more, s.Numbers("reader"))
	}
	const socket = "1064 1.500000000 peer=[::1]:5432"
	if !s.Parse([]byte(socket)) || string(s.AppendTo(nil)) != socket || s.Peer() != "[::1]:5432" {
		t.Errorf("%+v has the peer %s", s, s.Peer())
	}
	for _, wrong := range []string{"", "7", "7 1", "7 1 ", "7 x permits=1", " 1 permits=1", "7 1 permits", "7 1 permits=",
		"7 1 secret=1", "7 1 peer=", "7 1 permits=a", "7 1 permits=+1", "7 1 permits=1  count=1", "7 1 permits=99999999999999999999",
		"7 1 reader=1" + strings.Repeat(" reader=1", 64)} {
		if s.Parse([]byte(wrong)) {
			t.Errorf("%q is a state", wrong)
		}
	}
}
