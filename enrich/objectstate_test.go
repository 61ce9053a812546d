package enrich_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/trace"
)

// TestObjectStates: an annotation becomes the state of an object of its recording; a malformed one is ignored. The peer of
// a socket becomes its state once.
func TestObjectStates(t *testing.T) {
	document := `<TRACE><threadStart threadId="7" time="1" threadName="main"/>` +
		`<annotation name="state" value="50 2 permits=0 queued=2"/><annotation name="state" value="51 2 secret=1"/>` +
		strings.Repeat(`<monWait threadIdRef="7" time="3" objIdRef="60"><annotation name="io" value="read"/><annotation name="peer" value="db:5432"/></monWait>`+
			`<monWaited threadIdRef="7" time="4" objIdRef="60"/>`, 2) + `</TRACE>`
	var got []string
	if err := trace.Copy(trace.SinkFunc(func(r trace.Record) error {
		if state, ok := r.(*trace.ObjectState); ok {
			got = append(got, fmt.Sprint(state.Session, " ", state.Object.String(), " ", state.Time.String(), " ", state.Text))
		}
		return nil
	}), convert.Model(context.Background(), strings.NewReader(document), convert.Options{})); err != nil {
		t.Fatal(err)
	}
	if want := []string{"0 50 2.000000000 permits=0 queued=2", "0 60 3.000000000 peer=db:5432"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
