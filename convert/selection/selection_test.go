package selection_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert/enrich/sinktest"
	"github.com/trcx/trcx/convert/selection"
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

func moment(t *testing.T, text string) selection.Moment {
	t.Helper()
	m, err := selection.ParseMoment(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
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
		{"a window", selection.Selection{From: moment(t, "1.2s"), To: moment(t, "103.5")},
			"Running of 1 1200-1500, event 4, Sleeping of 1 1500-1600, event 5, " +
				"WaitingForLock of 2 1200-3000, event 6, event 7, Running of 2 3000-3500, Running of 1 1600-3500"},
		{"a least length", selection.Selection{Min: 150e6, Threads: names("1")},
			"event 1, aside worker-2, Running of 1 0-1500, event 4, event 5, event 7, Running of 1 1600-4000 open"},
		{"nothing", selection.Selection{Threads: names("nobody")}, "aside main, aside worker-2"},
	} {
		if got := selected(t, c.selection); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestMoments(t *testing.T) {
	const start = trace.Time(100e9)
	for text, want := range map[string]trace.Time{"1.5s": 101_500_000_000, "300ms": 100_300_000_000, "-1s": 99e9,
		"101.25": 101_250_000_000, "0": 0, "0s": start, "1m": 160e9, "2562047h47m16s": math.MaxInt64} {
		if got := moment(t, text).Or(start, 7); got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
		if !selection.LooksLikeMoment(text) {
			t.Errorf("%s does not look like a time", text)
		}
	}
	for _, text := range []string{"", "x", "1.5x", "1:30", "99999999999999999999"} {
		if _, err := selection.ParseMoment(text); err == nil {
			t.Errorf("%q is a time", text)
		}
	}
	if (selection.Moment{}).Or(start, 7) != 7 || selection.LooksLikeMoment("trcxml") {
		t.Error("no time is a time")
	}
}
