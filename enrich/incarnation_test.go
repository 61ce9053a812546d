package enrich_test

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// TestDeadThreads: threads that are dead, and their objects, are used again in every way.
func TestDeadThreads(t *testing.T) {
	start := func(id int, at string) string {
		return fmt.Sprintf(`<threadStart threadId="%d" time="%s" threadName="t%d" groupName="g" parentName="p" objIdRef="%d"/>`,
			id, at, id, 100+id)
	}
	threads := start(1, "1.0") + start(2, "1.0") + start(3, "1.0")
	ended := `<threadEnd threadIdRef="2" time="5.0"/>`
	for name, events := range map[string]string{
		"an interrupt replaces a notification on its object": `<monWait threadIdRef="1" time="2.0" objIdRef="102" timeout="0"/>
			<callNotify threadId="3" time="3.1" objIdRef="102"/>
			<monWaited threadIdRef="1" time="4.0" objIdRef="102" isTimedOut="0"/>` + ended + `
			<callInterrupt threadId="3" time="3.5" objIdRef="101"/>
			<threadInterrupted threadId="1" time="6.0"/>`,
		"it is joined": ended + `<monWait threadIdRef="1" time="6.0" objIdRef="102" timeout="0"/>
			<monWaited threadIdRef="1" time="7.0" objIdRef="102" isTimedOut="0"/>
			<monWait threadIdRef="3" time="8.0" objIdRef="102" timeout="0"/>
			<monWaited threadIdRef="3" time="9.0" objIdRef="102" isTimedOut="0"/>`,
		"joiners contend for its object": ended + `<monWait threadIdRef="1" time="6.0" objIdRef="102" timeout="0"/>
			<monContendedEnter threadIdRef="3" time="6.5" objIdRef="102"/>
			<monWaited threadIdRef="1" time="7.0" objIdRef="102" isTimedOut="0"/>
			<monContendedEntered threadIdRef="3" time="7.5" objIdRef="102"/>
			<monContendedEnter threadIdRef="1" time="8" objIdRef="102"/>
			<monContendedEntered threadIdRef="1" time="9" objIdRef="102"/>`,
		"it owns a monitor": `<monContendedEnter threadIdRef="2" time="2.0" objIdRef="9"/>
			<monContendedEntered threadIdRef="2" time="3.0" objIdRef="9"/>` + ended + `
			<monContendedEntered threadIdRef="1" time="6.0" objIdRef="9"/>
			<monContendedEnter threadIdRef="3" time="7.0" objIdRef="9" threadOwner="2"/>
			<monContendedEntered threadIdRef="3" time="8.0" objIdRef="9"/>`,
		"it acts": ended + `<monContendedEnter threadIdRef="2" time="6.0" objIdRef="9"/>
			<monContendedEntered threadIdRef="2" time="7.0" objIdRef="9"/>
			<monContendedEnter threadIdRef="1" time="8.0" objIdRef="9" threadOwner="2"/>`,
		"its id is used again": ended + start(2, "6.0") + `<monWait threadIdRef="1" time="6.5" objIdRef="102" timeout="0"/>
			<threadEnd threadIdRef="2" time="7.0"/><monWaited threadIdRef="1" time="7.1" objIdRef="102" isTimedOut="0"/>` +
			strings.Replace(start(2, "8.0"), "102", "112", 1) +
			`<monWait threadIdRef="1" time="8.5" objIdRef="102" timeout="0"/>
			<monWaited threadIdRef="1" time="8.6" objIdRef="102" isTimedOut="0"/>`,
		"its object is freed": ended + `<objFree objIdRef="102" time="6.0"/>
			<monWait threadIdRef="1" time="6.5" objIdRef="102" timeout="0"/>`,
		"its object moves": ended + `<objMove objIdRef="102" newObjId="202" time="6.0"/>
			<monWait threadIdRef="1" time="6.5" objIdRef="202" timeout="0"/>
			<monWaited threadIdRef="1" time="7.1" objIdRef="202" isTimedOut="0"/>`,
		"an object moves to its own": ended + `<monWait threadIdRef="1" time="5.5" objIdRef="77" timeout="0"/>
			<objMove objIdRef="77" newObjId="102" time="6.0"/>
			<monWaited threadIdRef="1" time="7.1" objIdRef="102" isTimedOut="0"/>`,
	} {
		document := "<TRACE>" + threads + events + "</TRACE>"
		agree(t, name, []byte(document))
		agree(t, name+", with long ids", []byte(threadIDs.ReplaceAllString(document, "${1}12345678901$2")))
	}
}

