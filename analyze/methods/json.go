package methods

import (
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/jsontext"
)

// jsonNames say what a row in JSON is about.
type jsonNames struct {
	Class     *jsontext.String `json:"class,omitempty"`
	Name      *jsontext.String `json:"name,omitempty"`
	Signature *jsontext.String `json:"signature,omitempty"`
	Package   *jsontext.String `json:"package,omitempty"`
	ThreadID  *jsontext.String `json:"threadId,omitempty"`
	MethodID  jsontext.String  `json:"methodId,omitempty"`
}

// jsonRow is a row in JSON. Times are in nanoseconds.
type jsonRow struct {
	jsonNames
	Calls      uint64      `json:"calls"`
	Base       int64       `json:"base"`
	Cumulative int64       `json:"cumulative"`
	Min        *int64      `json:"min"`
	Max        *int64      `json:"max"`
	Recursive  uint64      `json:"recursive"`
	Overhead   int64       `json:"overhead"`
	Open       uint64      `json:"open"`
	Lost       uint64      `json:"lost"`
	States     *jsonStates `json:"states,omitempty"`
}

// jsonStates are the parts of a base time.
type jsonStates struct {
	Running  int64 `json:"running"`
	Blocked  int64 `json:"blocked"`
	Waiting  int64 `json:"waiting"`
	Sleeping int64 `json:"sleeping"`
	Parked   int64 `json:"parked"`
}

// json returns an object for each recording.
func (c *Collector) json(v *View) answer.Lines {
	return func(yield func(answer.Object) bool) {
		for _, s := range c.sessions {
			object := append(append(s.json(v), s.jsonSamples(v)...), s.jsonInvocations(v)...)
			if v.Coverage {
				object = append(object, answer.Field{Name: "coverage", Value: s.Coverage(v).json()})
			}
			if v.Tree {
				object = append(object, answer.Field{Name: "tree", Value: s.treeOf(v).jsonTree(v)})
			}
			if v.Flow {
				object = append(object, answer.Field{Name: "flow", Value: s.jsonFlow(c.start, v)})
			}
			if !yield(object) {
				return
			}
		}
	}
}

func (s *Session) json(v *View) answer.Object {
	t := s.Tables(v.Threads)
	object := answer.Object{{Name: "trace", Value: jsontext.String(s.Name)}, {Name: "findings", Value: s.Findings}}
	if resolution := s.resolution(); resolution > 0 {
		object = append(object, answer.Field{Name: "resolution", Value: resolution})
	}
	for _, of := range t.lists() {
		object = append(object, answer.Field{Name: of.name, Value: answer.ListOf(v.sort(of.rows), func(r *Row) jsonRow {
			return s.jsonRow(r, of.names(r), v)
		})})
	}
	return object
}

// list is a kind of rows, with what names them in JSON.
type list struct {
	name  string
	rows  []Row
	names func(*Row) jsonNames
}

func (t *Tables) lists() []list {
	return []list{
		{"methods", t.Methods, nameMethod},
		{"classes", t.Classes, func(r *Row) jsonNames { return jsonNames{Class: text(r.Class)} }},
		{"packages", t.Packages, func(r *Row) jsonNames { return jsonNames{Package: (*jsontext.String)(&r.Package)} }},
		{"threads", t.Threads,
			func(r *Row) jsonNames { return jsonNames{ThreadID: text(r.Thread), Name: text(r.ThreadName)} }},
	}
}

// nameMethod names the row of a method.
func nameMethod(r *Row) jsonNames {
	return jsonNames{Class: text(r.Class), Name: text(r.Name), Signature: text(r.Signature),
		MethodID: jsontext.String(r.Undefined)}
}

// text returns nil for a text that is unknown.
func text(t string) *jsontext.String {
	if t == "" {
		return nil
	}
	return (*jsontext.String)(&t)
}

func (s *Session) jsonRow(r *Row, names jsonNames, v *View) jsonRow {
	j := jsonRow{jsonNames: names, Calls: r.Calls, Base: v.base(&r.Figures), Cumulative: r.Cumulative,
		Recursive: r.Recursive, Overhead: r.Overhead, Open: r.Open, Lost: r.Lost}
	if r.Max >= 0 {
		j.Min, j.Max = &r.Min, &r.Max
	}
	if s.splits() {
		of := &r.States
		j.States = &jsonStates{of[Running], of[Blocked], of[Waiting], of[Sleeping], of[Parked]}
	}
	return j
}

// csv adds the names of the columns and the rows of all recordings.
func (c *Collector) csv(v *View, add func(...any)) {
	names := map[string][]any{"class": {"class"}, "package": {"package"}, "thread": {"threadId", "threadName"}}[v.By]
	if names == nil {
		names = []any{"class", "method", "signature"}
	}
	add("trace", names, "calls", "base", "average", "cumulative", "min", "max", "recursive", "overhead", "open", "lost",
		stateNames[:])
	for _, s := range c.sessions {
		for _, r := range s.rows(s.Tables(v.Threads), v) {
			ofStates := make([]any, states)
			for state := range r.States {
				if s.HasWaits {
					ofStates[state] = answer.Time(r.States[state])
				}
			}
			add(s.Name, r.names(v.By), r.Calls, answer.Time(v.base(&r.Figures)), answer.Time(v.average(&r.Figures)),
				answer.Time(r.Cumulative), known(r.Min), known(r.Max), r.Recursive, answer.Time(r.Overhead), r.Open,
				r.Lost, ofStates)
		}
	}
}

// names are the cells that say what the row is about.
func (r *Row) names(by string) []string {
	switch by {
	case "class":
		return []string{r.Class}
	case "package":
		return []string{r.Package}
	case "thread":
		return []string{r.Thread, r.ThreadName}
	}
	return []string{r.Class, r.Name, r.Signature}
}
