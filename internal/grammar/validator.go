package grammar

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/xmlscan"
)

// Validator validates the tokens of one scanner against a grammar. A tag whose template was found valid before costs a
// few comparisons; see verdict.
type Validator struct {
	grammar *Grammar
	scanner *xmlscan.Scanner
	report  func(Finding)
	names   []*named // by the scanner's id of the name
	// verdicts has what is known about tags, by their templates.
	verdicts xmlscan.Column[xmlscan.TemplateID, verdict]
	open     []opened
	base     []opened // of a branch: the elements open at its beginning
	begun    bool     // the root was met
	lost     bool     // the grammar does not apply to the document
	inside   bool     // the outermost open element has no tags
	ids      *identifiers
	walker   walker
	seen     []uint32 // by the index of an attribute: the element that had it
	round    uint32
}

// opened is an open element.
type opened struct {
	name       *named
	state      int32 // of its content; see Grammar.states
	references int   // references to entities in the document before it began
	mute       bool  // its content has an error that was reported; further ones are not
	places     []int32
}

// named has what the validator knows about the elements of a name.
type named struct {
	element    *element // nil if the grammar does not have it
	emptyIsBad bool     // it may not be empty, or it is not declared
	index      int32
	text       string
	// The last transition that a child of this name made in its parent's content.
	from, to int32
	places   []int32 // by the scanner's id of an attribute: its index plus one, -1 if it is not declared
}

// verdict reports that the first attributes of a template are valid, except for values that are validated in each tag.
// The zero value means that nothing is known.
type verdict struct {
	name   *named
	count  int // of the attributes
	checks []check
}

func (n *named) declared() bool { return n.element != nil && n.element.declared }

// check is an attribute whose value must be validated in each tag.
type check struct {
	at        int // in the attributes of the tag
	attribute *attribute
}

// Values instead of a state: content that no automaton decides, and no known transition.
const (
	stateless = -2
	unknown   = -3
)

// NewValidator returns a validator of what the scanner reads. The caller must call Look for each token before the
// scanner's next.
func (g *Grammar) NewValidator(s *xmlscan.Scanner, report func(Finding)) *Validator {
	return &Validator{grammar: g, scanner: s, report: report, ids: &identifiers{}}
}

// Look validates the current token.
func (v *Validator) Look(token xmlscan.Token) {
	if v.lost {
		return
	}
	switch token {
	case xmlscan.StartTag:
		v.startTag()
	case xmlscan.EndTag:
		v.endTag()
	case xmlscan.Text:
		v.text()
	case xmlscan.Comment, xmlscan.Instruction:
		v.markup()
	case xmlscan.Skipped:
		v.skipped()
	case xmlscan.End:
		v.ids.finish(v)
	}
}

// Inside opens an element of the name that has no tags: the parent of bare fragments.
func (v *Validator) Inside(name string) {
	v.begun, v.inside = true, true
	v.push(v.find(name))
}

// Reset forgets all but the outermost depth open elements, as the scanner does when it resumes after an error. An
// element that Inside has opened is not counted.
func (v *Validator) Reset(depth int) {
	if v.inside {
		depth++
	}
	v.open = v.open[:min(depth, len(v.open))]
}

// Branch returns a validator for parts of the same document. The scanner reads each part, which begins in the current
// state of the document. The grammar must be Divisible.
func (v *Validator) Branch(s *xmlscan.Scanner, report func(Finding)) *Validator {
	branch := v.grammar.NewValidator(s, report)
	branch.begun = v.begun
	for i := range v.open {
		outer := v.open[i]
		outer.name, outer.places = branch.find(outer.name.text), nil
		branch.base = append(branch.base, outer)
	}
	return branch
}

// Rewind makes a branch begin with another part.
func (v *Validator) Rewind() { v.open = append(v.open[:0], v.base...) }

// Unmoved reports whether a branch is at the end of a part in the state in which it began, as far as the content model
// of the innermost open element goes. Only then can the parts be validated one by one.
func (v *Validator) Unmoved() bool { return v.At(v) }

// At reports whether the document is in the state in which the parts of the branch begin.
func (v *Validator) At(branch *Validator) bool {
	if len(v.open) == 0 || len(v.open) != len(branch.base) {
		return false
	}
	now, then := v.innermost(), &branch.base[len(branch.base)-1]
	return now.state == then.state && now.state != followed && now.mute == then.mute
}

func (v *Validator) innermost() *opened {
	if len(v.open) == 0 {
		return nil
	}
	return &v.open[len(v.open)-1]
}

