package heap

import "github.com/trcx/trcx/internal/jsontext"

// The JSON of a page about a dump. Sizes are in bytes.
type (
	jsonExtract struct {
		Headline jsontext.String   `json:"headline"`
		Remarks  []jsontext.String `json:"remarks"`
		Bytes    uint64            `json:"bytes"` // of reachable objects
		Classes  []jsonClassRow    `json:"classes"`
		// ClassesOmitted is the number of further classes.
		ClassesOmitted int `json:"classesOmitted,omitempty"`
		// Nodes are the objects that retain most, each after its dominator.
		Nodes []jsonNode `json:"nodes"`
	}
	jsonClassRow struct {
		Class    jsontext.String `json:"class"`
		Count    uint64          `json:"count"`
		Bytes    uint64          `json:"bytes"`
		Largest  uint64          `json:"largest"`
		Retained uint64          `json:"retained"`
	}
	jsonNode struct {
		Object   jsontext.String `json:"object"` // class and id
		Class    jsontext.String `json:"class"`
		Bytes    uint64          `json:"bytes"`
		Retained uint64          `json:"retained"`
		// Children is the number of objects that it dominates directly.
		Children uint32 `json:"children"`
		// Above is the index of its dominator; -1 for none.
		Above int       `json:"above"`
		Path  *jsonPath `json:"path,omitempty"`
	}
	// jsonPath is the shortest path from a root to the object. A long one lacks steps in the middle.
	jsonPath struct {
		Root    jsontext.String `json:"root"`
		Steps   []jsonStep      `json:"steps"`
		Omitted int             `json:"omitted,omitempty"`
	}
	jsonStep struct {
		Object jsontext.String `json:"object"`
		Bytes  uint64          `json:"bytes"`
	}
)

const (
	maxPaths = 200 // objects with a path in an extract
	maxSteps = 40  // steps of a path at each of its ends
)

// Extract returns the JSON of a page: at most `most` classes and `most` objects, those that retain most, and paths from
// a root to the first ones. The Report must have the dominators.
func (r *Report) Extract(most int) any {
	total, _ := r.dominators.Total()
	extract := jsonExtract{Headline: jsontext.String(r.headline()), Bytes: total, Classes: []jsonClassRow{},
		Nodes: r.nodes(most)}
	for _, remark := range append(r.notes(), r.remarks...) {
		extract.Remarks = append(extract.Remarks, jsontext.String(remark))
	}
	rows := r.graph.Classes(r.dominators)
	extract.ClassesOmitted = max(0, len(rows)-most)
	for _, row := range rows[:len(rows)-extract.ClassesOmitted] {
		extract.Classes = append(extract.Classes, jsonClassRow{jsontext.String(row.Class.ClassName()), row.Count,
			row.Bytes, row.Largest, row.Retained})
	}
	return extract
}

// nodes returns the part of the dominator tree with the objects that retain most.
func (r *Report) nodes(most int) []jsonNode {
	d, children, pathTo := r.dominators, r.dominators.Children(), r.graph.rootPaths()
	nodes, places := []jsonNode{}, map[Object]int{}
	objects, _ := d.Largest(most, func(Object) bool { return true })
	for _, o := range objects {
		node := jsonNode{Object: jsontext.String(r.title(o)), Class: jsontext.String(r.graph.ClassOf(o).ClassName()),
			Bytes: r.graph.Bytes(o), Retained: d.Retained(o), Children: children[o], Above: -1}
		if above, is := d.Dominator(o); is {
			node.Above = places[above]
		}
		if len(nodes) < maxPaths {
			node.Path = r.jsonPath(pathTo(o))
		}
		places[o] = len(nodes)
		nodes = append(nodes, node)
	}
	return nodes
}

func (r *Report) jsonPath(path []Object, roots []Root) *jsonPath {
	p := &jsonPath{Root: jsontext.String(rootTitle(roots))}
	for i, o := range path {
		if i >= maxSteps && i < len(path)-maxSteps {
			p.Omitted++
			continue
		}
		p.Steps = append(p.Steps, jsonStep{jsontext.String(r.title(o)), r.graph.Bytes(o)})
	}
	return p
}
