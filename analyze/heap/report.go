package heap

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/internal/phrase"
)

// Question selects what a Report answers. The zero Question asks for the objects of each class.
type Question struct {
	// Dominators asks for the objects that retain most. OfClass is a pattern, with * and ?, for their classes; "" for
	// all.
	Dominators bool
	OfClass    string
	// RetainedByClass asks for what the objects of each class retain.
	RetainedByClass bool
	// Path, Incoming and Outgoing are ids of objects. They ask for the shortest path from a root to the object, what
	// refers to it, and what it refers to; nil does not ask.
	Path, Incoming, Outgoing *uint64
	// Duplicates asks for equal strings and arrays, Fill for how full containers and arrays are; see SetContents.
	Duplicates, Fill bool
	// SeeWeak follows the note on weak references: it says how a user asks for them. "" adds nothing.
	SeeWeak string
	// Top limits the rows of each table; 0 is no limit.
	Top int
}

// Report answers a question about a dump.
type Report struct {
	graph      *Graph
	question   Question
	dominators *Dominators // nil if the question needs none
	remarks    []string
	paths      []Object // the path that was asked for
	roots      []Root   // of the path's first object
	asked      map[*uint64]Object

	duplicates         []Duplicate
	containers, arrays []Fill
}

// UnknownObject is the error for an object that the dump does not have.
type UnknownObject struct{ ID uint64 }

func (e *UnknownObject) Error() string { return fmt.Sprintf("the dump has no object %d", e.ID) }

// NewReport computes the answers. Remarks are lines below the headline. The error is an *UnknownObject.
func NewReport(g *Graph, q Question, remarks ...string) (*Report, error) {
	r := &Report{graph: g, question: q, remarks: remarks, asked: map[*uint64]Object{}}
	for _, id := range []*uint64{q.Path, q.Incoming, q.Outgoing} {
		if id == nil {
			continue
		}
		o, found := g.Find(*id)
		if !found {
			return nil, &UnknownObject{*id}
		}
		r.asked[id] = o
	}
	if q.Dominators || q.RetainedByClass {
		r.dominators = g.Dominators()
	}
	if q.Path != nil {
		r.paths, r.roots = g.RootPath(r.asked[q.Path])
	}
	return r, nil
}

// ClassName returns the class as jmap prints it: java.util.HashMap$Node, [B, [Ljava.lang.String;.
func (c *Class) ClassName() string {
	if c.Name == "" {
		return "(unknown)"
	}
	return strings.ReplaceAll(c.Name, "/", ".")
}

// Answer returns the answer: for people what was asked for; as CSV the whole first table; as JSON the classes and what
// was asked for.
func (r *Report) Answer() *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report {
			return &answer.Report{Headline: r.headline(), Remarks: append(r.notes(), r.remarks...), Tables: r.tables()}
		},
		CSV: answer.RowsOf(func() answer.Table {
			all := *r
			all.question.Top = 0
			if r.question.Dominators && !r.question.RetainedByClass {
				return all.dominatorTable(false)
			}
			return all.tables()[0]
		}),
		JSON: func() any { return r.json() },
	}
}

// headline sums up the dump.
func (r *Report) headline() string {
	g := r.graph
	total := uint64(0)
	for o := range g.Size() {
		total += g.Bytes(Object(o))
	}
	objects := phrase.Number(g.Size()) + " objects"
	if g.Size() == 1 {
		objects = "1 object"
	}
	text := fmt.Sprintf("The dump has %s, %s.", objects, phrase.Size(total))
	if r.dominators == nil {
		return text
	}
	bytes, count := r.dominators.Total()
	return fmt.Sprintf("%s Roots reach %s of them, %s.", text, phrase.Number(count), phrase.Size(bytes))
}

