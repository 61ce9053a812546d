package methods

import (
	"cmp"
	"math"
	"slices"
)

// Figures sum up calls. Times are in nanoseconds.
type Figures struct {
	Calls       uint64
	Base        int64
	Compensated int64 // Base without the overhead of the same calls
	Cumulative  int64
	Min         int64 // least cumulative time of calls with an exit of their own; math.MaxInt64 for no such calls
	Max         int64 // likewise the largest; -1 for no such calls
	Recursive   uint64
	Overhead    int64
	Open, Lost  uint64
	States      [states]int64 // parts of Base
	Samples     uint64        // number of samples that found it anywhere on the stack
}

var noFigures = Figures{Min: math.MaxInt64, Max: -1}

// Row is a method, a class, a package or a thread, with its calls. Names that do not apply are "".
type Row struct {
	Figures
	Class, Name, Signature, Package string
	Thread, ThreadName              string
	Undefined                       string // the id of a method that is not defined
	Title                           string // for people
	method                          int32
}

// Tables are the sums of a recording's calls.
type Tables struct {
	Methods, Classes, Packages, Threads []Row
	Total                               Figures
}

// addNode adds a node's sums. Its cumulative time counts only if it is the outermost of its kind.
func (f *Figures) addNode(t *tree, i int32, outermost, recursive bool) {
	n := t.at(i)
	add(&f.Calls, n.calls)
	add(&f.Base, n.base)
	add(&f.Compensated, n.compensated)
	add(&f.Overhead, n.overhead)
	f.Open += uint64(n.open)
	f.Lost += uint64(n.lost)
	f.Min, f.Max = min(f.Min, n.minimum), max(f.Max, n.maximum)
	if outermost {
		add(&f.Cumulative, n.cumulative)
		if t.totals != nil {
			add(&f.Samples, t.totals[i])
		}
	}
	if recursive {
		add(&f.Recursive, n.calls)
	}
	add(&f.States[Running], n.base)
	if n.waits > 0 {
		waits := &t.waits[n.waits-1]
		for state := Blocked; state < states; state++ {
			add(&f.States[state], waits[state])
			f.States[Running] -= waits[state]
		}
	}
}

// walk visits the nodes of the selected threads: each node before the nodes below it, in the order of their first
// calls, and again after these. A nil function selects all.
func (s *Session) walk(selected func(id, name, group string) bool, enter, leave func(t *thread, i int32)) {
	first, next := make([]int32, s.tree.count), make([]int32, s.tree.count)
	for i := range first {
		first[i], next[i] = noNode, noNode
	}
	for i := s.tree.count - 1; i >= 0; i-- {
		if parent := s.tree.at(i).parent; parent != noNode {
			next[i], first[parent] = first[parent], i
		}
	}
	for _, t := range s.threads {
		if t.root == noNode || selected != nil && !selected(t.id, t.name, t.group) {
			continue
		}
		for i := first[t.root]; i != noNode; {
			enter(t, i)
			if first[i] != noNode {
				i = first[i]
				continue
			}
			for leave(t, i); next[i] == noNode; leave(t, i) {
				if i = s.tree.at(i).parent; i == t.root {
					break
				}
			}
			if i == t.root {
				break
			}
			i = next[i]
		}
	}
}

// sums are the rows of a kind by their numbers, and how many calls of each are open during the walk.
type sums struct {
	rows []Row
	open []int
}

func newSums(n int) *sums {
	s := &sums{make([]Row, n), make([]int, n)}
	for i := range s.rows {
		s.rows[i].Figures = noFigures
	}
	return s
}

func (s *sums) enter(t *tree, i, number int32, recursive bool) {
	s.rows[number].addNode(t, i, s.open[number] == 0, recursive)
	s.open[number]++
}

// called returns the rows that have calls or samples.
func called(rows []Row) []Row {
	return slices.DeleteFunc(rows, func(r Row) bool { return r.Calls == 0 && r.Samples == 0 })
}

// Tables sums up the calls of the selected threads.
func (s *Session) Tables(selected func(id, name, group string) bool) *Tables {
	packages := s.numberPackages()
	methods, classes, ofPackages := newSums(len(s.methods)), newSums(int(s.tree.classes)), newSums(len(packages))
	tables := &Tables{Total: noFigures}
	var current *thread
	s.walk(selected, func(t *thread, i int32) {
		if t != current {
			current = t
			tables.Threads = append(tables.Threads, Row{Figures: noFigures, Thread: t.id, ThreadName: t.name,
				Title: t.title()})
		}
		n := s.tree.at(i)
		of := s.methods[n.method].class
		recursive, outermost := methods.open[n.method] > 0, n.parent == t.root
		methods.enter(&s.tree, i, n.method, recursive)
		classes.enter(&s.tree, i, of.index, recursive)
		ofPackages.enter(&s.tree, i, of.pkg, recursive)
		tables.Threads[len(tables.Threads)-1].addNode(&s.tree, i, outermost, recursive)
		tables.Total.addNode(&s.tree, i, outermost, recursive)
	}, func(_ *thread, i int32) {
		m := s.methods[s.tree.at(i).method]
		methods.open[m.index]--
		classes.open[m.class.index]--
		ofPackages.open[m.class.pkg]--
	})
	for i, m := range s.methods {
		m.describe(&methods.rows[i])
		if m.class.name != "" {
			row := &classes.rows[m.class.index]
			row.Class, row.Title, row.Package = m.class.name, m.class.name, packageOf(m.class.name)
		}
	}
	for name, number := range packages {
		ofPackages.rows[number].Package, ofPackages.rows[number].Title = name, cmp.Or(name, "(default package)")
	}
	for i := range classes.rows {
		if row := &classes.rows[i]; row.Title == "" {
			row.Title = "(unknown class)"
		}
	}
	tables.Methods, tables.Classes = called(methods.rows), called(classes.rows)
	tables.Packages = called(ofPackages.rows)
	tables.Threads = called(tables.Threads)
	return tables
}

// numberPackages numbers the packages of classes, and returns the numbers by their names. Undefined classes are in the
// default package.
func (s *Session) numberPackages() map[string]int32 {
	numbers := map[string]int32{}
	for _, m := range s.methods {
		if m.class == nil {
			if s.classless == nil {
				s.classless = s.newClass()
			}
			m.class = s.classless
		}
		name := packageOf(m.class.name)
		number, known := numbers[name]
		if !known {
			number = int32(len(numbers))
			numbers[name] = number
		}
		m.class.pkg = number
	}
	return numbers
}

func (t *thread) title() string {
	if t.name != "" {
		return t.name + " (thread " + t.id + ")"
	}
	if t.id == "" {
		return "(unknown thread)"
	}
	return "thread " + t.id
}

// describe names the row of a method.
func (m *method) describe(r *Row) {
	r.method, r.Name, r.Signature, r.Undefined, r.Title = m.index, m.name, m.signature, m.id, m.Title()
	if m.class != nil && m.class.name != "" {
		r.Class, r.Package = m.class.name, packageOf(m.class.name)
	}
}
