package heap

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/table"
)

// Question is what a Report answers. The zero Question asks for the objects of each class.
type Question struct {
	// Dominators asks for the objects that retain most; OfClass is a pattern for their classes with * and ?, "" for
	// all.
	Dominators bool
	OfClass    string
	// RetainedByClass asks for what the objects of each class retain.
	RetainedByClass bool
	// Path, Incoming and Outgoing are objects: the shortest path from a root to it, what refers to it, and what it
	// refers to. Nil leaves out the question.
	Path, Incoming, Outgoing *uint64
	// Duplicates asks for equal strings and arrays, Fill for how full containers and arrays are; see SetContents.
	Duplicates, Fill bool
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
	roots      []Root   // of its first object
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

// ClassName is the class as jmap prints it: java.util.HashMap$Node, [B, [Ljava.lang.String;.
func (c *Class) ClassName() string {
	if c.Name == "" {
		return "(unknown)"
	}
	return strings.ReplaceAll(c.Name, "/", ".")
}

// WriteText writes the report for people.
func (r *Report) WriteText(out io.Writer) error {
	answer := table.Answer{Headline: r.headline(), Remarks: append(r.notes(), r.remarks...), Tables: r.tables()}
	return answer.WriteText(out)
}

// WriteMarkdown is WriteText in GitHub's Markdown.
func (r *Report) WriteMarkdown(out io.Writer) error {
	answer := table.Answer{Headline: r.headline(), Remarks: append(r.notes(), r.remarks...), Tables: r.tables()}
	return answer.WriteMarkdown(out)
}

// WriteCSV writes the first table with all its rows as comma-separated values, with sizes in bytes.
func (r *Report) WriteCSV(out io.Writer) error {
	r.question.Top = 0
	if r.question.Dominators && !r.question.RetainedByClass {
		all := r.dominatorTable()
		return all.WriteCSV(out)
	}
	first := r.tables()[0]
	return first.WriteCSV(out)
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

// notes are what a reader must know about the figures.
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
			"Weak, soft, phantom and final references do not keep objects here; with --weak they do.")
	}
	return notes
}

// tables returns the tables that answer the question: what was asked for, or else the classes.
func (r *Report) tables() (tables []table.Table) {
	q := &r.question
	if q.Dominators {
		tables = append(tables, r.dominatorTree())
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
		tables = append([]table.Table{r.classTable()}, tables...)
	}
	return tables
}

// title names an object by its class and id, and a class object by the class that it represents.
func (r *Report) title(o Object) string {
	name := r.graph.ClassOf(o).ClassName()
	if class := r.graph.classIn(o); class != nil {
		name = "class " + class.ClassName()
	}
	return name + " " + strconv.FormatUint(r.graph.ID(o), 10)
}

// cut limits the rows of a table.
func (r *Report) cut(t table.Table) table.Table {
	if more := len(t.Rows) - r.question.Top; r.question.Top > 0 && more > 0 {
		t.Rows = t.Rows[:r.question.Top]
		t.AddNote(fmt.Sprintf("and %s more; --top 0 shows all", phrase.Number(more)))
	}
	return t
}

func (r *Report) classTable() table.Table {
	t := table.Table{Title: "Objects by class", Columns: table.Right("objects", "bytes", "largest")}
	if r.question.RetainedByClass {
		t.Title, t.Columns = "Objects by class, and what the objects of each class retain", append(t.Columns,
			table.Right("retained")...)
	}
	t.Columns = append(t.Columns, table.Left("class")...)
	for _, row := range r.classes() {
		cells := []table.Cell{table.Count(row.Count), table.Bytes(row.Bytes), table.Bytes(row.Largest)}
		if r.question.RetainedByClass {
			cells = append(cells, table.Bytes(row.Retained))
		}
		t.Rows = append(t.Rows, append(cells, table.Text(row.Class.ClassName())))
	}
	return r.cut(t)
}

// classes returns the rows of the classes, by what they retain if that was asked for.
func (r *Report) classes() []ClassRow {
	if !r.question.RetainedByClass {
		return r.graph.Classes(nil)
	}
	rows := r.graph.Classes(r.dominators)
	sortByRetained(rows)
	return rows
}

// largest returns the objects that retain most, and how many others were selected.
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

