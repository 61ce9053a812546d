package grammar_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// generator makes random grammars, and documents by them.
type generator struct {
	*rand.Rand
	elements  []*element // the first is the root
	notations []string
	unparsed  []string // entities
	texts     []string // entities without markup in their text
	ids       []string // that the current document has
	refers    []*pair  // values that will become some of the ids
}

type element struct {
	name       string
	content    content
	model      *particle // of children
	mixed      []string
	attributes []attribute
}

// content is the kind of content that an element may have.
type content int

const (
	empty content = iota
	anything
	mixed
	children
)

// particle is a part of a content model: a name, or a group with its separator.
type particle struct {
	name      string
	separator string // "," or "|"
	parts     []*particle
	repeat    string // "", "?", "*" or "+"
}

type attribute struct {
	name, typ, presence string
	values              []string // that it may have, if these are known
	fixed               string
}

// chance is true in one of n cases.
func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g *generator, all []T) T { return all[g.IntN(len(all))] }

// model makes a content model of some of the names.
func (g *generator) model(names []string, depth int) *particle {
	p := g.group(names, depth)
	p.repeat = pick(g, []string{"", "", "*", "+", "?"})
	return p
}

func (g *generator) group(names []string, depth int) *particle {
	p := &particle{separator: pick(g, []string{",", ",", "|"})}
	for range 1 + g.IntN(4) {
		part := &particle{name: pick(g, names)}
		if depth > 0 && g.chance(3) {
			part = g.group(names, depth-1)
		}
		part.repeat = pick(g, []string{"", "", "", "?", "*", "+"})
		p.parts = append(p.parts, part)
	}
	return p
}

// String returns the model as in a declaration, with ‹ and › around parts that a parameter entity may replace.
func (p *particle) String() string {
	if p.name != "" {
		return "‹" + p.name + p.repeat + "›"
	}
	var parts []string
	for _, part := range p.parts {
		parts = append(parts, part.String())
	}
	return "‹(‹" + strings.Join(parts, p.separator) + "›)" + p.repeat + "›"
}

// words appends names that the model allows.
func (p *particle) words(g *generator, names []string) []string {
	times := 1
	switch p.repeat {
	case "?":
		times = g.IntN(2)
	case "*":
		times = g.IntN(3)
	case "+":
		times = 1 + g.IntN(2)
	}
	for range times {
		switch {
		case p.name != "":
			names = append(names, p.name)
		case p.separator == "|":
			names = pick(g, p.parts).words(g, names)
		default:
			for _, part := range p.parts {
				names = part.words(g, names)
			}
		}
	}
	return names
}

// grammar makes the elements. Only later elements are allowed as children, so that documents end.
func (g *generator) grammar() {
	names := []string{"r", "a", "b", "c", "x-1", "été", "_d", "Ω.5", "e"}[:3+g.IntN(7)]
	g.notations, g.unparsed, g.texts = []string{"gif", "n2"}, []string{"pic", "film"}, []string{"t0", "t1", "t2"}
	for i, name := range names {
		e := &element{name: name, content: pick(g, []content{empty, anything, mixed, mixed, children, children,
			children, children})}
		switch later := names[i+1:]; {
		case len(later) == 0 && e.content == children:
			e.content = mixed
		case e.content == children:
			e.model = g.model(later, 2)
		}
		if e.content == mixed {
			e.mixed = slices.Clone(names[min(i+1, len(names)):])
			g.Shuffle(len(e.mixed), func(i, j int) { e.mixed[i], e.mixed[j] = e.mixed[j], e.mixed[i] })
			e.mixed = e.mixed[:g.IntN(len(e.mixed)+1)]
		}
		for n := range g.IntN(4) {
			e.attributes = append(e.attributes, g.attribute(e, fmt.Sprintf("k%d", n)))
		}
		g.elements = append(g.elements, e)
	}
}

