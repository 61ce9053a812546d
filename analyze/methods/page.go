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

// Page says what a page shows of the methods. It has one recording, as with Options.Merge.
type Page struct {
	Limit   int // of the rows of each table
	Threads func(id, name, group string) bool
	// Start is the zero of the times of single calls, which Options.Longest keeps.
	Start trace.Time
	// Base, if not nil, has the methods of another run, which are compared. It counts by the same measure.
	Base *Collector
}

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

// Measure names what the page counts: calls, or else a kind of samples; "" without either.
func (c *Collector) Measure() string {
	if !c.HasMethods() {
		return ""
	}
	switch p := c.Profile(View{}); {
	case p.Values[0].Name == "calls":
		return "calls"
	case p.Values[1].Unit == "nanoseconds":
		return "samples on a processor"
	}
	return "samples of threads in any state"
}

// The JSON of the page. Costs are in nanoseconds; for samples without times, in samples.
type (
	pageRow struct {
		Title   jsontext.String `json:"title"`
		Class   jsontext.String `json:"class,omitempty"`
		Package jsontext.String `json:"package"`
		pageCosts
		Before *pageCosts `json:"before,omitempty"` // in the base
	}
	pageCosts struct {
		Count uint64 `json:"count"` // of calls, or samples
		Base  int64  `json:"base"`
		Total int64  `json:"total"` // with what was called
	}
	// pageTree is a tree by columns: a node comes after the one above it.
	pageTree struct {
		Names  []jsontext.String `json:"names"`
		Above  []int             `json:"above"` // -1: none
		Name   []int             `json:"name"`
		Self   []int64           `json:"self"`
		Total  []int64           `json:"total"`
		Before *pageTreeCosts    `json:"before,omitempty"` // in the base
	}
	pageTreeCosts struct {
		Self  []int64 `json:"self"`
		Total []int64 `json:"total"`
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
		Nodes    int                  `json:"nodes"` // number of nodes in the whole tree that cost something
		Calls    *pageCalls           `json:"calls,omitempty"`
		Base     *pageBase            `json:"base,omitempty"`
	}
	// pageBase is the run that the methods are compared with.
	pageBase struct {
		Headline jsontext.String `json:"headline"`
		All      int64           `json:"all"`
	}
	// pageSide is a run that the page shows, or compares with.
	pageSide struct {
		profile *Profile
		tables  *Tables
		titles  []jsontext.String // of methods by their numbers
	}
)

// Extract returns the JSON of the page: the largest rows of each table and the largest nodes of the tree of calls.
func (c *Collector) Extract(o Page) any {
	side := c.pageSide(o.Threads)
	doc := &pageMethods{Counted: "calls", Timed: side.timed(), Headline: jsontext.String(side.headline()),
		All: side.cost(&Row{Figures: side.tables.Total}).Base, Rows: map[string][]pageRow{}, Omitted: map[string]int{}}
	sides := []*pageSide{side}
	if side.sampled() {
		doc.Counted = "samples"
	} else {
		doc.Remarks = side.profile.session.remarks(&side.tables.Total, side.profile.view)
	}
	if o.Base != nil {
		base := o.Base.pageSide(o.Threads)
		doc.Base = &pageBase{jsontext.String(base.headline()), base.cost(&Row{Figures: base.tables.Total}).Base}
		sides = append(sides, base)
	}
	nameMethods(sides)
	for at, of := range side.tables.lists() {
		if of.name == "threads" {
			continue
		}
		rows := pageRows(sides, at)
		if more := len(rows) - o.Limit; more > 0 {
			rows, doc.Omitted[of.name] = rows[:o.Limit], more
		}
		doc.Rows[of.name] = rows
	}
	doc.Tree, doc.Nodes = newPageTree(sides)
	if !side.sampled() {
		doc.Calls = side.profile.session.pageCalls(o.Threads, side.titles, o.Start)
	}
	return doc
}

func (c *Collector) pageSide(threads func(id, name, group string) bool) *pageSide {
	p := c.Profile(View{Threads: threads})
	return &pageSide{profile: p, tables: p.session.Tables(threads)}
}

func (s *pageSide) sampled() bool { return s.profile.Values[0].Name != "calls" }

func (s *pageSide) timed() bool { return s.profile.Values[1].Unit == "nanoseconds" }

// headline sums up the calls or samples.
func (s *pageSide) headline() string {
	switch {
	case !s.sampled():
		return s.profile.session.summary(s.tables, s.profile.view)
	case s.timed():
		return sampleSentence(OnCPU, s.tables)
	}
	return sampleSentence(Moments, s.tables)
}

func (s *pageSide) cost(r *Row) pageCosts {
	if !s.timed() {
		return pageCosts{r.Calls, histogram.Signed(r.Calls), histogram.Signed(r.Samples)}
	}
	return pageCosts{r.Calls, r.Base, r.Cumulative}
}

