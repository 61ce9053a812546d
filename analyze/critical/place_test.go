package critical

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestPlacesOfMethodsDescribedAnew: a class that is unloaded and defined again and again leaves nothing in memory.
func TestPlacesOfMethodsDescribedAnew(t *testing.T) {
	p := newPlaces()
	for i := range uint32(3 * maxRecent) {
		for line := range int32(2) {
			f := trace.Frame{Method: &trace.ModelMethod{Class: "app/Main", Name: "run", File: "Main.java",
				Number: i + 1}, Line: line}
			if got := p.number(f); got != uint32(line)+1 {
				t.Fatalf("line %d, the %d. time, has the number %d", line, i+1, got)
			}
		}
	}
	if p.frames.Len() != 3 || len(p.numbers) != 2 {
		t.Errorf("%d frames and %d places are kept of two places", p.frames.Len(), len(p.numbers))
	}
}

func TestPlaces(t *testing.T) {
	p := newPlaces()
	if p.number(trace.Frame{}) != 0 || p.at(0) != (trace.Frame{}) {
		t.Error("the unknown place has another number than 0, or is known")
	}
	numbers := map[uint32]trace.Frame{}
	for _, m := range []trace.ModelMethod{{}, {Name: "run"}, {Class: "run"}, {File: "run"}, {Class: "a", Name: "b"},
		{Class: "ab"}} {
		for _, line := range []int32{trace.NoLine, 0, 7} {
			f := trace.Frame{Method: &m, Line: line}
			number := p.number(f)
			if other, taken := numbers[number]; taken || p.at(number) != f || p.number(f) != number {
				t.Errorf("%+v:%d has the number %d, which is %+v", m, line, number, other)
			}
			numbers[number] = f
		}
	}
}