// notes returns what a reader must know about the figures.
func (r *Report) notes() (notes []string) {
	g := r.graph
	if g.Dangling > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s of objects that the dump does not have.",
			phrase.Count(g.Dangling, "reference or root", "references and roots")))
	}
	if g.Unsized > 0 {
		notes = append(notes, fmt.Sprintf("The size of %s is unknown; they count as 0 bytes.",
			phrase.Count(g.Unsized, "object")))
	}
	switch {
	case r.dominators == nil && r.question.Path == nil:
	case g.alike:
		notes = append(notes, "The input does not say which references are weak; all keep objects here.")
	case g.weak:
		notes = append(notes, "Weak, soft, phantom and final references keep objects here like others.")
	default:
		notes = append(notes,
			"Weak, soft, phantom and final references do not keep objects here."+r.question.SeeWeak)
	}
	return notes
}

// tables returns the tables that answer the question: what was asked for, or else the classes.
func (r *Report) tables() (tables []answer.Table) {
	q := &r.question
	if q.Dominators {
		tables = append(tables, r.dominatorTable(true))
	}
	if q.Path != nil {
		tables = append(tables, r.pathTable())
	}
	if q.Incoming != nil {
		tables = append(tables, r.objectTable("Objects that refer to "+r.title(r.asked[q.Incoming]),
			r.graph.Incoming(r.asked[q.Incoming])))
	}
	if q.Outgoing != nil {
		tables = append(tables, r.objectTable("Objects that "+r.title(r.asked[q.Outgoing])+" refers to",
			r.graph.Outgoing(r.asked[q.Outgoing])))
	}
	tables = append(tables, r.contentTables()...)
	if len(tables) == 0 || q.RetainedByClass {
		tables = append([]answer.Table{r.classTable()}, tables...)
	}
	return tables
}

// title names an object by its class and id; a class object by the class that it represents.
func (r *Report) title(o Object) string {
	name := r.graph.ClassOf(o).ClassName()
	if class := r.graph.classIn(o); class != nil {
		name = "class " + class.ClassName()
	}
	return name + " " + strconv.FormatUint(r.graph.ID(o), 10)
}

func (r *Report) classTable() answer.Table {
	t := answer.Table{Title: "Objects by class", Columns: slices.Concat(answer.Right("objects").Spare(1),
		answer.Right("bytes"), answer.Right("largest").Spare(2))}
	if r.question.RetainedByClass {
		t.Title, t.Columns = "Objects by class, and what the objects of each class retain", append(t.Columns,
			answer.Right("retained")...)
	}
	t.Columns = append(t.Columns, answer.Left("class")...)
	for _, row := range r.classes() {
		cells := answer.Row(row.Count, answer.Bytes(row.Bytes), answer.Bytes(row.Largest), answer.Bytes(row.Retained))
		t.Add(cells[:len(t.Columns)-1], row.Class.ClassName())
	}
	t.Limit(r.question.Top)
	return t
}

// classes returns the rows of the classes, sorted by what they retain if that was asked for.
func (r *Report) classes() []ClassRow {
	if !r.question.RetainedByClass {
		return r.graph.Classes(nil)
	}
	rows := r.graph.Classes(r.dominators)
	slices.SortStableFunc(rows, func(a, b ClassRow) int { return cmp.Compare(b.Retained, a.Retained) })
	return rows
}

// largest returns the objects that retain most, and the number of further selected ones.
func (r *Report) largest() (objects []Object, more int) {
	selects := func(Object) bool { return true }
	if r.question.OfClass != "" {
		pattern := glob.Classes(r.question.OfClass)
		matches := map[*Class]bool{}
		for i := range r.graph.classes {
			matches[&r.graph.classes[i]] = pattern.MatchClass(r.graph.classes[i].Name)
		}
		selects = func(o Object) bool { return matches[r.graph.ClassOf(o)] }
	}
	return r.dominators.Largest(r.question.Top, selects)
}

