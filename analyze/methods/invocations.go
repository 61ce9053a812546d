package methods

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/internal/phrase"
)

// Invocations are the calls of a method by others, or of others by a method.
type Invocations struct {
	Of   Row
	Rows []Row // one for each caller with its calls, or for each callee
}

// outermost is the row of calls without a caller.
const outermost = "(none: outermost calls)"

// Invocations returns the callers, or the callees, of the methods that match the pattern. The calls of a caller are the
// calls that it made. A cumulative time counts only if no outer call between the same two methods is open.
func (s *Session) Invocations(v *View, pattern string, callees bool) (all []Invocations) {
	p := glob.Classes(pattern)
	chosen := make([]bool, len(s.methods))
	for i, m := range s.methods {
		chosen[i] = p.MatchClass(m.Title(), m.path(), m.name)
	}
	sums, open := map[edge]*Row{}, map[edge]int{}
	of := func(i int32) (e edge, wanted bool) {
		n := s.tree.at(i)
		e = edge{s.tree.at(n.parent).method, n.method}
		if callees {
			return e, e.parent != noMethod && chosen[e.parent]
		}
		return e, chosen[e.method]
	}
	around := make([]int, len(s.methods)) // how many calls of each method are open
	s.walk(v.Threads, func(_ *thread, i int32) {
		e, wanted := of(i)
		if around[e.method]++; !wanted {
			return
		}
		if sums[e] == nil {
			sums[e] = &Row{Figures: noFigures}
		}
		sums[e].addNode(&s.tree, i, open[e] == 0, around[e.method] > 1)
		open[e]++
	}, func(_ *thread, i int32) {
		e, wanted := of(i)
		if around[e.method]--; wanted {
			open[e]--
		}
	})
	rows := map[int32][]Row{}
	for e, row := range sums {
		of, other := e.method, e.parent
		if callees {
			of, other = other, of
		}
		if row.Title = outermost; other != noMethod {
			s.methods[other].describe(row)
		}
		if row.Calls > 0 {
			rows[of] = append(rows[of], *row)
		}
	}
	for of := range rows {
		i := Invocations{Rows: v.sort(rows[of])}
		s.methods[of].describe(&i.Of)
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b Invocations) int {
		return cmp.Or(cmp.Compare(a.Of.Title, b.Of.Title), cmp.Compare(a.Of.Signature, b.Of.Signature),
			cmp.Compare(a.Of.method, b.Of.method))
	})
	return all
}

// HasMethod reports whether a method matches the pattern.
func (c *Collector) HasMethod(pattern string) bool {
	p := glob.Classes(pattern)
	return slices.ContainsFunc(c.sessions, func(s *Session) bool {
		return slices.ContainsFunc(s.methods, func(m *method) bool { return p.MatchClass(m.Title(), m.path(), m.name) })
	})
}

// question asks for the invocations of the methods that match a pattern.
type question struct {
	name, pattern string
	callees       bool
}

// asked are the view's questions.
func (v *View) asked() []question {
	all := []question{{"callers", v.Callers, false}, {"callees", v.Callees, true}}
	return slices.DeleteFunc(all, func(q question) bool { return q.pattern == "" })
}

// invocationTables returns a table for each method.
func (s *Session) invocationTables(v *View) (tables []answer.Table) {
	for _, question := range v.asked() {
		for _, invocations := range s.Invocations(v, question.pattern, question.callees) {
			title := "Callers of "
			if question.callees {
				title = "Callees of "
			}
			t := answer.Table{Title: title + phrase.Name(invocations.Of.Title),
				Columns: append(answer.Right("calls", "base", "average", "cumulative"), answer.Left("method")...)}
			for i := range invocations.Rows {
				r := &invocations.Rows[i]
				t.Add(phrase.Number(r.Calls), answer.Time(v.base(&r.Figures)), answer.Time(v.average(&r.Figures)),
					answer.Time(r.Cumulative), phrase.Name(r.Title))
			}
			t.Limit(v.Top)
			tables = append(tables, t)
		}
	}
	return tables
}

// jsonInvocations is the JSON of Invocations.
type jsonInvocations struct {
	jsonNames
	Rows []jsonRow `json:"rows"`
}

// jsonInvocations returns what the view asks for, as fields of the recording's object.
func (s *Session) jsonInvocations(v *View) (object answer.Object) {
	for _, question := range v.asked() {
		object = append(object, answer.Field{Name: question.name, Value: answer.ListOf(
			s.Invocations(v, question.pattern, question.callees), func(i *Invocations) jsonInvocations {
				j := jsonInvocations{jsonNames: nameMethod(&i.Of)}
				for k := range i.Rows {
					j.Rows = append(j.Rows, s.jsonRow(&i.Rows[k], nameMethod(&i.Rows[k]), v))
				}
				return j
			})})
	}
	return object
}

// csvInvocations adds the names of the columns, the rows of callers, then the rows of callees.
func (c *Collector) csvInvocations(v *View, add func(...any)) {
	add("trace", "relation", "ofClass", "ofMethod", "ofSignature", "class", "method", "signature", "calls", "base",
		"average", "cumulative")
	for _, s := range c.sessions {
		for _, question := range v.asked() {
			for _, i := range s.Invocations(v, question.pattern, question.callees) {
				for _, r := range i.Rows {
					add(s.Name, question.name, i.Of.names(""), r.names(""), r.Calls, answer.Time(v.base(&r.Figures)),
						answer.Time(v.average(&r.Figures)), answer.Time(r.Cumulative))
				}
			}
		}
	}
}