// dominatorTable lists the objects that retain most, those that retain most first.
func (r *Report) dominatorTable() table.Table {
	t := table.Table{Title: "Objects that retain most", Columns: append(retentionColumns(),
		table.Left("object", "dominated by")...)}
	objects, more := r.largest()
	cells := r.retentionCells()
	for _, o := range objects {
		t.Rows = append(t.Rows, append(cells(o), table.Text(r.title(o)), table.Text(r.dominatorTitle(o))))
	}
	r.noteMore(&t, objects, more)
	return t
}

// dominatorTree lists the same objects as a tree. With a pattern for classes it says also which object dominates each
// one, because that one need not be in the tree.
func (r *Report) dominatorTree() table.Table {
	t := table.Table{Title: "Objects that retain most, each above those that it dominates",
		Columns: append(retentionColumns(), table.Left("object")...)}
	some := r.question.OfClass != ""
	if some {
		t.Columns = append(t.Columns, table.Left("dominated by")...)
	}
	objects, more := r.largest()
	cells := r.retentionCells()
	for _, branch := range r.dominators.Tree(objects) {
		row := append(cells(branch.Object), table.Nested(branch.Level, r.title(branch.Object)))
		if some {
			row = append(row, table.Text(r.dominatorTitle(branch.Object)))
		}
		t.Rows = append(t.Rows, row)
	}
	r.noteMore(&t, objects, more)
	return t
}

func retentionColumns() []table.Column { return table.Right("retained", "share", "bytes", "dominates") }

// retentionCells returns a function for the cells of retentionColumns.
func (r *Report) retentionCells() func(Object) []table.Cell {
	total, _ := r.dominators.Total()
	children := r.dominators.Children()
	return func(o Object) []table.Cell {
		retained := r.dominators.Retained(o)
		return []table.Cell{table.Bytes(retained), table.Text(phrase.Percent(int64(retained), int64(total))),
			table.Bytes(r.graph.Bytes(o)), table.Count(uint64(children[o]))}
	}
}

// dominatorTitle names the object that dominates another one; "" for none.
func (r *Report) dominatorTitle(o Object) string {
	if above, is := r.dominators.Dominator(o); is {
		return r.title(above)
	}
	return ""
}

// noteMore adds how many objects are not listed, or why none is.
func (r *Report) noteMore(t *table.Table, objects []Object, more int) {
	switch {
	case len(objects) == 0:
		t.AddNote(r.noObjects())
	case more > 0:
		least := r.dominators.Retained(objects[len(objects)-1])
		t.AddNote(fmt.Sprintf("and %s more, which retain %s each at most; --top 0 shows all", phrase.Number(more),
			phrase.Size(least)))
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

func (r *Report) pathTable() table.Table {
	t := table.Table{Title: "The shortest path from a root to " + r.title(r.asked[r.question.Path]),
		Columns: append(table.Right("bytes"), table.Left("object", "held by")...)}
	weak := false
	for i, o := range r.paths {
		held := ""
		switch {
		case i == 0:
			held = rootTitle(r.roots)
		case r.isWeakStep(i):
			held, weak = "weak reference", true
		}
		t.Rows = append(t.Rows, []table.Cell{table.Bytes(r.graph.Bytes(o)), table.Text(r.title(o)), table.Text(held)})
	}
	if weak {
		t.AddNote("each path has weak, soft, phantom or final references: they do not keep it")
	}
	if len(r.paths) == 0 {
		t.AddNote("no root reaches it")
	}
	return t
}

// isWeakStep reports whether the object before refers to that at the place of the path by weak references only.
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

func (r *Report) objectTable(title string, objects []Object) table.Table {
	t := table.Table{Title: title, Columns: append(table.Right("bytes"), table.Left("object")...)}
	for _, o := range objects {
		t.Rows = append(t.Rows, []table.Cell{table.Bytes(r.graph.Bytes(o)), table.Text(r.title(o))})
	}
	return r.cut(t)
}

// WriteHistogram writes the classes as jmap -histo does.
func (r *Report) WriteHistogram(out io.Writer) error {
	var h table.Histogram
	for _, row := range r.graph.Classes(nil) {
		h.Add(row.Count, row.Bytes, row.Class.ClassName())
	}
	return h.Write(out)
}
