package pprof_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/emit/collapsed"
	"github.com/trcx/trcx/emit/pprof"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/trace"
)

// allocated returns a Collector of the allocations.
func allocated(t *testing.T, allocations ...*trace.Allocation) *allocation.Collector {
	t.Helper()
	c := allocation.NewCollector(allocation.Options{})
	for _, a := range allocations {
		sinktest.Check(t, c.Put(a))
	}
	sinktest.Check(t, c.Put(&trace.Summary{}))
	return c
}

func profileOf(t *testing.T, c *allocation.Collector) *profile.Profile {
	t.Helper()
	var out bytes.Buffer
	sinktest.Check(t, pprof.WriteAllocations(&out, c))
	return parsed(t, out.Bytes())
}

// frame is a call stack of one frame.
func frame(class, method string) *trace.Stack {
	return &trace.Stack{Frames: []trace.Frame{{Method: &trace.ModelMethod{Class: class, Name: method, File: "F.java"}, Line: 7}}}
}

// TestAllocations: a heap profile has all allocations and the live ones, by call stack and class; samples are scaled.
func TestAllocations(t *testing.T) {
	id := trace.ObjectFrom([]byte("5"))
	run := frame("app/Main", "run")
	exact := profileOf(t, allocated(t, &trace.Allocation{Class: "[B", Size: 24, Stack: run, Object: id},
		&trace.Allocation{Class: "[B", Size: 40, Stack: run}, &trace.Allocation{Class: "app/X", Size: 16}))
	var got []string
	for _, s := range exact.Sample {
		line := s.Location[0].Line[0]
		got = append(got, fmt.Sprintf("%s %v %s:%d", s.Label["class"][0], s.Value, line.Function.Name, line.Line))
	}
	if want := []string{"[B [2 64 1 24] app.Main.run:7", "app.X [1 16 0 0] [no call stack]:0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p := 1 - math.Exp(-64.0/1024)
	sampled := profileOf(t, allocated(t, &trace.Allocation{Class: "app/X", Size: 64, Interval: 1024}))
	if got, want := sampled.Sample[0].Value, []int64{int64(math.Round(1 / p)), int64(math.Round(64 / p))}; !slices.Equal(got, want) ||
		sampled.Period != 1024 {
		t.Errorf("a sample has the values %v and the period %d, want %v and 1024", got, sampled.Period, want)
	}
	weighted := profileOf(t, allocated(t, &trace.Allocation{Class: "app/X", Weight: 4096}))
	if got := weighted.Sample[0].Value; !slices.Equal(got, []int64{4096}) {
		t.Errorf("a weighted sample has the values %v, want 4096 bytes alone", got)
	}
}

// TestHostileAllocations: names stay plain text, in profiles and in lines.
func TestHostileAllocations(t *testing.T) {
	for _, name := range sinktest.Hostile {
		c := allocated(t, &trace.Allocation{Class: name, Size: 8, Stack: frame(name, name)})
		profileOf(t, c)
		var lines bytes.Buffer
		sinktest.Check(t, collapsed.WriteAllocations(&lines, c.Samples()))
		if text := lines.String(); bytes.Count(lines.Bytes(), []byte("\n")) != 1 || text[len(text)-3:] != " 8\n" {
			t.Errorf("%q makes the lines %q", name, text)
		}
	}
}
