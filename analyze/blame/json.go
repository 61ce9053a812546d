package blame

import (
	"fmt"
	"io"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The JSON of blame. Lengths and times are in nanoseconds, times since the trace's start. What is unknown is absent.
type (
	jsonRow struct {
		ID    jsontext.String `json:"threadId,omitempty"`
		Key   trace.ThreadKey `json:"threadKey,omitempty"`
		Name  jsontext.String `json:"threadName,omitempty"`
		Pool  jsontext.String `json:"pool,omitempty"`
		Kind  string          `json:"kind"`
		State string          `json:"state,omitempty"`
		Total int64           `json:"total"`
		Count int             `json:"count"`
	}
	jsonPart struct {
		ID    jsontext.String `json:"threadId,omitempty"`
		Key   trace.ThreadKey `json:"threadKey,omitempty"`
		Kind  string          `json:"kind"`
		State string          `json:"state,omitempty"`
		Time  int64           `json:"time"`
	}
	jsonWait struct {
		ID     jsontext.String `json:"threadId"`
		Key    trace.ThreadKey `json:"threadKey"`
		From   int64           `json:"from"`
		To     int64           `json:"to"`
		State  string          `json:"state"`
		Object jsontext.String `json:"objectId,omitempty"`
		Class  jsontext.String `json:"class,omitempty"`
		Parts  []jsonPart      `json:"parts"`
	}
)

// WriteJSON writes the sums as one JSON object, for programs; with waits, each finished wait with its parts, too.
func (b *Blame) WriteJSON(out io.Writer, waits bool) error {
	w := jsontext.NewWriter(out)
	w.Text(fmt.Sprintf("{\"total\":%d,\"count\":%d,\"open\":%d,\n\"rows\":[", b.Total, b.Count, len(b.open)))
	rows := b.sumsBy(byType, nil)
	for i := range rows.order {
		row := b.row(rows, i)
		w.Item(i, row.json())
	}
	w.Text("]")
	if waits {
		w.Text(",\n\"waits\":[")
		i := 0
		for wait, parts := range b.Waits() {
			w.Item(i, b.waitJSON(wait, parts))
			i++
		}
		w.Text("]")
	}
	w.Text("}\n")
	return w.Close()
}

// State returns the name of the state in JSON, of segments only.
func (c *Culprit) State() string {
	if c.Kind != Segment {
		return ""
	}
	return critical.TypeName(c.Type)
}

func (r *Row) json() jsonRow {
	return jsonRow{jsontext.String(r.Thread.ID.String()), r.Thread.Key, jsontext.String(r.Thread.Name),
		jsontext.String(r.Pool), r.Kind.String(), r.State(), r.Total, r.Count}
}

func (b *Blame) waitJSON(w *Wait, parts []Part) jsonWait {
	result := jsonWait{
		ID: jsontext.String(w.Thread.ID.String()), Key: w.Thread.Key, From: int64(w.From - b.Start()),
		To: int64(w.To - b.Start()), State: critical.TypeName(w.Type), Object: jsontext.String(w.Object.ID.String()),
		Class: jsontext.String(javaname.DeclaredClass(w.Object.Class)), Parts: []jsonPart{},
	}
	for i := range parts {
		p := &parts[i]
		result.Parts = append(result.Parts, jsonPart{jsontext.String(p.Thread.ID.String()), p.Thread.Key,
			p.Kind.String(), p.State(), p.Time})
	}
	return result
}