// attribute makes a valid declaration: one ID for each element, without a default, and one NOTATION for each that is
// not empty.
func (g *generator) attribute(e *element, name string) attribute {
	a := attribute{name: name, typ: pick(g, []string{"CDATA", "CDATA", "ID", "IDREF", "IDREFS", "NMTOKEN", "NMTOKENS",
		"ENTITY", "ENTITIES",
		"NOTATION", "enumeration", "enumeration"})}
	has := slices.ContainsFunc(e.attributes, func(other attribute) bool {
		return strings.HasPrefix(other.typ+" ",
			a.typ+" ")
	})
	if has && (a.typ == "ID" || a.typ == "NOTATION") || a.typ == "NOTATION" && e.content == empty {
		a.typ = "CDATA"
	}
	switch a.typ {
	case "NOTATION":
		a.values = g.notations[:1+g.IntN(len(g.notations))]
		a.typ += " (" + strings.Join(a.values, "|") + ")"
	case "enumeration":
		a.values = []string{"yes", "no", "1", "-m", "été"}[g.IntN(4):]
		a.typ = "(" + strings.Join(a.values, " | ") + ")"
	}
	a.presence = pick(g, []string{"#REQUIRED", "#IMPLIED", "#IMPLIED"})
	if !strings.HasPrefix(a.typ, "ID") && g.chance(2) {
		a.fixed = g.value(&a)
		a.presence = g.quoted(a.fixed)
		if g.chance(2) {
			a.presence = "#FIXED " + a.presence
		} else {
			a.fixed = ""
		}
	}
	return a
}

// value makes a value of the attribute's type, as written in a tag; "" for a reference before ids are known.
func (g *generator) value(a *attribute) string {
	switch {
	case a.fixed != "":
		return a.fixed
	case a.values != nil:
		return g.spaced(pick(g, a.values))
	case a.typ == "ID":
		g.ids = append(g.ids, fmt.Sprintf("i%d", len(g.ids)))
		return g.spaced(g.ids[len(g.ids)-1])
	case a.typ == "CDATA":
		return pick(g, []string{"", " ", "v", "a  b", "&t0;x", "&lt;&#60;&amp;", "&t1;", "\tä\n", "&#10;", "'"})
	case strings.HasPrefix(a.typ, "ENTIT"):
		return g.several(a.typ == "ENTITIES", g.unparsed)
	case strings.HasPrefix(a.typ, "NMTOKEN"):
		return g.several(a.typ == "NMTOKENS", []string{"n", "-", "1.2", "é", "&#x41;", "&t1;"})
	}
	return ""
}

// several makes a list, or one value.
func (g *generator) several(list bool, from []string) string {
	text := g.spaced(pick(g, from))
	for list && g.chance(2) {
		text += pick(g, []string{" ", "  ", "\n", "\t"}) + pick(g, from)
	}
	return text
}

// spaced adds white space around a value, which most types ignore.
func (g *generator) spaced(value string) string {
	if g.chance(8) {
		return pick(g, []string{" ", "\n", "&#32;"}) + value + pick(g, []string{"", " "})
	}
	return value
}

func (g *generator) quoted(value string) string {
	if strings.Contains(value, `'`) || !strings.Contains(value, `"`) && g.chance(2) {
		return `"` + value + `"`
	}
	return `'` + value + `'`
}

// declarations writes the grammar, each declaration a text.
func (g *generator) declarations() []string {
	all := []string{`<!ENTITY t0 "text &#38;#60; &#38;amp; ä">`, `<!ENTITY t1 't'>`,
		`<!ENTITY t2 "[&t1;&t0;]<!-- &t0; --><?p?>">`}
	for _, notation := range g.notations {
		all = append(all, pick(g, []string{`<!NOTATION ` + notation + ` SYSTEM "` + notation + `">`, `<!NOTATION ` +
			notation + ` PUBLIC "-//n">`}))
	}
	for _, entity := range g.unparsed {
		all = append(all, "<!ENTITY "+entity+` SYSTEM "`+entity+`" NDATA ‹`+pick(g, g.notations)+"›>")
	}
	for _, e := range g.elements {
		lists := g.attributeLists(e)
		all = append(all, "<!ELEMENT "+e.name+" "+e.declared()+">")
		if at := len(all) - g.IntN(2); lists != "" {
			all = slices.Insert(all, at, lists)
		}
		if g.chance(10) {
			all = append(all, pick(g, []string{"<!-- <!ELEMENT -->", "<?q %no; ?>", "<!ATTLIST " + e.name + ">"}))
		}
	}
	return all
}

