package grammar

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/trcx/trcx/internal/xmlscan"
)

// Grammar is a compiled DTD. It does not change, so any number of validators can use it at the same time.
type Grammar struct {
	doctype  *xmlscan.Doctype
	elements []element
	byName   map[string]int32
	states   []state // of all automata
	findings []Finding
	errors   int    // including those beyond maxFindings
	warnings int    // likewise
	root     string // the name of the root element; "" if any will do
	own      bool   // the document's own
	hasIDs   bool   // an attribute's validity can depend on other elements
}

// element has the declarations for the elements of a name.
type element struct {
	name       string
	declared   bool // not only named in other declarations
	outside    bool // declared outside of the document
	content    xmlscan.ParticleKind
	automaton  *automaton // of children
	first      int32      // its first state in the grammar, or followed
	mixed      []int32    // the elements in mixed content, sorted
	emptyIsBad bool       // it cannot be without content
	attributes []attribute
	byName     map[string]int32 // indexes of attributes
	required   []int            // likewise
}

// followed is the state of an element whose automaton has too many states: its nodes are followed instead.
const followed = -1

// attribute is a declared attribute.
type attribute struct {
	xmlscan.AttributeDeclaration
	// free reports that any value is valid, so none needs a check.
	free bool
}

// compile makes a grammar from the declarations of a document, whose DOCTYPE names the root, or of a DTD alone. Defects
// of the declarations are in Findings; the other declarations are used.
func compile(doctype *xmlscan.Doctype) *Grammar {
	g := &Grammar{doctype: doctype, byName: map[string]int32{}, root: doctype.Name, own: doctype.Name != ""}
	var first []*xmlscan.ElementDeclaration // of each element
	for i := range doctype.Elements {
		if g.declareElement(&doctype.Elements[i]) {
			first = append(first, &doctype.Elements[i])
		}
	}
	edges := maxEdges
	for _, declaration := range first {
		g.compileContent(declaration, &edges)
	}
	for i := range doctype.Attributes {
		g.declareAttribute(&doctype.Attributes[i])
	}
	g.checkDeclarations()
	slices.SortStableFunc(g.findings, func(a, b Finding) int { return cmp.Compare(a.Offset, b.Offset) })
	return g
}

// Parse reads and compiles a DTD for documents with the root element, or with any if that is "". The error is a
// *xmlscan.SyntaxError, or one of the reader.
func Parse(r io.Reader, root string, options xmlscan.Options) (*Grammar, error) {
	doctype, err := xmlscan.ReadSubset(r, options)
	if err != nil {
		return nil, err
	}
	g := compile(doctype)
	g.root = root
	return g, nil
}

// Findings returns the errors and warnings about the declarations.
func (g *Grammar) Findings() []Finding { return g.findings }

// Declares reports whether the element is declared.
func (g *Grammar) Declares(name string) bool {
	i, ok := g.byName[name]
	return ok && g.elements[i].declared
}

// Divisible reports whether the parts of a document can be validated one by one: no attribute is an ID or refers to
// one, and no rule depends on whether a declaration is in the document.
func (g *Grammar) Divisible() bool { return !g.hasIDs && !g.doctype.Standalone }

// note adds an error about the declarations.
func (g *Grammar) note(at xmlscan.Position, element, format string, arguments ...any) {
	g.add(Finding{Rule: RuleDeclaration, Position: at, Element: element, Message: fmt.Sprintf(format, arguments...)})
}

// add adds a finding about the declarations, unless there are too many of its severity.
func (g *Grammar) add(finding Finding) {
	count := &g.errors
	if finding.Warning {
		count = &g.warnings
	}
	if *count++; *count <= maxFindings {
		g.findings = append(g.findings, finding)
	}
}

// maxFindings limits the errors, and the warnings, about its declarations that a grammar keeps.
const maxFindings = 1000

