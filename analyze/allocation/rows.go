package allocation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/trace"
)

// Grouping names what allocations are summed up by.
type Grouping string

// The groupings. Sites are the places in the program that allocate objects of a class. Packages contain the classes of
// the objects. Methods are the program's methods that allocate the objects.
const (
	Classes  Grouping = "class"
	Sites    Grouping = "site"
	Packages Grouping = "package"
	Threads  Grouping = "thread"
	Methods  Grouping = "method"

	// callStacks has a row for each class and call stack.
	callStacks Grouping = "stack"
)

// Groupings returns the names of the groupings.
func Groupings() []string {
	return []string{string(Classes), string(Sites), string(Packages), string(Threads), string(Methods)}
}

// Row sums up the allocations of a group.
type Row struct {
	// Title names the class, package, thread or method; for a site, the class.
	Title string
	// Place is the program's own call that is the site; "" for other groupings.
	Place string
	// Allocated and Freed are sums over the window; Live is at its end.
	Allocated, Freed, Live Estimate
	// Largest is the size of the largest object in bytes.
	Largest uint64
	// Age is the mean number of garbage collections that the objects survived, Oldest the largest.
	Age    float64
	Oldest uint32
	// Growth is the difference of the live objects between the first and the last full collection of the window.
	Growth Amount
	// Suspect reports that the live bytes grew over each of the last full collections.
	Suspect bool
	// Stacks are the call stacks of the allocations, by descending bytes.
	Stacks []StackSum

	number int // order in the trace
	ages   ages
	last   []Amount // live objects at the last full collections, and the one before
}

// StackSum is what was allocated at a call stack, which is nil if unknown.
type StackSum struct {
	Stack     *trace.Stack
	Allocated Estimate
}

// group identifies a row. The stack is a number of callStacks.
type group struct {
	title, place string
	stack        uint32
}

// Rows returns the rows of a grouping, by descending allocated bytes.
func (c *Collector) Rows(by Grouping) []Row {
	rows := map[group]*Row{}
	stacks := map[*Row]map[uint32]int{}
	for i := range c.cells.all {
		cell := &c.cells.all[i]
		id := c.group(cell, by)
		row := rows[id]
		if row == nil {
			row = &Row{Title: id.title, Place: id.place, number: len(rows)}
			rows[id], stacks[row] = row, map[uint32]int{}
		}
		c.addCell(row, cell)
		at, known := stacks[row][cell.stack]
		if !known {
			at = len(row.Stacks)
			stacks[row][cell.stack] = at
			row.Stacks = append(row.Stacks, StackSum{Stack: c.cells.stacks.stack(cell.stack)})
		}
		row.Stacks[at].Allocated.add(&cell.allocated)
	}
	var sorted []Row
	for _, row := range rows {
		row.finish(&c.collections, c.options.Last)
		sorted = append(sorted, *row)
	}
	slices.SortFunc(sorted, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Allocated.Bytes, a.Allocated.Bytes), cmp.Compare(b.Live.Bytes, a.Live.Bytes),
			strings.Compare(a.Title, b.Title), strings.Compare(a.Place, b.Place), cmp.Compare(a.number, b.number))
	})
	return sorted
}

// group returns the group of the cell.
func (c *Collector) group(cell *cell, by Grouping) group {
	class, stack := c.cells.classes.Value(cell.class), c.cells.stacks.stack(cell.stack)
	switch by {
	case callStacks:
		return group{title: javaName(class), stack: cell.stack}
	case Sites:
		return group{title: javaName(class), place: place(stack)}
	case Packages:
		return group{title: packageOf(class)}
	case Threads:
		return group{title: c.cells.threads[cell.thread]}
	case Methods:
		return group{title: method(stack)}
	default:
		return group{title: javaName(class)}
	}
}

// javaName returns the class as jmap prints it: java.util.HashMap$Node, [B, [Ljava.lang.String;.
func javaName(class string) string {
	if class == "" {
		return unknownClass
	}
	return strings.ReplaceAll(class, "/", ".")
}

// place returns the program's own call of a call stack.
func place(stack *trace.Stack) string {
	if stack == nil {
		return unknownPlace
	}
	return cmp.Or(wording.Frame(stack.Caller()), unknownPlace)
}

// method returns the method of the program's own call.
func method(stack *trace.Stack) string {
	if stack == nil {
		return unknownPlace
	}
	return cmp.Or(stack.Caller().Method.Title(), unknownPlace)
}

// packageOf returns the package of a class, or of the elements of an array.
func packageOf(class string) string {
	element := strings.TrimLeft(class, "[")
	switch {
	case class == "":
		return unknownClass
	case element != class && len(element) == 1:
		return "(arrays of primitives)"
	case element != class:
		element = strings.TrimPrefix(element, "L")
	}
	at := strings.LastIndexByte(element, '/')
	if at < 0 {
		return "(default package)"
	}
	return strings.ReplaceAll(element[:at], "/", ".")
}

// addCell adds a cell to the row.
func (c *Collector) addCell(row *Row, cell *cell) {
	row.Allocated.add(&cell.allocated)
	row.Freed.add(&cell.freed)
	row.Live.add(&cell.live)
	row.Largest = max(row.Largest, cell.largest)
	row.ages.merge(&cell.ages)
	g := &c.collections
	full, kept := len(g.full), min(len(g.full), c.options.Last)
	if row.last == nil {
		row.last = make([]Amount, kept+1)
	}
	for i := range row.last {
		if at := g.end(full - kept + i); at > 0 {
			row.last[i].add(cell.series.at(at))
		}
	}
	if g.first > 0 {
		first, last := cell.series.atFirst(g.end(g.first)), cell.series.at(g.end(full))
		row.Growth.add(Amount{last.Count - first.Count, last.Bytes - first.Bytes})
	}
}

// finish computes what follows from the sums.
func (r *Row) finish(g *collections, last int) {
	if r.ages.count > 0 {
		r.Age = r.ages.sum / r.ages.count
	}
	r.Oldest = r.ages.oldest
	r.Suspect = len(g.full) >= last
	for i := 1; i < len(r.last); i++ {
		r.Suspect = r.Suspect && r.last[i].Bytes > r.last[i-1].Bytes
	}
	slices.SortStableFunc(r.Stacks, func(a, b StackSum) int {
		return cmp.Compare(b.Allocated.Bytes,
			a.Allocated.Bytes)
	})
}

// suspectsOf returns the rows whose live bytes grew over each of the last full collections, the largest growth first.
func suspectsOf(rows []Row) []Row {
	suspects := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return !r.Suspect })
	slices.SortStableFunc(suspects, func(a, b Row) int { return cmp.Compare(b.LastGrowth(), a.LastGrowth()) })
	return suspects
}

// LastGrowth returns the bytes by which the live objects grew over the last full collections.
func (r *Row) LastGrowth() float64 { return r.last[len(r.last)-1].Bytes - r.last[0].Bytes }
