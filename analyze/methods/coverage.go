package methods

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace/javaname"
)

// Declared is a method that could be called. Class has dots; a constructor is -init-, as in traces.
type Declared struct{ Class, Name, Signature string }

// Coverage says which of the methods that could be called were called.
type Coverage struct {
	Methods, Called   int
	Classes, Packages []Covered
	NotCalled         []Declared
	// Elsewhere counts called methods that are not in the list of methods that could be called.
	Elsewhere int
	// Ambiguous counts called methods whose signature is unknown and whose class has several methods of the name.
	Ambiguous int
}

// Covered is a class or a package.
type Covered struct {
	Name            string
	Methods, Called int
}

// Coverage returns which methods were called. Without a list it looks for all methods that the recording defines.
func (s *Session) Coverage(v *View) *Coverage {
	all := map[Declared]bool{}         // whether they were called
	named := map[Declared][]Declared{} // by class and name
	add := func(d Declared) {
		if _, known := all[d]; !known {
			all[d] = false
			name := Declared{d.Class, d.Name, ""}
			named[name] = append(named[name], d)
		}
	}
	for _, d := range v.Declared {
		if s.filter == nil || s.filter(d.Class, d.Name) {
			add(d)
		}
	}
	for _, m := range s.methods {
		if v.Declared == nil && m.defined && !m.excluded {
			add(m.declared())
		}
	}
	c := &Coverage{}
	for _, r := range s.Tables(v.Threads).Methods {
		d := s.methods[r.method].declared()
		if _, known := all[d]; !known && d.Signature == "" {
			if len(named[d]) > 1 {
				c.Ambiguous++
				continue
			}
			if len(named[d]) == 1 {
				d = named[d][0]
			}
		}
		if _, known := all[d]; known {
			all[d] = true
		} else {
			c.Elsewhere++
		}
	}
	classes, packages := map[string]*Covered{}, map[string]*Covered{}
	count := func(in map[string]*Covered, name string, called bool) {
		if in[name] == nil {
			in[name] = &Covered{Name: name}
		}
		if in[name].Methods++; called {
			in[name].Called++
		}
	}
	for d, called := range all {
		count(classes, d.Class, called)
		count(packages, packageOf(d.Class), called)
		if c.Methods++; called {
			c.Called++
		} else {
			c.NotCalled = append(c.NotCalled, d)
		}
	}
	slices.SortFunc(c.NotCalled, func(a, b Declared) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Signature, b.Signature))
	})
	c.Classes, c.Packages = sorted(classes), sorted(packages)
	return c
}

// declared returns the method by its names.
func (m *method) declared() Declared {
	d := Declared{Name: m.name, Signature: m.signature}
	if m.class != nil {
		d.Class = m.class.name
	}
	return d
}

// sorted returns the classes or packages with the most methods that were not called first.
func sorted(of map[string]*Covered) (all []Covered) {
	for _, c := range of {
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Covered) int {
		return cmp.Or(cmp.Compare(b.Methods-b.Called, a.Methods-a.Called), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// sentences say what was called.
func (c *Coverage) sentences(v *View) (sentences []string) {
	if c.Methods == 0 {
		return []string{"No methods are known."}
	}
	sentences = append(sentences, fmt.Sprintf("%s of %s called, %s.", phrase.Number(c.Called), phrase.Count(c.Methods,
		"method was", "methods were"), phrase.Percent(int64(c.Called), int64(c.Methods))))
	if v.Declared == nil && c.Called == c.Methods {
		sentences = append(sentences, "The trace may define methods at their first calls: it does not show which others "+
			"there are.")
	}
	if c.Elsewhere > 0 {
		sentences = append(sentences, phrase.Count(c.Elsewhere, "other method was", "other methods were")+
			" called, of other classes or made by the compiler.")
	}
	if c.Ambiguous > 0 {
		sentences = append(sentences, phrase.Count(c.Ambiguous, "method has", "methods have")+
			" no signature in the trace, and several candidates: none of these counts as called.")
	}
	return sentences
}

// tables returns packages, classes and the methods that were not called.
func (c *Coverage) tables(v *View) []answer.Table {
	of := func(title, name string, rows []Covered) answer.Table {
		t := answer.Table{Title: title, Columns: append(answer.Right("methods", "called", "share"), answer.Left(name)...)}
		for _, r := range rows {
			t.Add(phrase.Number(r.Methods), phrase.Number(r.Called), phrase.Percent(int64(r.Called), int64(r.Methods)),
				phrase.Name(cmp.Or(r.Name, "(default package)")))
		}
		t.Limit(v.Top)
		return t
	}
	not := answer.Table{Title: "Not called", Columns: answer.Left("method")}
	for _, d := range c.NotCalled {
		not.Add(phrase.Name(strings.TrimPrefix(d.Class+"."+javaname.Method(d.Name), ".") + d.Signature))
	}
	not.Limit(v.Top)
	return []answer.Table{of("Packages", "package", c.Packages), of("Classes", "class", c.Classes), not}
}

// The JSON of a Coverage.
type (
	jsonCoverage struct {
		Methods   int            `json:"methods"`
		Called    int            `json:"called"`
		Elsewhere int            `json:"elsewhere,omitempty"`
		Ambiguous int            `json:"ambiguous,omitempty"`
		Packages  []jsonCovered  `json:"packages"`
		Classes   []jsonCovered  `json:"classes"`
		NotCalled []jsonDeclared `json:"notCalled"`
	}
	jsonCovered struct {
		Package *jsontext.String `json:"package,omitempty"`
		Class   *jsontext.String `json:"class,omitempty"`
		Methods int              `json:"methods"`
		Called  int              `json:"called"`
	}
	jsonDeclared struct {
		Class     jsontext.String `json:"class"`
		Name      jsontext.String `json:"name"`
		Signature jsontext.String `json:"signature,omitempty"`
	}
)

func (c *Coverage) json() jsonCoverage {
	j := jsonCoverage{Methods: c.Methods, Called: c.Called, Elsewhere: c.Elsewhere, Ambiguous: c.Ambiguous,
		Packages: []jsonCovered{}, Classes: []jsonCovered{}, NotCalled: []jsonDeclared{}}
	for i := range c.Packages {
		of := &c.Packages[i]
		j.Packages = append(j.Packages, jsonCovered{(*jsontext.String)(&of.Name), nil, of.Methods, of.Called})
	}
	for i := range c.Classes {
		of := &c.Classes[i]
		j.Classes = append(j.Classes, jsonCovered{nil, (*jsontext.String)(&of.Name), of.Methods, of.Called})
	}
	for _, d := range c.NotCalled {
		j.NotCalled = append(j.NotCalled,
			jsonDeclared{jsontext.String(d.Class), jsontext.String(d.Name), jsontext.String(d.Signature)})
	}
	return j
}

// csvCoverage adds the names of the columns and the classes of all recordings.
func (c *Collector) csvCoverage(v *View, add func(...any)) {
	add("trace", "class", "methods", "called")
	for _, s := range c.sessions {
		for _, of := range s.Coverage(v).Classes {
			add(s.Name, of.Name, of.Methods, of.Called)
		}
	}
}
