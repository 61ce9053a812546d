package blame

import (
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The JSON of blame. Lengths and times are in nanoseconds, times since the trace's start. Unknown values are absent.
type (
	jsonRow struct {
		ID    jsontext.String `json:"threadId,omitempty"`
		Key   trace.ThreadKey `json:"threadKey,omitempty"`
		Name  jsontext.String `json:"threadName,omitempty"`
		Pool  jsontext.String `json:"pool,omitempty"`
		Kind  string          `json:"kind"`
		State string          `json:"state,omitempty"`
		Total int64           `json:"total"`
		Count int             `json:"count,omitempty"`

		*jsonCPU
		Places []*jsonPlace `json:"places,omitempty"`
	}
	// jsonCPU divides the time of a thread that ran, as far as it is known: OffCPU is the rest.
	jsonCPU struct {
		OnCPU  int64 `json:"onCPU"`
		OffCPU int64 `json:"offCPU"`
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

// json returns the JSON of the sums and, with waits, also of each finished wait with its parts.
func (b *Blame) json(waits bool) answer.Object {
	object := answer.Object{{Name: "total", Value: b.Total}, {Name: "count", Value: b.Count},
		{Name: "open", Value: len(b.open)}, {Name: "rows", Line: true, Value: answer.List(func(yield func(any) bool) {
			rows := b.sumsBy(byType, nil)
			for i := range rows.order {
				row := b.row(rows, i)
				if !yield(row.json()) {
					return
				}
			}
		})}}
	if !waits {
		return object
	}
	return append(object, answer.Field{Name: "waits", Line: true, Value: answer.List(func(yield func(any) bool) {
		for wait, parts := range b.Waits() {
			if !yield(b.waitJSON(wait, parts)) {
				return
			}
		}
	})})
}

// State returns the name of the state in JSON; "" for kinds other than segments.
func (c *Culprit) State() string {
	if c.Kind != Segment {
		return ""
	}
	return critical.TypeName(c.Type)
}

func (r *Row) json() jsonRow {
	var cpu *jsonCPU
	if r.Measured > 0 {
		cpu = &jsonCPU{r.OnCPU, r.Measured - r.OnCPU}
	}
	return jsonRow{jsontext.String(r.Thread.ID.String()), r.Thread.Key, jsontext.String(r.Thread.Name),
		jsontext.String(r.Pool), r.Kind.String(), r.State(), r.Total, r.Count, cpu,
		jsonPlaces(r.Places)}
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
