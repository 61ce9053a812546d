package selection_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/enrich/sinktest"
	"github.com/trcx/trcx/trace"
)

const document = `<TRACE><classDef name="app/Cache" classId="7"/><objAlloc objId="9" classIdRef="7" time="100.0"/>
<threadStart threadId="1" time="100.0" threadName="main" groupName="main"/>
<threadStart threadId="2" time="100.1" threadName="worker-2" groupName="pool"/>
<monContendedEnter threadIdRef="2" time="101.0" objIdRef="9" threadOwner="1"/>
<monWait threadIdRef="1" time="101.5" objIdRef="-1" timeout="5"/>
<monWaited threadIdRef="1" time="101.6" objIdRef="-1" isTimedOut="1"/>
<monContendedEntered threadIdRef="2" time="103.0" objIdRef="9"/>
<monWait threadIdRef="2" time="104.0" objIdRef="8" timeout="0"/></TRACE>`

// keeper keeps a line for each interval and event.
type keeper struct {
	start trace.Time
	lines []string
}

func (k *keeper) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Origin:
		k.start = r.Time
	case *trace.ModelThread:
		if r.Aside {
			k.lines = append(k.lines, "aside "+r.Name)
		}
	case *trace.ModelEvent:
		k.lines = append(k.lines, fmt.Sprint("event ", r.ID))
	case *trace.Interval:
		k.lines = append(k.lines, fmt.Sprintf("%s of %s %d-%d",
			strings.TrimPrefix(strings.TrimSuffix(r.Type.String(), "Event"), "TRCThread"), r.Thread.ID.String(),
			(r.Time-k.start)/1e6, (r.End-k.start)/1e6))
		if r.Whole > 0 {
			k.lines[len(k.lines)-1] += fmt.Sprint(" of ", r.Whole/1e6)
		}
		if r.Open {
			k.lines[len(k.lines)-1] += " open"
		}
	}
	return nil
}

func selected(t *testing.T, s selection.Selection) string {
	t.Helper()
	k := &keeper{}
	sinktest.Read(t, selection.NewFilter(s, k), []byte(document))
	return strings.Join(k.lines, ", ")
}

func TestSelection(t *testing.T) {
	names := func(text string) []string { return []string{text} }
	for _, c := range []struct {
		name      string
		selection selection.Selection
		want      string
	}{
		{"everything", selection.Selection{},
			"event 1, event 2, Running of 2 100-1000, event 3, Running of 1 0-1500, event 4, Sleeping of 1 " +
				"1500-1600, event 5, " +
				"WaitingForLock of 2 1000-3000, event 6, event 7, Running of 2 3000-4000, event 8, Running of 1 " +
				"1600-4000 open, WaitingForObject of 2 4000-4000 open"},
		{"a thread by its name", selection.Selection{Threads: names("worker-*")},
			"aside main, event 2, Running of 2 100-1000, event 3, " +
				"WaitingForLock of 2 1000-3000, event 6, Running of 2 3000-4000, event 8, WaitingForObject of 2 " +
				"4000-4000 open"},
		{"a thread by its id", selection.Selection{Threads: names("1")},
			"event 1, aside worker-2, Running of 1 0-1500, event 4, Sleeping of 1 1500-1600, event 5, event 7, " +
				"Running of 1 1600-4000 open"},
		{"a group", selection.Selection{Groups: names("poo?")},
			"aside main, event 2, Running of 2 100-1000, event 3, WaitingForLock of 2 1000-3000, event 6, " +
				"Running of 2 3000-4000, event 8, WaitingForObject of 2 4000-4000 open"},
		{"a class", selection.Selection{Threads: names("2"), Classes: []string{"app.*"}},
			"aside main, event 2, Running of 2 100-1000, event 3, " +
				"WaitingForLock of 2 1000-3000, event 6, Running of 2 3000-4000, event 8"},
		{"a wait is cut at the window's bounds", selection.Selection{Window: selection.Window{Since: 1200e6, Until: 3500e6}},
			"Running of 1 1200-1500 of 1500, event 4, Sleeping of 1 1500-1600, event 5, WaitingForLock of 2 1200-3000 " +
				"of 2000, event 6, event 7, Running of 2 3000-3500 of 1000, Running of 1 1600-3500 of 2400 open"},
		{"a wait that ends where the window does", selection.Selection{Window: selection.Window{Since: 1800e6,
			Until: 3000e6}}, "WaitingForLock of 2 1800-3000 of 2000, Running of 1 1800-3000 of 2400 open"},
		{"a wait that ends where the window begins", selection.Selection{Window: selection.Window{Since: 3000e6,
			Until: 3001e6}}, "event 6, event 7, Running of 2 3000-3001 of 1000, Running of 1 3000-3001 of 2400 open"},
		{"a wait without a length is where it begins", selection.Selection{Threads: names("2"),
			Window: selection.Window{Since: 4000e6}}, "aside main, event 8, WaitingForObject of 2 4000-4000 open"},
		{"a least length", selection.Selection{Min: 150e6, Threads: names("1")},
			"event 1, aside worker-2, Running of 1 0-1500, event 4, event 5, event 7, Running of 1 1600-4000 open"},
		{"nothing", selection.Selection{Threads: names("nobody")}, "aside main, aside worker-2"},
	} {
		if got := selected(t, c.selection); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestWindow: a window counts from the trace's start, and each bound is optional.
func TestWindow(t *testing.T) {
	const start = trace.Time(100e9)
	for window, want := range map[selection.Window][2]trace.Time{
		{}:                               {math.MinInt64, math.MaxInt64},
		{Since: 1500e6}:                  {101_500_000_000, math.MaxInt64},
		{Until: 1}:                       {math.MinInt64, 100_000_000_001},
		{Since: 1, Until: math.MaxInt64}: {100_000_000_001, math.MaxInt64},
	} {
		since, until := window.Bounds(start)
		if got := [2]trace.Time{since, until}; got != want {
			t.Errorf("%v: got %v, want %v", window, got, want)
		}
	}
}

// TestParseTime: a time has a unit; the error for a missing unit suggests what was probably meant.
func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Duration{"1.5s": 1500e6, "300ms": 300e6, "0s": 0, "1m": 60e9, "2h": 7200e9,
		"1m30s": 90e9} {
		if got, err := selection.ParseTime(text); got != want || err != nil {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"4.1": "did you mean 4.1s?", "0": "did you mean 0s?",
		"1795289848.75": "since the trace's start, such as 1.5s", "-1s": "want a time with its unit", "": "its unit",
		"x": "its unit", "1.5x": "its unit", "-4": "its unit", "1:30": "its unit", "NaN": "its unit"} {
		if _, err := selection.ParseTime(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