// pageRows returns the rows of a table, the largest first. Rows of two sides are joined by their titles.
func pageRows(sides []*pageSide, table int) []pageRow {
	rows, places := []pageRow{}, map[jsontext.String]int{}
	for at, side := range sides {
		of := side.tables.lists()[table]
		for i := range of.rows {
			r := &of.rows[i]
			title := pageName(r.Title)
			if of.name == "methods" {
				title = side.titles[r.method]
			}
			place, known := places[title]
			if !known || at == 0 {
				place = len(rows)
				places[title], rows = place, append(rows, pageRow{Title: title, Class: pageName(r.Class),
					Package: pageName(r.Package)})
				if len(sides) > 1 {
					rows[place].Before = &pageCosts{}
				}
			}
			if at == 0 {
				rows[place].pageCosts = side.cost(r)
			} else {
				before, cost := rows[place].Before, side.cost(r)
				before.Count += cost.Count
				before.Base = histogram.Sum(before.Base, cost.Base)
				before.Total = histogram.Sum(before.Total, cost.Total)
			}
		}
	}
	largest := func(r *pageRow) int64 {
		if r.Before != nil {
			return max(r.Base, r.Before.Base)
		}
		return r.Base
	}
	slices.SortStableFunc(rows, func(a, b pageRow) int {
		return cmp.Or(cmp.Compare(largest(&b), largest(&a)), cmp.Compare(b.Total, a.Total),
			cmp.Compare(b.Count, a.Count), cmp.Compare(a.Title, b.Title))
	})
	return rows
}

// nameMethods sets the titles of methods. A method that is overloaded on either side is shown with its types.
func nameMethods(sides []*pageSide) {
	alike := map[string]map[string]bool{} // signatures by titles
	for _, side := range sides {
		for _, m := range side.profile.session.methods {
			title := m.Title()
			if alike[title] == nil {
				alike[title] = map[string]bool{}
			}
			alike[title][m.signature] = true
		}
	}
	for _, side := range sides {
		side.titles = make([]jsontext.String, len(side.profile.session.methods))
		for i, m := range side.profile.session.methods {
			title := m.Title()
			if len(alike[title]) > 1 {
				if types, ok := javaname.Signature(m.signature); ok {
					title += types
				} else {
					title += " " + m.signature
				}
			}
			side.titles[i] = pageName(title)
		}
	}
}

func pageName(text string) jsontext.String { return jsontext.String(sanitize.Short(text, maxPageName)) }

// pageNode is a node of the tree, with all threads together. A node comes after the one above it.
type pageNode struct {
	above, name int32
	self, total [2]int64 // by side
}

func (n *pageNode) largest() int64 { return max(n.total[0], n.total[1]) }

// pageNodes returns the nodes of the tree, and the titles of their methods by their names.
func pageNodes(sides []*pageSide) (nodes []pageNode, titles []jsontext.String) {
	names, children := map[jsontext.String]int32{}, map[edge]int32{}
	for side, of := range sides {
		p, path := of.profile, []int32{noNode}
		p.session.walk(p.view.Threads, func(_ *thread, i int32) {
			n := p.session.tree.at(i)
			at := path[len(path)-1]
			if level := len(path); level <= maxPageLevels {
				title := of.titles[n.method]
				name, known := names[title]
				if !known {
					name = int32(len(titles))
					names[title], titles = name, append(titles, title)
				}
				to, known := children[edge{at, name}]
				if !known {
					to = int32(len(nodes))
					children[edge{at, name}], nodes = to, append(nodes, pageNode{above: at, name: name})
				}
				at = to
			}
			nodes[at].self[side] = histogram.Sum(nodes[at].self[side], max(p.values(n)[1], 0))
			path = append(path, at)
		}, func(*thread, int32) { path = path[:len(path)-1] })
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		n := &nodes[i]
		for side := range sides {
			if n.total[side] = histogram.Sum(n.total[side], n.self[side]); n.above != noNode {
				above := &nodes[n.above]
				above.total[side] = histogram.Sum(above.total[side], n.total[side])
			}
		}
	}
	return nodes, titles
}

// newPageTree returns the largest nodes of the tree, and how many cost something.
func newPageTree(sides []*pageSide) (*pageTree, int) {
	nodes, titles := pageNodes(sides)
	var order []int
	for i := range nodes {
		if nodes[i].largest() > 0 {
			order = append(order, i)
		}
	}
	costly := len(order)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nodes[b].largest(), nodes[a].largest()) })
	order = order[:min(len(order), maxPageNodes)] // no node is larger than the one above it, which comes first
	tree := &pageTree{[]jsontext.String{}, []int{}, []int{}, []int64{}, []int64{}, nil}
	if len(sides) > 1 {
		tree.Before = &pageTreeCosts{[]int64{}, []int64{}}
	}
	shown, places := map[int32]int{}, map[int32]int{noNode: -1}
	for at, i := range order {
		n := &nodes[i]
		name, known := shown[n.name]
		if !known {
			name = len(tree.Names)
			shown[n.name], tree.Names = name, append(tree.Names, titles[n.name])
		}
		places[int32(i)] = at
		tree.Above, tree.Name = append(tree.Above, places[n.above]), append(tree.Name, name)
		tree.Self, tree.Total = append(tree.Self, n.self[0]), append(tree.Total, n.total[0])
		if b := tree.Before; b != nil {
			b.Self, b.Total = append(b.Self, n.self[1]), append(b.Total, n.total[1])
		}
	}
	return tree, costly
}