// threadIDs matches the ids of threads.
var threadIDs = regexp.MustCompile(`(threadId="|threadIdRef="|threadOwner=")(\d)`)

// lives puts threads that live one after the other into an Enricher.
func lives(t *testing.T, threads int, live func(s *feeder, thread, object string)) *enrich.Enricher {
	s := &feeder{t: t, enricher: enrich.New(model.NewWriter(io.Discard, model.Options{Format: model.JSONLines}),
		enrich.Options{})}
	if err := s.enricher.Begin(0); err != nil {
		t.Fatal(err)
	}
	for i := range threads {
		live(s, fmt.Sprint(i+10), fmt.Sprint(i+1_000_000))
	}
	return s.enricher
}

// TestDeadThreadMemory measures the heap that a dead thread takes. An object that was waited on is kept like any other.
func TestDeadThreadMemory(t *testing.T) {
	start := func(s *feeder, thread, object string) {
		s.feed(trace.ThreadStart, "", map[trace.Attr]string{trace.AttrThreadID: thread, trace.AttrObjIDRef: object})
	}
	end := func(s *feeder, thread string) {
		s.feed(trace.ThreadEnd, "", map[trace.Attr]string{trace.AttrThreadIDRef: thread})
	}
	join := func(s *feeder, kind trace.Kind, object string) {
		s.feed(kind, "", map[trace.Attr]string{trace.AttrThreadIDRef: "1", trace.AttrObjIDRef: object})
	}
	for _, test := range []struct {
		name string
		most float64 // bytes
		live func(s *feeder, thread, object string)
	}{
		{"alone", 64, func(s *feeder, thread, object string) {
			start(s, thread, object)
			end(s, thread)
		}},
		{"joined", 200, func(s *feeder, thread, object string) {
			start(s, thread, object)
			join(s, trace.MonWait, object)
			end(s, thread)
			join(s, trace.MonWaited, object)
		}},
		{"joined afterwards", 200, func(s *feeder, thread, object string) {
			start(s, thread, object)
			end(s, thread)
			join(s, trace.MonWait, object)
			join(s, trace.MonWaited, object)
		}},
		{"last owner of a monitor", 64, func(s *feeder, thread, object string) {
			start(s, thread, object)
			for _, kind := range []trace.Kind{trace.MonContendedEnter, trace.MonContendedEntered} {
				s.feed(kind, "", map[trace.Attr]string{trace.AttrThreadIDRef: thread, trace.AttrObjIDRef: "5"})
			}
			end(s, thread)
		}},
	} {
		t.Run(test.name, func(t *testing.T) { checkMemory(t, test.live, test.most) })
	}
}

// TestLiveThreadMemory measures the heap that a live thread takes.
func TestLiveThreadMemory(t *testing.T) {
	start := func(s *feeder, thread, object string) {
		s.feed(trace.ThreadStart, "", map[trace.Attr]string{trace.AttrThreadID: thread, trace.AttrObjIDRef: object})
	}
	wait := func(s *feeder, thread, monitor string) {
		s.feed(trace.MonWait, "", map[trace.Attr]string{trace.AttrThreadIDRef: thread, trace.AttrObjIDRef: monitor})
	}
	for _, test := range []struct {
		name string
		most float64 // bytes
		live func(s *feeder, thread, object string)
	}{
		{"runs", 1000, start},
		{"waits", 1130, func(s *feeder, thread, object string) {
			start(s, thread, object)
			wait(s, thread, "5"+object)
		}},
		{"runs after a wait", 1000, func(s *feeder, thread, object string) {
			start(s, thread, object)
			wait(s, thread, "5")
			s.feed(trace.CallNotify, "", map[trace.Attr]string{trace.AttrThreadID: "1", trace.AttrObjIDRef: "5"})
			s.feed(trace.MonWaited, "", map[trace.Attr]string{trace.AttrThreadIDRef: thread, trace.AttrObjIDRef: "5",
				trace.AttrIsTimedOut: "0"})
		}},
	} {
		t.Run(test.name, func(t *testing.T) { checkMemory(t, test.live, test.most) })
	}
}

// checkMemory checks that a thread takes at most the given number of bytes.
func checkMemory(t *testing.T, live func(s *feeder, thread, object string), most float64) {
	const threads = 1 << 14
	if kept := testtool.Retained(t, func(n int) any { return lives(t, n, live) }, threads); kept > most {
		t.Errorf("a thread takes %.0f bytes, more than %.0f", kept, most)
	}
}
