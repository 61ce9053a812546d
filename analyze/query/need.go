package query

import "github.com/trcx/trcx/trace"

// need is what an element must have to match: its own name, and the names of it or of elements inside it. "" and none
// are no conditions.
type need struct {
	event string
	names []string
}

// needs are those of which an element must meet one; nil is none, and no element can be left out.
type needs []need

// needsOf finds what an expression must see in an element to be true, or to give anything. Predicates and functions
// only ask for more.
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

// toRoot says whether the steps before lead to TRACE: none in a relative path, or the one of its name.
func (n *node) toRoot(steps int) bool {
	if steps == 0 {
		return !n.absolute
	}
	return n.steps[0].axis == "child" && (n.steps[0].test == trace.Root.String() || n.absolute &&
		n.steps[0].test == "*")
}

// filter leaves out elements that cannot match.
type filter struct {
	needs
	glance
	// elements of the table that need nothing inside, by their kinds; and for Foreign ones, whether one can match
	kinds [trace.KindCount]bool
}

func newFilter(all needs, glance glance) *filter {
	f := &filter{needs: all, glance: glance}
	for kind := range f.kinds {
		name := trace.Kind(kind).String()
		f.kinds[kind] = kind == int(trace.Foreign) || all.met(name, nil)
	}
	return f
}

// passes says whether the element has to be looked at.
func (f *filter) passes(e *trace.Event) bool {
	if !f.named(e) {
		return false
	}
	return f.glance == nil || e.Extra != nil && len(e.Extra.Inner) > 0 || f.glance(e)
}

// named says whether the element, or what is inside, is called so that it has to be looked at.
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

// met says whether an element of the name has what one of the needs asks for.
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
