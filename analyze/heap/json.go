package heap

import (
	"io"
	"strconv"

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
		Weak      bool            `json:"weak,omitempty"` // in a path: the object before refers to it by weak references only
	}
	jsonRoot struct {
		Type   string          `json:"type"`
		Thread string          `json:"threadId,omitempty"`
		Call   jsontext.String `json:"call,omitempty"`
	}
)

// WriteJSON writes the report as one JSON object, for programs: the classes, and what was asked for.
func (r *Report) WriteJSON(out io.Writer) error {
	w := jsontext.NewWriter(out)
	w.Text("{\"classes\":[")
	for i, row := range r.classes() {
		class := jsonClass{Class: jsontext.String(row.Class.ClassName()), Live: jsonSum{row.Count, row.Bytes},
			Largest: row.Largest}
		if r.question.RetainedByClass {
			class.Retained = &row.Retained
		}
		w.Item(i, class)
	}
	w.Text("]")
	if r.question.Dominators {
		r.writeDominators(w)
	}
	if r.question.Path != nil {
		w.Text(",\n\"path\":[")
		for i, o := range r.paths {
			object := r.object(o)
			object.Weak = r.isWeakStep(i)
			w.Item(i, object)
		}
		w.Text("]")
		w.Text(",\n\"roots\":[")
		for i, root := range r.roots {
			w.Item(i, jsonRoot{root.Kind, thread(root.Thread), jsontext.String(root.Call)})
		}
		w.Text("]")
	}
	if id := r.question.Incoming; id != nil {
		r.writeObjects(w, "incoming", r.graph.Incoming(r.asked[id]))
	}
	if id := r.question.Outgoing; id != nil {
		r.writeObjects(w, "outgoing", r.graph.Outgoing(r.asked[id]))
	}
	r.writeContents(w)
	w.Text("}\n")
	return w.Close()
}

func thread(serial uint64) string {
	if serial == 0 {
		return ""
	}
	return strconv.FormatUint(serial, 10)
}

// writeDominators writes the objects that retain most.
func (r *Report) writeDominators(w *jsontext.Writer) {
	children := r.dominators.Children()
	w.Text(",\n\"dominators\":[")
	objects, _ := r.largest()
	for i, o := range objects {
		retained := r.dominators.Retained(o)
		object := r.object(o)
		object.Retained, object.Children = &retained, &children[o]
		if above, is := r.dominators.Dominator(o); is {
			object.Dominator = r.id(above)
		}
		w.Item(i, object)
	}
	w.Text("]")
}

// writeObjects writes objects as an array of the name.
func (r *Report) writeObjects(w *jsontext.Writer, name string, objects []Object) {
	w.Text(",\n\"" + name + "\":[")
	for i, o := range objects {
		w.Item(i, r.object(o))
	}
	w.Text("]")
}

func (r *Report) object(o Object) jsonObject {
	return jsonObject{ID: r.id(o), Class: jsontext.String(r.graph.ClassOf(o).ClassName()), Size: r.graph.Bytes(o)}
}

func (r *Report) id(o Object) string { return strconv.FormatUint(r.graph.ID(o), 10) }