// Repeated validates the current start tag as Look would, but only the tag of an empty element whose template was valid
// before, if the content model makes the same step as for the last element of its name. Otherwise it does nothing and
// returns false.
func (v *Validator) Repeated() bool {
	template := v.scanner.Arranged()
	last := len(v.open) - 1
	if template == 0 || last < 0 || !v.scanner.Empty() {
		return false
	}
	attributes := v.scanner.Attributes()
	known, parent := v.verdicts.At(template), &v.open[last]
	n := known.name
	if n == nil || known.count != len(attributes) || n.from != parent.state || n.emptyIsBad {
		return false
	}
	if len(known.checks) > 0 {
		v.checked(n, known, attributes)
	}
	parent.state = n.to
	return true
}

func (v *Validator) startTag() {
	n := v.nameOf(v.scanner.Name())
	parent := v.innermost()
	switch {
	case parent != nil:
		v.child(parent, n)
	case !v.begun && !v.root(n):
		return
	}
	// elements inside an unknown element are not reported again
	if !n.declared() && (parent == nil || parent.name.declared()) {
		v.found(RuleElement, n.text, "", "the element %s is not declared", n.text)
	}
	if n.element != nil {
		v.attributes(n)
	}
	if !v.scanner.Empty() {
		v.push(n)
	} else if n.element != nil && n.element.emptyIsBad {
		v.found(RuleContent, n.text, "", "%s is empty; %s", n.text, v.wanted(n.element.first, n.element, nil))
	}
}

// root validates the root element. It returns false if the grammar does not apply to the document.
func (v *Validator) root(n *named) bool {
	v.begun = true
	wanted := v.grammar.root
	switch {
	case wanted == "" || n.text == wanted:
	case v.grammar.own:
		v.found(RuleRoot, n.text, "", "the root element is %s; the DOCTYPE says %s", n.text, wanted)
	default:
		v.found(RuleRoot, n.text, "", "the root element is %s, not %s; no element is judged", n.text, wanted)
		v.lost = true
	}
	return !v.lost
}

func (v *Validator) push(n *named) {
	if len(v.open) < cap(v.open) {
		v.open = v.open[:len(v.open)+1]
	} else {
		v.open = append(v.open, opened{})
	}
	top := v.innermost()
	top.name, top.state, top.references, top.mute = n, stateless, v.scanner.References(), false
	if n.element != nil && n.element.automaton != nil {
		if top.state = n.element.first; top.state == followed {
			top.places = append(top.places[:0], n.element.automaton.first)
		}
	}
}

// child validates an element as the next child of its parent.
func (v *Validator) child(parent *opened, n *named) {
	if parent.state == n.from { // as the last one of its name
		parent.state = n.to
		return
	}
	e := parent.name.element
	switch {
	case e == nil || e.content == xmlscan.AnyContent:
	case e.content == xmlscan.EmptyContent:
		v.foundOnce(parent, "%s is declared EMPTY, but has the child %s", e.name, n.text)
	case e.content == xmlscan.MixedContent:
		if _, ok := slices.BinarySearch(e.mixed, n.index); !ok {
			v.found(RuleContent, n.text, "", "%s is not allowed in %s, which allows %s", n.text, e.name,
				phrase.List(append([]string{"text"}, v.list(e.mixed)...), "or"))
		}
	default:
		v.step(parent, e, n)
	}
}

// step makes a transition in the automaton of the parent's content.
func (v *Validator) step(parent *opened, e *element, n *named) {
	if parent.mute || !n.declared() && parent.state >= 0 && v.grammar.states[parent.state].repeats {
		return // the error that it is not declared is enough if it can simply be left out
	}
	if e.first == followed {
		v.walker.reach(e.automaton, parent.places)
		next := v.walker.follow(e.automaton, n.index, nil)
		if len(next) == 0 {
			v.foundOnce(parent, "%s is not allowed here in %s; %s", n.text, e.name,
				v.wanted(followed, e, parent.places))
			return
		}
		parent.places = next
		return
	}
	state := &v.grammar.states[parent.state]
	to, ok := state.after(n.index)
	switch {
	case ok:
		n.from, n.to = parent.state, to
		parent.state = to
	case state.repeats: // it is one too many, but the next children can still fit
		v.found(RuleContent, n.text, "", "%s is not allowed in %s; %s", n.text, e.name, v.wanted(parent.state, e, nil))
	default:
		v.foundOnce(parent, "%s is not allowed here in %s; %s", n.text, e.name, v.wanted(parent.state, e, nil))
	}
}

func (v *Validator) endTag() {
	top := v.innermost()
	if top == nil {
		return
	}
	v.open = v.open[:len(v.open)-1]
	e := top.name.element
	if e == nil || top.mute {
		return
	}
	switch {
	case e.content == xmlscan.EmptyContent:
		if top.references != v.scanner.References() {
			v.found(RuleContent, e.name, "", "%s is declared EMPTY, but has a reference to an entity in it", e.name)
		}
	case top.state >= 0 && !v.grammar.states[top.state].accepts, top.state == followed && e.automaton != nil &&
		!v.walker.ends(e.automaton, top.places...):
		v.found(RuleContent, e.name, "", "%s ends too early; %s", e.name, v.wanted(top.state, e, top.places))
	}
}