func (e *element) declared() string {
	switch e.content {
	case empty:
		return "‹EMPTY›"
	case anything:
		return "‹ANY›"
	case children:
		return e.model.String()
	}
	if len(e.mixed) == 0 {
		return "‹(#PCDATA)›"
	}
	return "‹(#PCDATA‹|" + strings.Join(e.mixed, " | ") + "›)*›"
}

func (g *generator) attributeLists(e *element) string {
	var text strings.Builder
	for i, a := range e.attributes {
		if i == 0 || g.chance(4) {
			if i > 0 {
				text.WriteString(">\n")
			}
			text.WriteString("<!ATTLIST " + e.name)
		}
		fmt.Fprintf(&text, " ‹%s ‹%s› ‹%s››", a.name, a.typ, a.presence)
	}
	if text.Len() > 0 {
		text.WriteString(">")
	}
	return text.String()
}

// node is a part of a document: an element, or markup as it is.
type node struct {
	*element
	text       string
	attributes []*pair
	inside     []*node
}

type pair struct{ name, value string }

// document makes a valid document of the grammar.
func (g *generator) document() *node {
	g.ids, g.refers = nil, nil
	root := g.instance(g.elements[0], 0)
	for _, reference := range g.refers {
		reference.value = "none"
		if len(g.ids) > 0 {
			reference.value = pick(g, g.ids)
		}
	}
	return root
}

func (g *generator) instance(e *element, depth int) *node {
	n := &node{element: e}
	for i := range e.attributes {
		a := &e.attributes[i]
		if a.presence != "#REQUIRED" && g.chance(3) || a.presence == "#IMPLIED" && strings.HasPrefix(a.typ, "IDREF") &&
			g.chance(2) {
			continue
		}
		value := &pair{a.name, g.value(a)}
		if strings.HasPrefix(a.typ, "IDREF") {
			g.refers = append(g.refers, value)
		}
		n.attributes = append(n.attributes, value)
	}
	for _, name := range g.content(e, depth) {
		n.inside = append(n.inside, g.between(e)...)
		n.inside = append(n.inside, g.instance(g.named(name), depth+1))
	}
	n.inside = append(n.inside, g.between(e)...)
	return n
}

func (g *generator) named(name string) *element {
	return g.elements[slices.IndexFunc(g.elements, func(e *element) bool { return e.name == name })]
}

// content makes the names of children that the element may have.
func (g *generator) content(e *element, depth int) (names []string) {
	allowed := e.mixed
	switch e.content {
	case empty:
		return nil
	case children:
		return e.model.words(g, nil)
	case anything:
		for _, other := range g.elements {
			allowed = append(allowed, other.name)
		}
	}
	for len(allowed) > 0 && depth < 5 && len(names) < 4 && !g.chance(3) {
		names = append(names, pick(g, allowed))
	}
	return names
}

var (
	unseen = []string{" ", "\n", "<!-- c -->", "<?p i?>", "\r\n\t"}
	texts  = []string{"text", "&t0;", "&t1;", "&t2;", "<![CDATA[<x>]]>", "&#65;", "&gt;", "]", "ä", "<![CDATA[]]>"}
)

// between makes what may be between the children of the element.
func (g *generator) between(e *element) []*node {
	switch {
	case e.content == empty || !g.chance(3):
		return nil
	case e.content == children:
		return []*node{{text: pick(g, unseen)}}
	}
	return []*node{{text: pick(g, texts)}, {text: pick(g, unseen)}}
}

// write writes the node as markup.
func (n *node) write(text *strings.Builder) {
	text.WriteString(n.text)
	if n.element == nil {
		return
	}
	text.WriteString("<" + n.name)
	for _, a := range n.attributes {
		quote := `"`
		if strings.Contains(a.value, quote) {
			quote = "'"
		}
		text.WriteString(" " + a.name + "=" + quote + a.value + quote)
	}
	if len(n.inside) == 0 {
		text.WriteString("/>")
		return
	}
	text.WriteString(">")
	for _, inside := range n.inside {
		inside.write(text)
	}
	text.WriteString("</" + n.name + ">")
}

