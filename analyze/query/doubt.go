package query

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/internal/suggest"
	"github.com/trcx/trcx/trace"
)

// vocabulary is the names of all elements of the format, and of all attributes.
func vocabulary() (elements, attributes []string) {
	for i := range trace.Elements {
		e := &trace.Elements[i]
		if e.Name != "" {
			elements = append(elements, e.Name)
		}
		for _, a := range e.Attributes {
			attributes = append(attributes, a.Name)
		}
	}
	return elements, attributes
}

// doubtsOf says which names in an expression are none of the format.
func doubtsOf(n *node) (doubts []string) {
	elements, attributes := vocabulary()
	n.everyStep(func(s *step) {
		known, what := elements, "element"
		if s.axis == "attribute" {
			known, what = attributes, "attribute"
		}
		if !isName(s.test) || slices.Contains(known, s.test) {
			return
		}
		doubt := fmt.Sprintf("no %s of traces is named %s", what, s.test)
		if near := nearest(s.test, known); near != "" {
			doubt += "; did you mean " + near + "?"
		}
		if !slices.Contains(doubts, doubt) {
			doubts = append(doubts, doubt)
		}
	})
	return doubts
}

// everyStep calls the function for each step of each path.
func (n *node) everyStep(take func(*step)) {
	for i := range n.steps {
		take(&n.steps[i])
		for _, predicate := range n.steps[i].predicates {
			predicate.everyStep(take)
		}
	}
	for _, part := range slices.Concat(n.operands, n.predicates) {
		part.everyStep(take)
	}
}

// nearest is the one of the names that is much like the one given, or "".
func nearest(name string, names []string) (best string) {
	distance := min(len(name)/2, 4)
	for _, other := range names {
		if edits := suggest.Edits(name, other); edits < distance || edits == distance && best != "" && other < best {
			best, distance = other, edits
		}
	}
	return best
}
