package trace_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/trcx/trcx/trace"
)

// all has a record of each type.
var all = []trace.Record{&trace.Origin{Time: 1}, &trace.Session{Index: 2}, &trace.ModelThread{Key: 3},
	&trace.ModelObject{Class: "4"}, &trace.Activity{Time: 5}, &trace.ModelEvent{ID: 6}, &trace.Interval{Session: 7},
	&trace.Binding{Running: 8}, &trace.DeadlockLoop{Time: 9}, &trace.Summary{Events: 10}}

var errDeaf = errors.New("deaf")

// TestTee: each sink consumes each record, in turn, until one fails.
func TestTee(t *testing.T) {
	for _, record := range all {
		for _, fails := range []bool{false, true} {
			var got []string
			sink := func(name string, fails bool) trace.Sink {
				return trace.SinkFunc(func(r trace.Record) error {
					got = append(got, fmt.Sprintf("%s %T", name, r))
					if fails {
						return errDeaf
					}
					return nil
				})
			}
			err := trace.Tee(sink("a", fails), sink("b", false)).Put(record)
			want := fmt.Sprintf("[a %[1]T b %[1]T]", record)
			if fails {
				want = fmt.Sprintf("[a %T]", record)
			}
			if fmt.Sprint(got) != want || errors.Is(err, errDeaf) != fails {
				t.Errorf("failing %v: got %s, want %s; the error is %v", fails, got, want, err)
			}
		}
	}
}

// TestBatch: a batch returns copies of all records, in order, also after it has been used before.
func TestBatch(t *testing.T) {
	var batch trace.Batch
	for round := range 3 {
		event := &trace.ModelEvent{}
		for i := range 100 {
			for _, record := range all {
				batch.Add(record)
			}
			event.ID = trace.EventID(100*round + i)
			batch.Add(event)
		}
		i := 0
		err := trace.Copy(trace.SinkFunc(func(r trace.Record) error {
			want := fmt.Sprintf("%+v", &trace.ModelEvent{ID: trace.EventID(100*round + i/(len(all)+1))})
			if at := i % (len(all) + 1); at < len(all) {
				want = fmt.Sprintf("%+v", all[at])
				if r == all[at] {
					t.Errorf("record %d is no copy", i)
				}
			}
			if got := fmt.Sprintf("%+v", r); got != want {
				t.Fatalf("record %d is %s, want %s", i, got, want)
			}
			i++
			return nil
		}), batch.All())
		if err != nil || i != 100*(len(all)+1) || batch.Len() != i {
			t.Errorf("%d records, %v", i, err)
		}
		batch.Reset()
	}
}