// text validates character data.
func (v *Validator) text() {
	top := v.innermost()
	if top == nil || top.name.element == nil || top.mute {
		return
	}
	e, s := top.name.element, v.scanner
	switch {
	case e.content == xmlscan.EmptyContent:
		v.foundOnce(top, "%s is declared EMPTY, but has text in it", e.name)
	case e.automaton == nil:
	case s.Blank() && s.Literal():
		if e.outside && v.grammar.doctype.Standalone && v.grammar.own {
			v.found(RuleStandalone, e.name, "",
				"white space in %s, whose content model is in an external declaration, but the document has "+
					"standalone=\"yes\"", e.name)
			top.mute = true
		}
	case len(bytes.TrimSpace(s.Text())) == 0:
		v.foundOnce(top,
			"a reference or a CDATA section in %s, which may only have elements in it, with white space as it is",
			e.name)
	default:
		top.mute = true
		finding := Finding{Rule: RuleContent, Position: s.Position(), Element: e.name,
			Message: fmt.Sprintf("text in %s, which may only have elements in it: %s", e.name,
				sanitize.Quote(bytes.TrimSpace(s.Text())))}
		if text := s.Source(len(s.Text())); s.Literal() {
			finding.Position = finding.Advance(text[:len(text)-len(bytes.TrimLeft(text, " \t\r\n"))])
		}
		v.report(finding)
	}
}

// markup validates comments and processing instructions, which only EMPTY does not allow.
func (v *Validator) markup() {
	if top := v.innermost(); top != nil && top.name.element != nil && top.name.element.content == xmlscan.EmptyContent {
		v.foundOnce(top, "%s is declared EMPTY, but has a comment or a processing instruction in it", top.name.text)
	}
}

// skipped validates a reference to an entity whose text is unknown.
func (v *Validator) skipped() {
	if v.grammar.own && len(v.grammar.doctype.Unread) == 0 {
		v.found(RuleEntity, "", "", "%s refers to an entity that is not declared, or cannot be read",
			sanitize.Clip(v.scanner.Text(), 200))
	}
	v.markup()
}

// foundOnce reports the first error in the content of an open element, and none after it.
func (v *Validator) foundOnce(top *opened, format string, arguments ...any) {
	if !top.mute {
		top.mute = true
		v.found(RuleContent, top.name.text, "", format, arguments...)
	}
}

func (v *Validator) found(rule, element, attribute, format string, arguments ...any) {
	v.report(Finding{Rule: rule, Position: v.scanner.Position(), Element: element, Attribute: attribute,
		Message: fmt.Sprintf(format, arguments...)})
}

// wanted returns the text about what may come next at the state, or at the places if there are no states.
func (v *Validator) wanted(state int32, e *element, places []int32) string {
	var elements []int32
	accepts := false
	switch {
	case state >= 0:
		for _, edge := range v.grammar.states[state].edges {
			elements = append(elements, edge.element)
		}
		accepts = v.grammar.states[state].accepts
	case places == nil:
		places = []int32{e.automaton.first}
		fallthrough
	default:
		v.walker.reach(e.automaton, places)
		for _, taker := range v.walker.takers {
			elements = append(elements, e.automaton.nodes[taker].element)
		}
		slices.Sort(elements)
		elements, accepts = slices.Compact(elements), v.walker.accepts
	}
	names := v.list(elements)
	if accepts || len(names) == 0 {
		names = append(names, "</"+e.name+">")
	}
	return phrase.List(names, "or") + " is expected"
}

// list names elements for a message; only some if they are many.
func (v *Validator) list(elements []int32) (names []string) {
	const shown = 8
	for _, i := range elements[:min(len(elements), shown)] {
		names = append(names, v.grammar.elements[i].name)
	}
	if len(elements) > shown {
		names = append(names, fmt.Sprintf("%d others", len(elements)-shown))
	}
	return names
}

// nameOf returns what is known about the elements of the name.
func (v *Validator) nameOf(id xmlscan.NameID) *named {
	if int(id) < len(v.names) && v.names[id] != nil {
		return v.names[id]
	}
	if int(id) >= len(v.names) {
		v.names = append(v.names, make([]*named, int(id)+1-len(v.names))...)
	}
	n := v.find(v.scanner.TextOf(id))
	v.names[id] = n
	return n
}

// find looks up the element of the name.
func (v *Validator) find(text string) *named {
	n := &named{text: text, from: unknown, index: noElement}
	if i, ok := v.grammar.byName[text]; ok {
		n.element, n.index = &v.grammar.elements[i], i
		n.emptyIsBad = n.element.emptyIsBad || !n.element.declared
	}
	return n
}