func (n *node) String() string {
	var text strings.Builder
	n.write(&text)
	return text.String()
}

// walk appends all elements from the node on.
func (n *node) walk(all []*node) []*node {
	if n.element == nil {
		return all
	}
	all = append(all, n)
	for _, inside := range n.inside {
		all = inside.walk(all)
	}
	return all
}

// mutation changes a document, mostly so that it is no longer valid. n is one of its elements.
type mutation func(g *generator, root, n *node)

var mutations = []mutation{
	func(g *generator, _, n *node) { // a child less
		if len(n.inside) > 0 {
			at := g.IntN(len(n.inside))
			n.inside = slices.Delete(n.inside, at, at+1)
		}
	},
	func(g *generator, _, n *node) { n.insert(g, g.instance(pick(g, g.elements), 4)) },
	func(g *generator, _, n *node) {
		g.Shuffle(len(n.inside), func(i, j int) { n.inside[i], n.inside[j] = n.inside[j], n.inside[i] })
	},
	func(g *generator, _, n *node) { n.insert(g, &node{element: &element{name: "undeclared"}}) },
	func(g *generator, _, n *node) { n.insert(g, &node{text: pick(g, texts)}) },
	func(g *generator, _, n *node) { n.insert(g, &node{text: pick(g, unseen)}) },
	func(g *generator, _, n *node) {
		n.insert(g, &node{text: pick(g, []string{"&nothing;", "&#32;", "<![CDATA[ ]]>", "&space;", "&blank;", "&pic;",
			"&undeclared;"})})
	},
	func(g *generator, root, n *node) { // another root
		if n != root {
			inner := *n
			*root = inner
		}
	},
	func(g *generator, _, n *node) { // an attribute less
		if len(n.attributes) > 0 {
			at := g.IntN(len(n.attributes))
			n.attributes = slices.Delete(n.attributes, at, at+1)
		}
	},
	func(g *generator, _, n *node) {
		n.attributes = append(n.attributes, &pair{pick(g, []string{"undeclared", "k0", "k1", "k2"}), "1"})
	},
	func(g *generator, _, n *node) {
		n.changeValue(g, func(value string) string { return value + " " + value })
	},
	func(g *generator, _, n *node) { n.changeValue(g, func(string) string { return pick(g, g.ids) }) },
	func(g *generator, _, n *node) {
		n.changeValue(g, func(string) string {
			return pick(g, []string{"", " ", "none", "1", "yes", "gif", "n2", "pic", "t0", "x,y", "é", "&t0;",
				"&undeclared;", "&pic;", "&t2;", "<", "i0"})
		})
	},
}

func (n *node) insert(g *generator, part *node) {
	n.inside = slices.Insert(n.inside, g.IntN(len(n.inside)+1), part)
}

func (n *node) changeValue(g *generator, change func(string) string) {
	if len(n.attributes) > 0 && len(g.ids) > 0 {
		a := pick(g, n.attributes)
		a.value = change(a.value)
	}
}

