package critical_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/internal/testtool"
	"github.com/trcx/trcx/trace"
)

// rerun computes when the segments of a model would have begun had no thread waited to enter the monitor. It answers
// each question recursively.
type rerun struct {
	*oracle
	spared string
	begins map[*oracleSegment]int64
}

func (r *rerun) spares(s *oracleSegment) bool {
	return s.event.Type == enrichtest.WaitingForLock && s.event.LockedObject != "" && (r.spared == everyMonitor ||
		s.event.LockedObject == r.spared)
}

func (r *rerun) begin(s *oracleSegment) int64 {
	begin, known := r.begins[s]
	if !known {
		begin = r.compute(s)
		r.begins[s] = begin
	}
	return begin
}

func (r *rerun) compute(s *oracleSegment) int64 {
	before := r.before(s)
	cause := r.causeOf(s)
	switch {
	case before == nil && cause == nil:
		return s.event.Time
	case before == nil:
		return r.begin(cause) + s.event.Time - cause.event.Time
	case r.spares(before): // it takes no time
		return r.begin(before)
	case cause == nil: // it takes as long as it did
		return r.begin(before) + max(s.event.Time-before.event.Time, 0)
	}
	return max(r.begin(before), r.begin(cause)+s.event.Time-cause.event.Time)
}

// causeOf returns the segment whose shift applies to the cause of a Running segment, or nil.
func (r *rerun) causeOf(s *oracleSegment) *oracleSegment {
	if jump := r.jump(s, s.event.Time); jump != nil {
		return jump.within
	}
	return nil
}

// saved is how much earlier the last thread would have acted last.
func (r *rerun) saved(t *testing.T, document []byte, start trace.Time) int64 {
	t.Helper()
	own := oracleRecords(t, document)
	_, end := r.start(own)
	for key, record := range own {
		states := r.states[key]
		if len(states) == 0 {
			continue
		}
		last := states[len(states)-1]
		if r.spares(last) {
			record.at = int64(start) + last.event.Time
		}
		record.at += r.begin(last) - last.event.Time
		own[key] = record
	}
	_, latest := r.start(own)
	return end - latest
}

// TestWhatIfsOfSimulatedTraces compares with a rerun of the oracle's model. Traces recorded in disorder cannot be
// compared, as they have no order in which to run again.
func TestWhatIfsOfSimulatedTraces(t *testing.T) {
	compared, saved := 0, 0
	for seed := range uint64(120) {
		simulated := enrichtest.Simulate(seed, 60+int(seed%5)*60)
		if !simulated.Faithful {
			continue
		}
		doc, err := enrichtest.Model(simulated.XML)
		if err != nil {
			t.Fatal(err)
		}
		start, _ := trace.ParseTime([]byte(doc.Trace.StartTime))
		r := recorded(t, simulated.XML)
		for _, id := range append([]string{everyMonitor}, idsOf(doc)...) {
			x := r.WhatIf(r.Last(), monitorsOf(t, doc, id))
			if x == nil {
				continue
			}
			compared++
			name := fmt.Sprintf("seed %d without waits for %s", seed, id)
			rerun := &rerun{oracle: newOracle(doc), spared: id, begins: map[*oracleSegment]int64{}}
			if want := rerun.saved(t, simulated.XML, start); x.Saved != want {
				t.Errorf("%s: %d ns saved, want %d", name, x.Saved, want)
			}
			contiguous(t, name, x.Path)
			if x.Saved > 0 {
				saved++
			}
		}
	}
	if compared < 100 || saved < 20 {
		t.Errorf("only %d comparisons, %d of them with an effect", compared, saved)
	}
}

// TestWhatIfsOfAnyTrace checks what holds for all traces: no run becomes longer, and fewer waits never make it longer.
func TestWhatIfsOfAnyTrace(t *testing.T) {
	compared := 0
	for seed := range testtool.Times(uint64(50)) {
		for _, simulate := range []func(uint64, int) enrichtest.Trace{enrichtest.Simulate, enrichtest.Chaos} {
			document := simulate(seed, 200).XML
			doc, err := enrichtest.Model(document)
			if err != nil {
				t.Fatal(err)
			}
			r := recorded(t, document)
			every := r.WhatIf(r.Last(), monitorsOf(t, doc, everyMonitor))
			for _, id := range idsOf(doc) {
				x := r.WhatIf(r.Last(), monitorsOf(t, doc, id))
				if x == nil {
					continue
				}
				compared++
				name := fmt.Sprintf("seed %d without waits for %s", seed, id)
				contiguous(t, name, x.Path)
				if x.Saved < 0 || x.Saved > every.Saved || x.Waits > every.Waits {
					t.Errorf("%s: %d ns and %d waits saved; without any waits %d and %d", name, x.Saved, x.Waits,
						every.Saved, every.Waits)
				}
			}
		}
	}
	if compared < testtool.Times(100) {
		t.Errorf("only %d comparisons", compared)
	}
}

// everyMonitor is the pattern for all monitors.
const everyMonitor = "*"

