package page

import (
	"encoding/json"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/trace"
)

// The JSON of an event and of an overview, as in web/source.ts.
type (
	jsonDetail struct {
		Event    trace.EventID   `json:"event"`
		Thread   trace.ThreadKey `json:"thread"`
		Time     int64           `json:"time"`
		Type     string          `json:"type"`
		State    int             `json:"state"` // -1 for an instant
		Length   int64           `json:"length"`
		Object   *jsonObject     `json:"object"`
		Other    trace.ThreadKey `json:"other"`
		Inferred bool            `json:"inferred"`
		Timeout  int64           `json:"timeout"`
		Stack    []jsonFrame     `json:"stack"`
		Omitted  int             `json:"omitted,omitempty"`
		Causes   []jsonLink      `json:"causes"`
		Effects  []jsonLink      `json:"effects"`
	}
	jsonObject timeline.Object
	jsonFrame  timeline.Frame
	jsonLink   struct {
		Type   timeline.Interaction `json:"type"`
		Event  trace.EventID        `json:"event"`
		Thread trace.ThreadKey      `json:"thread"`
		Time   int64                `json:"time"`
	}
	jsonOverview struct {
		Width int64                        `json:"width"`
		Times [timeline.StateCount][]int64 `json:"times"`
	}
)

// MarshalJSON writes the object as a list of its id, class and session. A condition also has the id and the class of
// its lock.
func (o *jsonObject) MarshalJSON() ([]byte, error) {
	return appendObject(nil, timeline.Object(*o)), nil
}

// MarshalJSON writes the frame as a list of its class, method, file and line.
func (f jsonFrame) MarshalJSON() ([]byte, error) { return appendFrame(nil, timeline.Frame(f)), nil }

// DetailJSON returns the document "detail" of the page, for an event.
func DetailJSON(d *timeline.Detail) ([]byte, error) {
	result := jsonDetail{Thread: d.Thread, Type: d.Type.String(), State: -1, Stack: []jsonFrame{},
		Causes: links(d.Causes), Effects: links(d.Effects)}
	var stack *timeline.Stack
	var object timeline.Object
	if s := d.Span; s != nil {
		result.Event, result.Time, result.State, result.Length, result.Other = s.Event, s.Begin, int(s.State),
			s.End-s.Begin, s.Other
		result.Inferred, result.Timeout, object, stack = s.Inferred, s.Timeout, s.Object, s.Stack
	} else {
		i := d.Instant
		result.Event, result.Time, result.Other, object, stack = i.Event, i.Time, i.Other, i.Object, i.Stack
	}
	if object != (timeline.Object{}) {
		result.Object = (*jsonObject)(&object)
	}
	if stack != nil {
		result.Omitted = stack.Omitted
		for _, f := range stack.Frames {
			result.Stack = append(result.Stack, jsonFrame(f))
		}
	}
	return json.Marshal(&result)
}

func links(all []timeline.Link) []jsonLink {
	list := make([]jsonLink, len(all))
	for i, link := range all {
		list[i] = jsonLink{link.Type, link.Event, link.Thread, link.Time}
	}
	return list
}

// OverviewJSON returns the document "overview" of the page.
func OverviewJSON(o *timeline.Overview) ([]byte, error) { return json.Marshal(jsonOverview(*o)) }
