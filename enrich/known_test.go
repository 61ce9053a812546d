package enrich_test

import (
	"bytes"
	"testing"

	"github.com/trcx/trcx/emit/model"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/trace"
)

// feeder puts elements into an Enricher, as a reader of a log that names causes would.
type feeder struct {
	t        *testing.T
	enricher *enrich.Enricher
	event    trace.EventBuilder
	now      trace.Time
}

func (s *feeder) feed(kind trace.Kind, by string, values map[trace.Attr]string) {
	s.t.Helper()
	s.now += 1000
	s.event.Reset(kind)
	for attribute, value := range values {
		s.event.SetText(attribute, value)
	}
	s.event.Time, s.event.Reading = s.now, trace.Exact
	s.event.Extra = &trace.Extra{Known: trace.Known{By: trace.ThreadFrom([]byte(by))}}
	if err := s.enricher.Put(&s.event.Event); err != nil {
		s.t.Fatal(err)
	}
}

// TestKnownCauses: what an input knows wins over every rule, and is not marked inferred.
func TestKnownCauses(t *testing.T) {
	var out bytes.Buffer
	s := &feeder{t: t, enricher: enrich.New(model.NewWriter(&out, model.Options{Format: model.JSONLines}), enrich.Options{})}
	if err := s.enricher.Begin(0); err != nil {
		t.Fatal(err)
	}
	wait := func(thread string) {
		s.feed(trace.MonWait, "", map[trace.Attr]string{trace.AttrThreadIDRef: thread, trace.AttrObjIDRef: "9"})
	}
	waited := func(thread, by string) {
		s.feed(trace.MonWaited, by, map[trace.Attr]string{trace.AttrThreadIDRef: thread, trace.AttrObjIDRef: "9",
			trace.AttrIsTimedOut: "0"})
	}
	notify := func(thread string) {
		s.feed(trace.CallNotify, "", map[trace.Attr]string{trace.AttrThreadID: thread, trace.AttrObjIDRef: "9"})
	}
	wait("1")        // event 1
	wait("2")        // event 2
	notify("3")      // event 3, which marks thread 1
	notify("4")      // event 4, which marks thread 2
	waited("1", "4") // event 5: the log knows better
	waited("2", "3") // event 6
	s.feed(trace.MonContendedEnter, "", map[trace.Attr]string{trace.AttrThreadIDRef: "5", trace.AttrObjIDRef: "9"})
	s.feed(trace.MonContendedEntered, "4", map[trace.Attr]string{trace.AttrThreadIDRef: "5", trace.AttrObjIDRef: "9"})
	if err := s.enricher.Finish(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"id":5,"type":"TRCThreadRunningEvent","time":4000,"cause":4}`,
		`"id":6,"type":"TRCThreadRunningEvent","time":5000,"cause":3}`,
		`{"kind":"event","thread":4,"threadId":"4","id":9,"type":"TRCThreadHandoffLockEvent","time":7000,"lockedObject":"9","receiverThread":"5","receiverThreadKey":5,"runningEvent":8}`,
	} {
		if !bytes.Contains(out.Bytes(), []byte(want)) {
			t.Errorf("%s is missing in\n%s", want, out.Bytes())
		}
	}
}
