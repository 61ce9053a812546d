package query

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/internal/suggest"
	"github.com/trcx/trcx/trace"
)

// vocabulary returns the names of all elements of the format, and of all attributes.
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

// unknownNames returns a sentence for each name in an expression that the format does not have.
func unknownNames(n *node) (sentences []string) {
	elements, attributes := vocabulary()
	n.everyStep(func(s *step) {
		known, what := elements, "element"
		if s.axis == "attribute" {
			known, what = attributes, "attribute"
		}
		if !isName(s.test) || slices.Contains(known, s.test) {
			return
		}
		sentence := fmt.Sprintf("no %s of traces is named %s", what, s.test)
		if near := nearest(s.test, known); near != "" {
			sentence += "; did you mean " + near + "?"
		}
		if !slices.Contains(sentences, sentence) {
			sentences = append(sentences, sentence)
		}
	})
	return sentences
}

// everyStep calls visit for each step of each path.
func (n *node) everyStep(visit func(*step)) {
	for i := range n.steps {
		visit(&n.steps[i])
		for _, predicate := range n.steps[i].predicates {
			predicate.everyStep(visit)
		}
	}
	for _, part := range slices.Concat(n.operands, n.predicates) {
		part.everyStep(visit)
	}
}

// nearest returns the name of the smallest edit distance, or "" if none is near.
func nearest(name string, names []string) (best string) {
	distance := min(len(name)/2, 4)
	for _, other := range names {
		if edits := suggest.Edits(name, other); edits < distance || edits == distance && best != "" && other < best {
			best, distance = other, edits
		}
	}
	return best
}