// dominatorTable lists the objects that retain most, the largest first or as a tree. It names the dominator of each
// one; in a tree only with a pattern for classes, as the dominator need not be in the tree then.
func (r *Report) dominatorTable(asTree bool) answer.Table {
	t := answer.Table{Title: "Objects that retain most", Columns: slices.Concat(answer.Right("retained", "share"),
		answer.Right("bytes").Spare(2), answer.Right("dominates").Spare(3), answer.Left("object"),
		answer.Left("dominated by").Spare(1))}
	objects, more := r.largest()
	var branches []Branch
	if asTree {
		t.Title += ", each above those that it dominates"
		branches = r.dominators.Tree(objects)
	} else {
		for _, o := range objects {
			branches = append(branches, Branch{Object: o})
		}
	}
	if asTree && r.question.OfClass == "" {
		t.Columns = t.Columns[:len(t.Columns)-1]
	}
	total, _ := r.dominators.Total()
	children := r.dominators.Children()
	for _, branch := range branches {
		o, retained := branch.Object, r.dominators.Retained(branch.Object)
		row := answer.Row(answer.Bytes(retained), phrase.Percent(int64(retained), int64(total)),
			answer.Bytes(r.graph.Bytes(o)), uint64(children[o]), answer.Nested{Level: branch.Level, Text: r.title(o)},
			r.dominatorTitle(o))
		t.Add(row[:len(t.Columns)])
	}
	r.noteMore(&t, objects, more)
	return t
}

// dominatorTitle names the object that dominates another one; "" for none.
func (r *Report) dominatorTitle(o Object) string {
	if above, is := r.dominators.Dominator(o); is {
		return r.title(above)
	}
	return ""
}

// noteMore notes the number of objects that are not listed, or why no object is.
func (r *Report) noteMore(t *answer.Table, objects []Object, more int) {
	t.More = more
	switch {
	case len(objects) == 0:
		t.Note("%s", r.noObjects())
	case more > 0:
		t.Note("each of those retains %s at most", phrase.Size(r.dominators.Retained(objects[len(objects)-1])))
	}
}

// noObjects reports why no object is listed.
func (r *Report) noObjects() string {
	if r.question.OfClass == "" {
		return "no root reaches an object"
	}
	pattern := glob.Classes(r.question.OfClass)
	for _, class := range r.graph.classes {
		if pattern.MatchClass(class.Name) {
			return "no root reaches an object of these classes"
		}
	}
	return fmt.Sprintf("the dump has no class %q; the table by class has the names; * and ? match any characters", r.question.OfClass)
}

func (r *Report) pathTable() answer.Table {
	t := answer.Table{Title: "The shortest path from a root to " + r.title(r.asked[r.question.Path]),
		Columns: append(answer.Right("bytes"), answer.Left("object", "held by")...)}
	weak := false
	for i, o := range r.paths {
		held := ""
		switch {
		case i == 0:
			held = rootTitle(r.roots)
		case r.isWeakStep(i):
			held, weak = "weak reference", true
		}
		t.Add(answer.Bytes(r.graph.Bytes(o)), r.title(o), held)
	}
	if weak {
		t.Note("each path has weak, soft, phantom or final references: they do not keep it")
	}
	if len(r.paths) == 0 {
		t.Note("no root reaches it")
	}
	return t
}

// isWeakStep reports whether the previous object of the path refers to the one at index i only by weak references.
func (r *Report) isWeakStep(i int) bool { return i > 0 && !r.graph.keeps(r.paths[i-1], r.paths[i]) }

// rootTitle names the roots of an object: JNI global; Java frame of thread 3, app.Shop.main(Shop.java:7).
func rootTitle(roots []Root) string {
	var titles []string
	seen := map[string]bool{}
	for _, r := range roots {
		title := r.Kind
		if r.Thread != 0 {
			title += " of thread " + strconv.FormatUint(r.Thread, 10)
		}
		if r.Call != "" {
			title += ", " + r.Call
		}
		if !seen[title] {
			seen[title] = true
			titles = append(titles, title)
		}
	}
	return strings.Join(titles, "; ")
}

func (r *Report) objectTable(title string, objects []Object) answer.Table {
	t := answer.Table{Title: title, Columns: append(answer.Right("bytes"), answer.Left("object")...)}
	for _, o := range objects {
		t.Add(answer.Bytes(r.graph.Bytes(o)), r.title(o))
	}
	t.Limit(r.question.Top)
	return t
}

// Histogram returns the classes.
func (r *Report) Histogram() (classes []answer.Class) {
	for _, row := range r.graph.Classes(nil) {
		classes = append(classes, answer.Class{Name: row.Class.ClassName(), Objects: row.Count, Bytes: row.Bytes})
	}
	return classes
}