// index returns the index of the element of the name, declared or not.
func (g *Grammar) index(name string) int32 {
	if i, ok := g.byName[name]; ok {
		return i
	}
	i := int32(len(g.elements))
	g.elements = append(g.elements, element{name: name, content: xmlscan.AnyContent})
	g.byName[name] = i
	return i
}

// declareElement returns false if the element has an earlier declaration, which takes precedence.
func (g *Grammar) declareElement(declaration *xmlscan.ElementDeclaration) bool {
	e := &g.elements[g.index(declaration.Name)]
	if e.declared {
		g.note(declaration.Position, e.name,
			"the element %s is declared twice; the first declaration counts", e.name)
		return false
	}
	e.declared, e.outside = true, declaration.Outside
	return true
}

// compileContent makes the automaton of an element, or the list of elements that its mixed content allows.
func (g *Grammar) compileContent(declaration *xmlscan.ElementDeclaration, edges *int) {
	i := g.byName[declaration.Name]
	model := &declaration.Content
	switch model.Kind {
	case xmlscan.EmptyContent, xmlscan.AnyContent:
		g.elements[i].content = model.Kind
	case xmlscan.MixedContent:
		g.compileMixed(i, declaration)
	default:
		if n := modelNames(model); n > maxNames {
			g.note(declaration.Position, declaration.Name,
				"the content model of %s has %d names; models of more than %d are not judged", declaration.Name, n,
				maxNames)
			return
		}
		made := newAutomaton(model, g.index, edges)
		e := &g.elements[i]
		e.content, e.automaton, e.first = xmlscan.Sequence, made, followed
		if made.ambiguous != noElement {
			g.add(Finding{Rule: RuleAmbiguous, Warning: true, Position: declaration.Position, Element: e.name,
				Message: fmt.Sprintf(
					"the content model of %s is not deterministic: there is more than one way to match a child %s; "+
						"it is matched correctly all the same",
					e.name, g.elements[made.ambiguous].name)})
		}
		e.emptyIsBad = !new(walker).ends(made, made.first)
		if made.states != nil {
			e.first = g.addStates(made.states)
			made.nodes, made.states = nil, nil
		}
	}
}

// addStates adds the states of an automaton to the grammar and returns the index of the first.
func (g *Grammar) addStates(states []state) int32 {
	base := int32(len(g.states))
	for _, s := range states {
		for i := range s.edges {
			s.edges[i].to += base
		}
		g.states = append(g.states, s)
	}
	return base
}

func (g *Grammar) compileMixed(i int32, declaration *xmlscan.ElementDeclaration) {
	mixed := make([]int32, 0, len(declaration.Content.Children))
	for _, child := range declaration.Content.Children {
		mixed = append(mixed, g.index(child.Name))
	}
	slices.Sort(mixed)
	for k := 1; k < len(mixed); k++ {
		if mixed[k] == mixed[k-1] {
			g.note(declaration.Position, declaration.Name, "the content model of %s names %s twice",
				declaration.Name, g.elements[mixed[k]].name)
		}
	}
	e := &g.elements[i]
	e.content, e.mixed = xmlscan.MixedContent, slices.Compact(mixed)
}

func (g *Grammar) declareAttribute(declaration *xmlscan.AttributeDeclaration) {
	e := &g.elements[g.index(declaration.Element)]
	if declaration.Presence == xmlscan.Required {
		e.required = append(e.required, len(e.attributes))
	}
	if e.byName == nil {
		e.byName = map[string]int32{}
	}
	e.byName[declaration.Name] = int32(len(e.attributes))
	e.attributes = append(e.attributes, attribute{
		AttributeDeclaration: *declaration,
		free:                 declaration.Type == xmlscan.CDATA && declaration.Presence != xmlscan.Fixed,
	})
	switch declaration.Type {
	case xmlscan.ID, xmlscan.IDREF, xmlscan.IDREFS:
		g.hasIDs = true
	}
}
