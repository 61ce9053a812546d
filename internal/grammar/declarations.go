package grammar

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/xmlscan"
)

// checkDeclarations notes the defects of the declarations themselves.
func (g *Grammar) checkDeclarations() {
	for _, problem := range g.doctype.Problems {
		g.note(problem.Position, "", "%s", problem.Message)
	}
	notations := g.checkNotations()
	for _, entity := range g.doctype.Entities {
		if entity.Notation != "" && !notations[entity.Notation] {
			g.note(entity.Position, "",
				"the unparsed entity %s has the notation %s, which is not declared", entity.Name, entity.Notation)
		}
	}
	for i := range g.elements {
		g.checkAttributes(&g.elements[i], notations)
	}
}

// checkNotations returns the names of the notations.
func (g *Grammar) checkNotations() map[string]bool {
	known := map[string]bool{}
	for _, notation := range g.doctype.Notations {
		if known[notation.Name] {
			g.note(notation.Position, "", "the notation %s is declared twice", notation.Name)
		}
		known[notation.Name] = true
	}
	return known
}

// checkAttributes checks the declared attributes of an element.
func (g *Grammar) checkAttributes(e *element, notations map[string]bool) {
	ids, notated := "", ""
	for i := range e.attributes {
		a := &e.attributes[i]
		switch a.Type {
		case xmlscan.ID:
			if ids != "" {
				g.noteAttribute(a, "%s has two attributes of type ID: %s and %s", e.name, ids, a.Name)
			}
			if ids = a.Name; a.Presence == xmlscan.HasDefault || a.Presence == xmlscan.Fixed {
				g.noteAttribute(a,
					"the attribute %s of %s is of type ID and cannot have a default; it must be #IMPLIED or #REQUIRED",
					a.Name, e.name)
			}
		case xmlscan.NotationType:
			if notated != "" {
				g.noteAttribute(a, "%s has two attributes of type NOTATION: %s and %s", e.name, notated, a.Name)
			}
			if notated = a.Name; e.declared && e.content == xmlscan.EmptyContent {
				g.noteAttribute(a, "%s is EMPTY and cannot have the attribute %s of type NOTATION", e.name, a.Name)
			}
			for _, value := range a.Values {
				if !notations[value] {
					g.noteAttribute(a, "the attribute %s of %s allows the notation %s, which is not declared", a.Name,
						e.name, value)
				}
			}
		}
		g.checkDefault(a)
		seen := map[string]bool{}
		for _, value := range a.Values {
			if seen[value] {
				g.noteAttribute(a, "the attribute %s of %s lists the value %s twice", a.Name, e.name, value)
			}
			seen[value] = true
		}
	}
}

// checkDefault checks that a default value has the form of the attribute's type. Whether it names an entity is checked
// when an element gets it (validity constraint Attribute Default Value Syntactically Correct).
func (g *Grammar) checkDefault(a *attribute) {
	if a.Presence != xmlscan.HasDefault && a.Presence != xmlscan.Fixed || a.Type == xmlscan.CDATA ||
		a.Type == xmlscan.ID {
		return
	}
	form := *a
	switch a.Type {
	case xmlscan.ENTITY:
		form.Type = xmlscan.IDREF
	case xmlscan.ENTITIES:
		form.Type = xmlscan.IDREFS
	}
	if why := g.wrong(&form, a.Default); why != "" {
		g.noteAttribute(a, "the default of the attribute %s of %s is wrong: %s", a.Name, a.Element, why)
	}
}

func (g *Grammar) noteAttribute(a *attribute, format string, arguments ...any) {
	g.note(a.Position, a.Element, format, arguments...)
}

// wrong returns why the value is not of the attribute's type, or "". The value has no spaces around it and only single
// ones inside.
func (g *Grammar) wrong(a *attribute, value string) string {
	switch a.Type {
	case xmlscan.ID, xmlscan.IDREF:
		return wrongName(value)
	case xmlscan.NMTOKEN:
		return wrongToken(value)
	case xmlscan.ENTITY:
		return g.wrongEntity(value)
	case xmlscan.IDREFS:
		return eachOf(value, wrongName)
	case xmlscan.NMTOKENS:
		return eachOf(value, wrongToken)
	case xmlscan.ENTITIES:
		return eachOf(value, g.wrongEntity)
	case xmlscan.Enumeration, xmlscan.NotationType:
		return notAmong(value, a.Values)
	}
	return ""
}

func wrongName(value string) string {
	if xmlscan.IsName(value) {
		return ""
	}
	return sanitize.Quote(value) + " is not a name"
}

func wrongToken(value string) string {
	if xmlscan.IsNameToken(value) {
		return ""
	}
	return sanitize.Quote(value) + " is not a name token"
}

// wrongEntity returns why the value is not the name of an unparsed entity, or "".
func (g *Grammar) wrongEntity(name string) string {
	switch entity := g.doctype.Entity(name); {
	case !xmlscan.IsName(name):
		return sanitize.Quote(name) + " is not a name"
	case entity == nil:
		return "the entity " + sanitize.Quote(name) + " is not declared"
	case entity.Notation == "":
		return "the entity " + sanitize.Quote(name) + " is not an unparsed one (with NDATA)"
	}
	return ""
}

// eachOf returns what is wrong with the first wrong part of a list, or with an empty list, or "".
func eachOf(value string, wrong func(string) string) string {
	if value == "" {
		return "the list is empty"
	}
	for part := range strings.SplitSeq(value, " ") {
		if why := wrong(part); why != "" {
			return why
		}
	}
	return ""
}

// notAmong returns the message about a value that is not among the allowed ones, or "".
func notAmong(value string, allowed []string) string {
	if slices.Contains(allowed, value) {
		return ""
	}
	const shown = 8
	list := strings.Join(allowed[:min(len(allowed), shown)], ", ")
	if len(allowed) > shown {
		list += ", …"
	}
	return sanitize.Quote(value) + " is not one of " + list
}
