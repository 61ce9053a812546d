package methods

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/phrase"
)

// folded returns the recording with a tree without recursion: a call whose method is already open on its thread counts
// at that node, and its callees below it. The cumulative time of a node counts only the outermost calls of its method.
func (s *Session) folded() *Session {
	f := *s
	f.tree, f.threads = tree{classes: s.tree.classes}, nil
	var current *thread
	at := []int32{noNode} // the nodes to which the open calls belong
	open := map[int32]int32{}
	outer := []int32{}
	s.walk(nil, func(t *thread, i int32) {
		if t != current {
			current = t
			own := *t
			own.root = noNode
			f.threads = append(f.threads, &own)
			at = append(at[:0], f.tree.add(noNode, noMethod))
			own.root = at[0]
		}
		n := s.tree.at(i)
		to, recursive := open[n.method]
		if !recursive {
			to = f.tree.child(at[len(at)-1], n.method)
			open[n.method] = to
		}
		if at, outer = append(at, to), append(outer, noMethod); !recursive {
			outer[len(outer)-1] = n.method
		}
		sum := f.tree.at(to)
		add(&sum.calls, n.calls)
		add(&sum.base, n.base)
		add(&sum.compensated, n.compensated)
		if !recursive {
			add(&sum.cumulative, n.cumulative)
		}
	}, func(_ *thread, i int32) {
		last := len(outer) - 1
		if outer[last] != noMethod {
			delete(open, outer[last])
		}
		at, outer = at[:last+1], outer[:last]
	})
	return &f
}

// branch is a node of the tree that is shown.
type branch struct {
	thread *thread
	node   int32
	level  int
}

// branches returns the longest nodes of the tree, up to the limit, in the order of the tree: below each node the
// longest first. It returns how many are left out.
func (s *Session) branches(v *View) (branches []branch, more int) {
	total := func(i int32) int64 { return s.tree.at(i).cumulative }
	level := 0
	s.walk(v.Threads, func(t *thread, i int32) {
		if s.tree.at(i).calls > 0 {
			branches = append(branches, branch{t, i, level})
		}
		level++
	}, func(*thread, int32) { level-- })
	// A node is no longer than its parent, whose number is lower, so each is shown with all nodes above it.
	slices.SortFunc(branches, func(a, b branch) int {
		return cmp.Or(cmp.Compare(total(b.node), total(a.node)), cmp.Compare(a.node, b.node))
	})
	if more = len(branches) - v.Top; v.Top > 0 && more > 0 {
		branches = branches[:v.Top]
	} else {
		more = 0
	}
	known, below := map[int32]branch{}, map[int32][]int32{} // by the node, and by the parent
	var roots []int32
	for _, b := range branches {
		known[b.node] = b
		parent := s.tree.at(b.node).parent
		for known[parent].thread == nil && parent != b.thread.root { // the parent has no calls in the window
			parent = s.tree.at(parent).parent
		}
		if len(below[parent]) == 0 && parent == b.thread.root {
			roots = append(roots, parent)
		}
		below[parent] = append(below[parent], b.node)
	}
	branches = branches[:0:0]
	slices.Reverse(roots)
	for stack := roots; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if b, is := known[i]; is {
			branches = append(branches, b)
		}
		for _, child := range slices.Backward(below[i]) {
			stack = append(stack, child)
		}
	}
	return branches, more
}

// treeTable returns the tree as a table.
func (s *Session) treeTable(v *View) answer.Table {
	t := answer.Table{Title: "Calls, with those below them",
		Columns: append(answer.Right("calls", "base", "cumulative", "share"), answer.Left("method")...)}
	of := s.threadTotals()
	branches, more := s.branches(v)
	for at, b := range branches {
		if at == 0 || branches[at-1].thread != b.thread {
			t.Add(nil, nil, answer.Time(of[b.thread]), phrase.Percent(1, 1), phrase.Name(b.thread.title()))
		}
		n := s.tree.at(b.node)
		t.Add(phrase.Number(n.calls), answer.Time(v.baseOf(n)), answer.Time(n.cumulative),
			share(n.cumulative, of[b.thread]),
			answer.Nested{Level: b.level + 1, Text: phrase.Name(s.methods[n.method].Title())})
	}
	t.More = more
	return t
}

// share returns a part of a thread's time, empty if that is 0.
func share(part, whole int64) any {
	if whole == 0 {
		return nil
	}
	return phrase.Percent(part, whole)
}

// threadTotals returns the time of each thread's outermost calls.
func (s *Session) threadTotals() map[*thread]int64 {
	totals := map[*thread]int64{}
	s.walk(nil, func(t *thread, i int32) {
		if n := s.tree.at(i); n.parent == t.root {
			totals[t] = histogram.Sum(totals[t], n.cumulative)
		}
	}, func(*thread, int32) {})
	return totals
}

func (v *View) baseOf(n *node) int64 {
	if v.Compensated {
		return n.compensated
	}
	return n.base
}

// jsonNode is a node of the tree in JSON.
type jsonNode struct {
	ThreadID   jsontext.String   `json:"threadId,omitempty"`
	Path       []jsontext.String `json:"path"`
	Calls      uint64            `json:"calls"`
	Base       int64             `json:"base"`
	Cumulative int64             `json:"cumulative"`
}

// maxPath is the limit of calls in a path. Without it the paths of a deep recursion would be far too long together.
const maxPath = 1 << 12

// jsonTree returns all nodes that have calls, each after the nodes above it, without nodes that are too deep.
func (s *Session) jsonTree(v *View) answer.List {
	return func(yield func(any) bool) {
		var path []jsontext.String
		stopped := false
		s.walk(v.Threads, func(t *thread, i int32) {
			n := s.tree.at(i)
			path = append(path, jsontext.String(s.methods[n.method].path()))
			if n.calls > 0 && len(path) <= maxPath && !stopped {
				stopped = !yield(jsonNode{jsontext.String(t.id), path, n.calls, v.baseOf(n), n.cumulative})
			}
		}, func(*thread, int32) { path = path[:len(path)-1] })
	}
}

// path is the method in the path of a node: its class and its name as in the trace.
func (m *method) path() string {
	name := m.name
	if !m.defined {
		name = "method " + m.id
	}
	if m.class == nil || m.class.name == "" {
		return name
	}
	return m.class.name + "." + name
}

// csvTree adds the names of the columns and the rows of the tree.
func (c *Collector) csvTree(v *View, add func(...any)) {
	add("trace", "threadId", "threadName", "level", "class", "method", "signature", "calls", "base", "cumulative")
	for _, s := range c.sessions {
		s, level := s.treeOf(v), 0
		s.walk(v.Threads, func(t *thread, i int32) {
			if n := s.tree.at(i); n.calls > 0 {
				var r Row
				s.methods[n.method].describe(&r)
				add(s.Name, t.id, t.name, level, r.names(""), n.calls, answer.Time(v.baseOf(n)), answer.Time(n.cumulative))
			}
			level++
		}, func(*thread, int32) { level-- })
	}
}

// treeOf returns the recording with the tree that the view asks for.
func (s *Session) treeOf(v *View) *Session {
	if v.Fold {
		return s.folded()
	}
	return s
}