// declarationMutations change the grammar's text.
var declarationMutations = []func(g *generator, all []string) []string{
	func(g *generator, all []string) []string { return slices.Delete(all, len(all)-1, len(all)) },
	func(g *generator, all []string) []string { return append(all, pick(g, all)) },
	func(g *generator, all []string) []string {
		g.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all
	},
	func(g *generator, all []string) []string {
		return append(all, pick(g, []string{"<!ATTLIST %s i1 ID #IMPLIED>", "<!ATTLIST %s i2 ID 'x'>",
			"<!ATTLIST %s k0 CDATA 'second'>", "<!ATTLIST %s m (a|a) #IMPLIED>",
			"<!ATTLIST %s m (a|b) 'c'>", "<!ATTLIST %s m NMTOKENS ''>", "<!ATTLIST %s m IDREF '1'>",
			"<!ATTLIST %s m ENTITY 'none'>", "<!ATTLIST %s m NOTATION (none) #IMPLIED>",
			"<!ATTLIST %s m NOTATION (gif) #IMPLIED>", "<!ATTLIST %s m NOTATION (gif|gif) #IMPLIED>",
			"<!ATTLIST %s m CDATA #REQUIRED>", "<!ATTLIST %s m NMTOKEN #FIXED ' x '>",
			"<!ELEMENT %s ANY>", "<!ELEMENT new (#PCDATA|%[1]s|%[1]s)*>", "<!ELEMENT new (%s,unknown)>",
			"<!ATTLIST unknown k CDATA 'x' i ID #IMPLIED j ID #IMPLIED>",
			"<!ENTITY late SYSTEM 'x' NDATA none>", "<!NOTATION gif SYSTEM 'again'>", "<!ENTITY t0 'again'>",
			"<!ENTITY lt '&#38;#60;'>", "<!ENTITY amp '&#38;#38;'>", "<!ENTITY gt '>'>",
			"<!ATTLIST %s xml:space (default|preserve) 'preserve'>", "<!ATTLIST %s xml:space (default) #IMPLIED>",
			"<!ATTLIST %s xml:space CDATA #IMPLIED>", "<!ATTLIST %s xml:lang CDATA 'de'>",
			"<!ENTITY self '&self;'>", "<!ENTITY open '<b>'>", "<!ATTLIST %s m CDATA '&late;'>",
			"<!ATTLIST %s m CDATA '&undeclared;'>", "<!ATTLIST %s m CDATA '<'>",
			"<!ATTLIST %s m (x|y) 'x' m (p) #REQUIRED>"}))
	},
}

// file is a document, or what it refers to.
type file struct{ name, text string }

// files distributes the document over files: declarations in the internal subset, in parameter entities there, in an
// external subset, and in entities that this refers to. The first file is the document.
func (g *generator) files(name string) []file {
	g.grammar()
	declarations := g.declarations()
	if g.chance(4) {
		some := pick(g, declarationMutations)(g, declarations)
		for i, text := range some {
			if strings.Contains(text, "%") && !strings.Contains(text, "%no;") {
				some[i] = strings.ReplaceAll(strings.ReplaceAll(text, "%[1]s", "%s"), "%s", pick(g, g.elements).name)
			}
		}
		declarations = some
	}
	root := g.document()
	for g.chance(2) {
		pick(g, mutations)(g, root, pick(g, root.walk(nil)))
	}
	l := &layout{generator: g, name: name}
	inner := len(declarations)
	if g.chance(2) {
		inner = g.IntN(inner + 1)
	}
	l.entities(root)
	l.internal(declarations[:inner])
	if inner < len(declarations) {
		l.external(declarations[inner:])
	}
	l.write(root)
	if g.chance(12) {
		l.misprint()
	}
	return l.all
}

// layout is how a document is distributed over files.
type layout struct {
	*generator
	name   string
	all    []file
	inside strings.Builder // the internal subset
	system string          // the external subset
	count  int             // of parameter entities
}

// entities makes general entities for some parts of the document.
func (l *layout) entities(root *node) {
	l.inside.WriteString("<!ENTITY nothing ''><!ENTITY space '&#32;'><!ENTITY blank '&#38;#32;'>\n")
	for i := 0; i < 3 && l.chance(3); i++ {
		n := pick(l.generator, root.walk(nil))
		if n == root {
			return
		}
		entity := fmt.Sprintf("part%d", i)
		text := n.String()
		n.element, n.text = nil, "&"+entity+";"
		if l.chance(2) {
			fmt.Fprintf(&l.inside, "<!ENTITY %s %s>\n", entity, literal(text))
			continue
		}
		fmt.Fprintf(&l.inside, "<!ENTITY %s SYSTEM '%s-%s.ent'>\n", entity, l.name, entity)
		l.all = append(l.all, file{l.name + "-" + entity + ".ent",
			pick(l.generator, []string{"", "<?xml encoding='UTF-8'?>"}) + text})
	}
}

// literal writes the text as the value of an entity.
func literal(text string) string {
	return `"` + strings.NewReplacer("&#", "&#38;#", "%", "&#37;", `"`, "&#34;").Replace(text) + `"`
}

var replaceable = regexp.MustCompile(`‹([^‹›]*)›`)

