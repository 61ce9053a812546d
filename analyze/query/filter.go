package query

import "github.com/trcx/trcx/trace"

// need is the names that an element must have to match: event is its own, names are its own or those of elements inside
// it. "" and none are no conditions.
type need struct {
	event string
	names []string
}

// needs are alternatives: an element must meet one. If they are nil, any element can match.
type needs []need

// needsOf returns the needs of an expression to be true or to have a result. Predicates and functions only restrict it
// further, and are ignored.
func needsOf(n *node) needs {
	switch n.form {
	case group:
		return needsOf(n.operands[0])
	case path:
		return needsOfPath(n)
	case call:
		if n.text == "boolean" {
			return needsOf(n.operands[0])
		}
	case binary:
		return needsOfBinary(n)
	}
	return nil
}

func needsOfBinary(n *node) needs {
	left, right := needsOf(n.operands[0]), needsOf(n.operands[1])
	switch _, compares := mirrored[n.text]; {
	case n.text == "|" || n.text == "or":
		if left == nil || right == nil {
			return nil
		}
		return append(left, right...)
	case n.text == "and" || compares && n.operands[0].kind == nodes && n.operands[1].kind == nodes:
		if left == nil {
			return right
		}
		return left
	case compares && n.operands[0].kind == nodes && n.operands[1].kind != truth:
		return left
	case compares && n.operands[1].kind == nodes && n.operands[0].kind != truth:
		return right
	}
	return nil
}

func needsOfPath(n *node) needs {
	if len(n.operands) > 0 {
		return needsOf(n.operands[0])
	}
	var one need
	for i, s := range n.steps {
		name := s.test
		if s.axis != "child" && s.axis != "descendant" && s.axis != "descendant-or-self" && s.axis != "self" ||
			!isName(name) {
			continue
		}
		if s.axis == "child" && i <= 1 && n.toRoot(i) {
			one.event = name
		} else {
			one.names = append(one.names, name)
		}
	}
	if one.event == "" && len(one.names) == 0 {
		return nil
	}
	return needs{one}
}

func isName(test string) bool {
	return test != "*" && test != "node()" && test != "text()" && test != trace.Root.String()
}

// toRoot reports whether the first steps lead to TRACE: none in a relative path, or the one of its name.
func (n *node) toRoot(steps int) bool {
	if steps == 0 {
		return !n.absolute
	}
	return n.steps[0].axis == "child" && (n.steps[0].test == trace.Root.String() || n.absolute &&
		n.steps[0].test == "*")
}

// filter skips elements that cannot match.
type filter struct {
	needs
	condition
	// kinds reports, for elements without content, whether one of the kind can match; for Foreign it is true
	kinds [trace.KindCount]bool
}

func newFilter(all needs, condition condition) *filter {
	f := &filter{needs: all, condition: condition}
	for kind := range f.kinds {
		name := trace.Kind(kind).String()
		f.kinds[kind] = kind == int(trace.Foreign) || all.met(name, nil)
	}
	return f
}

// passes reports whether the element has to be evaluated.
func (f *filter) passes(e *trace.Event) bool {
	if !f.named(e) {
		return false
	}
	return f.condition == nil || e.Extra != nil && len(e.Extra.Inner) > 0 || f.condition(e)
}

// named reports whether the element or those inside it have the needed names.
func (f *filter) named(e *trace.Event) bool {
	switch {
	case f.needs == nil:
		return true
	case e.Kind == trace.Foreign:
		return f.met(e.Name(), e.Extra)
	case f.kinds[e.Kind]:
		return true
	}
	return e.Extra != nil && len(e.Extra.Elements) > 0 && f.met(e.Kind.String(), e.Extra)
}

// met reports whether an element of the name meets one of the needs.
func (all needs) met(name string, extra *trace.Extra) bool {
	if all == nil {
		return true
	}
	for _, one := range all {
		if (one.event == "" || one.event == name) && one.namesIn(name, extra) {
			return true
		}
	}
	return false
}

func (n *need) namesIn(name string, extra *trace.Extra) bool {
	for _, wanted := range n.names {
		if wanted != name && !contains(extra, wanted) {
			return false
		}
	}
	return true
}

func contains(extra *trace.Extra, name string) bool {
	if extra == nil {
		return false
	}
	for i := range extra.Elements {
		if extra.Elements[i].Name == name {
			return true
		}
	}
	return false
}
