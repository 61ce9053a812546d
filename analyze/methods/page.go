package methods

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// HasMethods reports whether a recording has calls or samples.
func (c *Collector) HasMethods() bool {
	return slices.ContainsFunc(c.sessions, func(s *Session) bool {
		return s.tree.count+s.samples[OnCPU].count+s.samples[Moments].count > 0
	})
}

// The limits of the page's tree of calls: a deep recursion counts at the innermost call that is shown.
const (
	maxPageNodes  = 10_000
	maxPageLevels = 200
	maxPageName   = 300 // characters
)

// The JSON of the page. Costs are in nanoseconds, or of samples that tell no time, in samples.
type (
	pageRow struct {
		Title   jsontext.String `json:"title"`
		Class   jsontext.String `json:"class,omitempty"`
		Package jsontext.String `json:"package"`
		Count   uint64          `json:"count"` // of calls, or samples
		Base    int64           `json:"base"`
		Total   int64           `json:"total"` // with what was called
	}
	// pageTree is a tree by columns: a node comes after the one above it.
	pageTree struct {
		Names []jsontext.String `json:"names"`
		Above []int             `json:"above"` // -1: none
		Name  []int             `json:"name"`
		Self  []int64           `json:"self"`
		Total []int64           `json:"total"`
	}
	pageMethods struct {
		Headline jsontext.String      `json:"headline"`
		Remarks  []string             `json:"remarks"`
		Counted  string               `json:"counted"` // calls or samples
		Timed    bool                 `json:"timed"`
		All      int64                `json:"all"` // the cost of all
		Rows     map[string][]pageRow `json:"rows"`
		Omitted  map[string]int       `json:"omitted,omitempty"`
		Tree     *pageTree            `json:"tree"`
		Nodes    int                  `json:"nodes"` // of the whole tree, that cost something
		Calls    *pageCalls           `json:"calls,omitempty"`
	}
)

// Extract returns the JSON of the page: the largest rows of each table, up to the limit, and the largest nodes of the
// tree of calls of the selected threads. There has to be one recording, as with Options.Merge. The times of single
// calls, which Options.Longest keeps, count from the start.
func (c *Collector) Extract(limit int, selected func(id, name string) bool, start trace.Time) any {
	v := View{Threads: selected}
	p := c.Profile(v)
	s, sampled := p.session, p.Values[0].Name != "calls"
	t := s.Tables(selected)
	doc := &pageMethods{Counted: "calls", Timed: p.Values[1].Unit == "nanoseconds", Rows: map[string][]pageRow{},
		Omitted: map[string]int{}, Headline: jsontext.String(s.summary(t, &v)), Remarks: s.remarks(&t.Total, &v)}
	if sampled {
		kind := OnCPU
		if !doc.Timed {
			kind = Moments
		}
		doc.Counted, doc.Headline, doc.Remarks = "samples", jsontext.String(sampleSentence(kind, t)), nil
	}
	titles := p.titles()
	cost := func(r *Row) (base, total int64) {
		if !doc.Timed {
			return int64(r.Calls), int64(r.Samples)
		}
		return r.Base, r.Cumulative
	}
	doc.All, _ = cost(&Row{Figures: t.Total})
	for _, of := range t.lists() {
		if of.name == "threads" {
			continue
		}
		rows := []pageRow{}
		for i := range of.rows {
			r := &of.rows[i]
			base, total := cost(r)
			title := pageName(r.Title)
			if of.name == "methods" {
				title = titles[r.method]
			}
			rows = append(rows, pageRow{title, pageName(r.Class), pageName(r.Package), r.Calls, base,
				total})
		}
		slices.SortStableFunc(rows, func(a, b pageRow) int {
			return cmp.Or(cmp.Compare(b.Base, a.Base), cmp.Compare(b.Total, a.Total), cmp.Compare(b.Count, a.Count),
				cmp.Compare(a.Title, b.Title))
		})
		if more := len(rows) - limit; more > 0 {
			rows, doc.Omitted[of.name] = rows[:limit], more
		}
		doc.Rows[of.name] = rows
	}
	doc.Tree, doc.Nodes = p.pageTree(titles)
	if !sampled {
		doc.Calls = s.pageCalls(selected, titles, start)
	}
	return doc
}

// titles returns the titles of methods by their numbers. Those of overloads have the types.
func (p *Profile) titles() []jsontext.String {
	titles, alike := make([]jsontext.String, len(p.session.methods)), map[string]int{}
	for _, m := range p.session.methods {
		alike[m.Title()]++
	}
	for i, m := range p.session.methods {
		title := m.Title()
		if alike[title] > 1 {
			if types, ok := javaname.Signature(m.signature); ok {
				title += types
			} else {
				title += " " + m.signature
			}
		}
		titles[i] = pageName(title)
	}
	return titles
}

func pageName(text string) jsontext.String { return jsontext.String(sanitize.Short(text, maxPageName)) }

// pageTree returns the largest nodes of the tree, with all threads together, and how many cost something.
func (p *Profile) pageTree(titles []jsontext.String) (*pageTree, int) {
	type node struct {
		above, method int32
		level         int
		self, total   int64
	}
	var nodes []node
	children := map[edge]int32{}
	path := []int32{noNode}
	p.session.walk(p.view.Threads, func(_ *thread, i int32) {
		n := p.session.tree.at(i)
		at := path[len(path)-1]
		if level := len(path); level <= maxPageLevels {
			of := edge{at, n.method}
			to, known := children[of]
			if !known {
				to = int32(len(nodes))
				children[of], nodes = to, append(nodes, node{above: at, method: n.method, level: level})
			}
			at = to
		}
		nodes[at].self = histogram.Sum(nodes[at].self, max(p.values(n)[1], 0))
		path = append(path, at)
	}, func(*thread, int32) { path = path[:len(path)-1] })
	order := make([]int, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- { // a node comes after the one above it
		order[i] = i
		if nodes[i].total = histogram.Sum(nodes[i].total, nodes[i].self); nodes[i].above != noNode {
			above := &nodes[nodes[i].above]
			above.total = histogram.Sum(above.total, nodes[i].total)
		}
	}
	order = slices.DeleteFunc(order, func(i int) bool { return nodes[i].total == 0 })
	costly := len(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nodes[b].total, nodes[a].total) })
	order = order[:min(len(order), maxPageNodes)] // no node is larger than the one above it, which comes first
	tree := &pageTree{[]jsontext.String{}, []int{}, []int{}, []int64{}, []int64{}}
	names, places := map[int32]int{}, map[int32]int{noNode: -1}
	for at, i := range order {
		n := &nodes[i]
		name, known := names[n.method]
		if !known {
			name = len(tree.Names)
			names[n.method], tree.Names = name, append(tree.Names, titles[n.method])
		}
		places[int32(i)] = at
		tree.Above, tree.Name = append(tree.Above, places[n.above]), append(tree.Name, name)
		tree.Self, tree.Total = append(tree.Self, n.self), append(tree.Total, n.total)
	}
	return tree, costly
}