func plainly(declaration string) string {
	return strings.NewReplacer("‹", "", "›", "").Replace(declaration)
}

// internal writes the internal subset; parameter entities may only be between its declarations.
func (l *layout) internal(declarations []string) {
	for _, declaration := range declarations {
		declaration = plainly(declaration)
		if l.chance(8) {
			entity := l.parameter()
			fmt.Fprintf(&l.inside, "<!ENTITY %% %s %s>", entity, literal(declaration))
			declaration = "%" + entity + ";"
		}
		l.inside.WriteString(declaration + "\n")
	}
}

func (l *layout) parameter() string {
	l.count++
	return fmt.Sprintf("p%d", l.count)
}

// external writes the external subset with parameter entities, also inside declarations, and with conditional sections.
func (l *layout) external(declarations []string) {
	l.system = l.name + ".dtd"
	text := &strings.Builder{}
	text.WriteString(pick(l.generator, []string{"", "<?xml version='1.0' encoding='UTF-8'?>\n"}))
	if l.chance(2) {
		l.inside.WriteString("<!ENTITY % on 'INCLUDE'><!ENTITY % off 'IGNORE'>\n")
	} else {
		text.WriteString("<!ENTITY % on 'INCLUDE'><!ENTITY % off \"IGNORE\">\n")
	}
	for _, declaration := range declarations {
		declaration = l.withParameters(text, declaration)
		switch l.IntN(12) {
		case 0:
			declaration = "<![INCLUDE[" + declaration + "]]>"
		case 1:
			declaration = "<![ %on; [" + declaration + "<![IGNORE[ <![x[ ]]> <!ELEMENT ]]>]]>"
		case 2:
			declaration += "<![%off;[ <!ELEMENT " + pick(l.generator, l.elements).name + " EMPTY> ]]>"
		case 3:
			entity := l.parameter()
			part := l.name + "-" + entity + ".ent"
			l.all = append(l.all, file{part, declaration})
			declaration = fmt.Sprintf("<!ENTITY %% %s SYSTEM '%s'>%%%s;", entity, part, entity)
		}
		text.WriteString(declaration + "\n")
	}
	l.all = append(l.all, file{l.system, text.String()})
}

// withParameters writes declarations of entities for some of the replaceable parts, the innermost first.
func (l *layout) withParameters(text *strings.Builder, declaration string) string {
	for {
		at := replaceable.FindStringSubmatchIndex(declaration)
		if at == nil {
			return declaration
		}
		part := declaration[at[2]:at[3]]
		if l.chance(6) && !strings.ContainsAny(part, `'"`) {
			entity := l.parameter()
			fmt.Fprintf(text, "<!ENTITY %% %s '%s'>\n", entity, part)
			part = "%" + entity + ";"
		}
		declaration = declaration[:at[0]] + part + declaration[at[1]:]
	}
}

// write writes the document, as the first of the files.
func (l *layout) write(root *node) {
	text := pick(l.generator, []string{"", "<?xml version='1.0'?>",
		"<?xml version='1.0' encoding='utf-8' standalone='no'?>\n"})
	if l.chance(8) {
		text = "<?xml version='1.0' standalone='yes'?>\n"
	}
	text += "<!DOCTYPE " + l.elements[0].name
	if l.system != "" {
		text += " SYSTEM '" + l.system + "'"
	}
	text += " [\n" + l.inside.String() + "]>\n" + root.String() + pick(l.generator, []string{"", "\n", "<!-- end -->"})
	l.all = slices.Insert(l.all, 0, file{l.name + ".xml", text})
}

// misprint changes a character of one of the files.
func (l *layout) misprint() {
	const pieces = `<>/!?-[]&;#"' a1%()|,*+`
	f := &l.all[l.IntN(len(l.all))]
	if text := []rune(f.text); len(text) > 0 {
		text[l.IntN(len(text))] = rune(pieces[l.IntN(len(pieces))])
		f.text = string(text)
	}
}

// save writes the files into the folder and returns the name of the first.
func save(folder string, files []file) (string, error) {
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.name), []byte(f.text), 0o600); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, files[0].name), nil
}