func idsOf(doc *enrichtest.Doc) (ids []string) {
	for _, o := range doc.Objects {
		ids = append(ids, o.ObjectID)
	}
	return ids
}

func monitorsOf(t *testing.T, doc *enrichtest.Doc, id string) (all []critical.Monitors) {
	t.Helper()
	ids := []string{id}
	if id == everyMonitor {
		ids = idsOf(doc)
	}
	for _, id := range ids {
		m, err := critical.ParseMonitors(id)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	return all
}

func TestParseMonitors(t *testing.T) {
	r := recorded(t, []byte(`<TRACE>
<classDef name="java/util/Vector" classId="1" time="1.0"/><classDef name="app/Pool" classId="2" time="1.0"/>
<classDef name="java/util/concurrent/locks/ReentrantLock$NonfairSync" classId="3" time="1.0"/>
<classDef name="java/util/concurrent/locks/ReentrantLock$FairSync" classId="4" time="1.0"/>
<classDef name="java/lang/Class" classId="5" time="1.0"/><classDef name="[B" classId="6" time="1.0"/>
<objDef objId="900" classIdRef="1" time="1.0"/><objDef objId="901" classIdRef="2" time="1.0"/>
<objDef objId="903" classIdRef="3" time="1.0"/><objDef objId="904" classIdRef="4" time="1.0"/>
<classDef name="app/Config" classId="7" objIdRef="905" time="1.0"/><objDef objId="905" classIdRef="5" time="1.0"/><objDef objId="906" classIdRef="6" time="1.0"/>
<threadStart threadId="1" time="1.0"/><threadStart threadId="2" time="1.0"/><threadStart threadId="3" time="1.0"/><threadStart threadId="4" time="1.0"/>
<threadStart threadId="5" time="1.0"/><threadStart threadId="6" time="1.0"/><threadStart threadId="7" time="1.0"/><threadStart threadId="8" time="1.0"/>
<monContendedEnter threadIdRef="5" objIdRef="903" threadOwner="4" time="2.0"/>
<monContendedEnter threadIdRef="6" objIdRef="904" threadOwner="4" time="2.0"/>
<monContendedEnter threadIdRef="7" objIdRef="905" threadOwner="4" time="2.0"/>
<monContendedEnter threadIdRef="8" objIdRef="906" threadOwner="4" time="2.0"/>
<monContendedEnter threadIdRef="1" objIdRef="900" threadOwner="4" time="2.0"/>
<monContendedEnter threadIdRef="2" objIdRef="901" threadOwner="4" time="2.0"/>
<monContendedEnter threadIdRef="3" objIdRef="902" threadOwner="4" time="2.0"/>
</TRACE>`))
	for text, want := range map[string]string{
		"900":                        "[900]",
		"java/util/Vector":           "[900]",
		"java.util.Vector":           "[900]",
		"java.util.Vector@900":       "[900]",
		"java.util.Vector@901":       "[]",
		"*@901":                      "[901]",
		"*":                          "[900 901 903 904 905 906]",
		"*.Pool":                     "[901]",
		"???":                        "[]",
		"902":                        "[902]",
		"*@902":                      "[902]",
		"java.util.Vector 900":       "[900]",
		"app/Pool 901":               "[901]",
		"app.Pool 900":               "[]",
		"the lock of app.Pool 901":   "[901]",
		"lock of java.util.Vector":   "[900]",
		"monitor=901":                "[901]",
		"object 902":                 "[902]",
		"object 901":                 "[]",
		"the lock of object 902":     "[902]",
		"ReentrantLock":              "[903 904]",
		"lock ReentrantLock":         "[903 904]",
		"ReentrantLock 903":          "[903]",
		"the lock ReentrantLock 904": "[904]",
		"java.util.concurrent.locks.ReentrantLock":             "[903 904]",
		"java.util.concurrent.locks.ReentrantLock (fair)":      "[904]",
		"java/util/concurrent/locks/ReentrantLock$FairSync":    "[904]",
		"monitor=java.util.concurrent.locks.ReentrantLock@903": "[903]",
		"condition of ReentrantLock 903 (901)":                 "[901]",
		"class app.Config 905":                                 "[905]",
		"class app.Config":                                     "[905]",
		"java/lang/Class<app/Config>":                          "[905]",
		"app.Config":                                           "[905]",
		"byte[] 906":                                           "[906]",
		"[B":                                                   "[906]",
		"9":                                                    "[]",
		"":                                                     "the monitor is missing",
		"@900":                                                 `invalid monitor "@900": want an id, a class, or both as CLASS@ID`,
		"java.util.Vector@":                                    `invalid monitor "java.util.Vector@": want an id, a class, or both as CLASS@ID`,
	} {
		m, err := critical.ParseMonitors(text)
		if err != nil {
			if err.Error() != want {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
			continue
		}
		found := []string{}
		if x := r.WhatIf(r.Last(), []critical.Monitors{m}); x != nil {
			for _, o := range x.Monitors {
				found = append(found, o.ID.String())
			}
		}
		slices.Sort(found)
		if got := fmt.Sprint(found); got != want {
			t.Errorf("%q means %s, want %s", text, got, want)
		}
	}
}
