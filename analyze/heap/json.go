package heap

import (
	"strconv"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/jsontext"
)

// The JSON of a report. Sizes are in bytes, ids decimal strings.
type (
	jsonSum struct {
		Count uint64 `json:"count"`
		Bytes uint64 `json:"bytes"`
	}
	jsonClass struct {
		Class    jsontext.String `json:"class"`
		Live     jsonSum         `json:"live"`
		Largest  uint64          `json:"largest"`
		Retained *uint64         `json:"retained,omitempty"`
	}
	jsonObject struct {
		ID        string          `json:"objectId"`
		Class     jsontext.String `json:"class"`
		Size      uint64          `json:"size"`
		Retained  *uint64         `json:"retained,omitempty"`
		Children  *uint32         `json:"children,omitempty"`
		Dominator string          `json:"dominator,omitempty"`
		Weak      bool            `json:"weak,omitempty"` // in a path: the previous object refers to it only weakly
	}
	jsonRoot struct {
		Type   string          `json:"type"`
		Thread string          `json:"threadId,omitempty"`
		Call   jsontext.String `json:"call,omitempty"`
	}
)

// json returns the JSON of the report: the classes, and the answers to the question.
func (r *Report) json() answer.Object {
	object := answer.Object{{Name: "classes", Value: answer.ListOf(r.classes(), func(row *ClassRow) jsonClass {
		class := jsonClass{Class: jsontext.String(row.Class.ClassName()), Live: jsonSum{row.Count, row.Bytes},
			Largest: row.Largest}
		if r.question.RetainedByClass {
			class.Retained = &row.Retained
		}
		return class
	})}}
	list := func(name string, items answer.List) {
		object = append(object, answer.Field{Name: name, Value: items, Line: true})
	}
	if r.question.Dominators {
		list("dominators", r.dominatorsJSON())
	}
	if r.question.Path != nil {
		list("path", r.pathJSON())
		list("roots", answer.ListOf(r.roots, func(root *Root) jsonRoot {
			return jsonRoot{root.Kind, thread(root.Thread), jsontext.String(root.Call)}
		}))
	}
	if id := r.question.Incoming; id != nil {
		list("incoming", answer.ListOf(r.graph.Incoming(r.asked[id]), r.object))
	}
	if id := r.question.Outgoing; id != nil {
		list("outgoing", answer.ListOf(r.graph.Outgoing(r.asked[id]), r.object))
	}
	return append(object, r.contentsJSON()...)
}

func thread(serial uint64) string {
	if serial == 0 {
		return ""
	}
	return strconv.FormatUint(serial, 10)
}

// dominatorsJSON returns the objects that retain most.
func (r *Report) dominatorsJSON() answer.List {
	children := r.dominators.Children()
	objects, _ := r.largest()
	return answer.ListOf(objects, func(o *Object) jsonObject {
		retained := r.dominators.Retained(*o)
		object := r.object(o)
		object.Retained, object.Children = &retained, &children[*o]
		if above, is := r.dominators.Dominator(*o); is {
			object.Dominator = r.id(above)
		}
		return object
	})
}

// pathJSON returns the objects of the path.
func (r *Report) pathJSON() answer.List {
	return func(yield func(any) bool) {
		for i := range r.paths {
			object := r.object(&r.paths[i])
			if object.Weak = r.isWeakStep(i); !yield(object) {
				return
			}
		}
	}
}

func (r *Report) object(o *Object) jsonObject {
	return jsonObject{ID: r.id(*o), Class: jsontext.String(r.graph.ClassOf(*o).ClassName()), Size: r.graph.Bytes(*o)}
}

func (r *Report) id(o Object) string { return strconv.FormatUint(r.graph.ID(o), 10) }
