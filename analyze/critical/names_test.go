package critical_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/emit/answers"
)

// TestNamesOfStates checks that the page's extract divides states and waits by the names that people read, and that the
// JSON for programs only has TRC names.
func TestNamesOfStates(t *testing.T) {
	r := recorded(t, []byte(`<TRACE>
<threadStart threadId="1" time="0.0" threadName="main" objIdRef="11"/>
<monWait threadIdRef="1" time="1.0" objIdRef="7" timeout="0"><annotation name="io" value="read"/></monWait>
<monWaited threadIdRef="1" time="3.0" objIdRef="7" isTimedOut="0"/>
<monWait threadIdRef="1" time="3.0" objIdRef="9" timeout="0"/>
<monWaited threadIdRef="1" time="7.0" objIdRef="9" isTimedOut="0"/>
<monWait threadIdRef="1" time="7.0" objIdRef="9" timeout="9000"/>
<monWaited threadIdRef="1" time="12.0" objIdRef="9" isTimedOut="0"/>
<threadEnd threadIdRef="1" time="12.0"/>
</TRACE>`))
	path := r.Path(r.Last())
	for _, c := range []struct {
		name  string
		write func(*bytes.Buffer) error
		want  []string
	}{
		{"the extract", func(b *bytes.Buffer) error { return answers.WriteValue(b, path.Extract(100)) }, []string{
			"piece Running RUNNABLE 1", "piece WaitingForObject IN I/O 2", "piece WaitingForObject WAITING 4",
			"piece WaitingForObject TIMED_WAITING 5", "state WaitingForObject TIMED_WAITING 5",
			"state WaitingForObject WAITING 4", "state WaitingForObject IN I/O 2", "state Running RUNNABLE 1",
			"wait WaitingForObject TIMED_WAITING 5", "wait WaitingForObject WAITING 4", "wait WaitingForObject IN I/O 2",
		}},
		{"the JSON", func(b *bytes.Buffer) error { return answers.WriteJSON(b, path.Answer(nil, critical.Options{})) }, []string{
			"piece Running  1", "piece WaitingForObject  2", "piece WaitingForObject  4", "piece WaitingForObject  5",
			"state WaitingForObject  11", "state Running  1", "wait WaitingForObject  9", "wait WaitingForObject  2",
		}},
	} {
		var out bytes.Buffer
		if err := c.write(&out); err != nil {
			t.Fatal(err)
		}
		if got := namesIn(t, out.Bytes()); !slices.Equal(got, c.want) {
			t.Errorf("%s has %q, want %q", c.name, got, c.want)
		}
	}
}

// namesIn lists the pieces, states and waits of a path's JSON, each with its state, the state's name and its seconds.
func namesIn(t *testing.T, document []byte) []string {
	t.Helper()
	type row struct {
		State, Name    string
		From, To, Time int64
	}
	var path struct {
		Pieces []row
		Shares struct{ States, Waits []row }
	}
	if err := json.Unmarshal(document, &path); err != nil {
		t.Fatal(err)
	}
	var list []string
	add := func(what string, rows []row) {
		for _, r := range rows {
			list = append(list, fmt.Sprintf("%s %s %s %d", what, r.State, r.Name, (r.Time+r.To-r.From)/1e9))
		}
	}
	add("piece", path.Pieces)
	add("state", path.Shares.States)
	add("wait", path.Shares.Waits)
	return list
}
