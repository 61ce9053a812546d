package docs

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trcx/trcx/trace"
)

var update = flag.Bool("update", false, "write format.md anew")

//go:embed testdata/format-introduction.md
var introduction string

// TestFormat proves that format.md says what the table of package trace says.
func TestFormat(t *testing.T) {
	want := formatPage()
	if *update {
		if err := os.WriteFile("format.md", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("format.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("format.md is not current; write it with: go test ./docs -update")
	}
}

// page collects the text of format.md.
type page struct{ bytes.Buffer }

func (p *page) line(format string, arguments ...any) {
	fmt.Fprintf(p, format+"\n", arguments...)
}

func formatPage() []byte {
	p := &page{}
	p.WriteString(
		"<!-- Written by the tests from trace/table.go and docs/testdata/format-introduction.md: go test ./docs " +
			"-update -->\n\n")
	p.WriteString(introduction)
	p.annotations()
	p.line("\n## The elements\n")
	p.line(
		"Attributes are in the order in which agents write them, and trcx too. Each is followed by its type. " +
			"**Bold** ones are required:")
	p.line(
		"without them the element means nothing, although the grammar requires none. A mark ° after an element's " +
			"name says that its")
	p.line(
		"attribute list is [not established](#attribute-lists-that-are-not-established). An id attribute *defines* " +
			"an id, *refers to* one")
	p.line("that is known, or *ends* one.")
	for group := trace.GroupLifecycle; group <= trace.GroupAnnotations; group++ {
		p.chapter(group)
	}
	p.notEstablished()
	p.spaces()
	p.modelEvents()
	return p.Bytes()
}

// annotations writes the table of annotations.
func (p *page) annotations() {
	p.line("\n| `name` | is in | `value` | means |")
	p.line("|---|---|---|---|")
	for _, row := range trace.Annotations() {
		var names []string
		for _, kind := range row.Elements {
			names = append(names, "`"+kind.String()+"`")
		}
		in := strings.Join(names, ", ")
		switch {
		case row.IsAmongEvents():
			in = "the trace"
		case len(row.Elements) > 6:
			in = "every event that can have annotations"
		}
		p.line("| `%s` | %s | %s | %s |", row.Name, in, row.Says, cell(row.Means))
	}
}

// chapter writes the elements of a group.
func (p *page) chapter(group trace.Group) {
	p.line("\n### %s\n", group)
	p.line("| element | attributes | inside | effect on threads | meaning |")
	p.line("|---|---|---|---|---|")
	for e := range trace.Elements() {
		if e.Group != group {
			continue
		}
		mark := "°"
		if e.Established {
			mark = ""
		}
		p.line("| `%s`%s | %s | %s | %s | %s |", e.Name, mark, attributes(e), contents[e.Content], effect(e),
			cell(e.Summary))
	}
}

var contents = map[trace.Content]string{
	trace.Empty: "", trace.AnnotationsOf: "`annotation`s", trace.TextContent: "text and elements",
	trace.RootContent: "every other element",
}

func attributes(e *trace.Element) string {
	var all []string
	for _, a := range e.Attributes {
		name := "`" + a.Name + "`"
		if a.Required {
			name = "**" + name + "**"
		}
		said := []string{a.Type.String()}
		if a.Link != trace.NoLink {
			said = []string{fmt.Sprintf("%s %s id", a.Link, withArticle(a.Space.String()))}
		}
		all = append(all, fmt.Sprintf("%s (%s)", name, strings.Join(said, "; ")))
	}
	return strings.Join(all, "<br>")
}

func withArticle(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// effect says what the element does to threads, in the names of the model events.
func effect(e *trace.Element) string {
	var parts []string
	for _, list := range []struct {
		before string
		types  []trace.ModelType
	}{{"state ", e.States}, {"appends ", e.Instants}} {
		var names []string
		for _, t := range list.types {
			names = append(names, shortName(t))
		}
		if len(names) > 0 {
			parts = append(parts, list.before+strings.Join(names, " or "))
		}
	}
	return strings.Join(parts, "<br>")
}

// shortName is what the event is called without what all names have in common.
func shortName(t trace.ModelType) string {
	return strings.TrimSuffix(strings.TrimPrefix(t.String(), "TRCThread"), "Event")
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func (p *page) notEstablished() {
	var names []string
	for e := range trace.Elements() {
		if !e.Established {
			names = append(names, "`"+e.Name+"`")
		}
	}
	p.line("\n### Attribute lists that are not established\n")
	p.line(
		"No public material gives the whole attribute list of these %d elements; the tables show what is known "+
			"or likely:", len(names))
	p.line("%s.", strings.Join(names, ", "))
	p.line("Other attributes on them, as on any element, are kept and written back after those of the table.")
}

// spaces writes which elements define, use and end the ids of each space.
func (p *page) spaces() {
	p.line("\n## Ids\n")
	p.line(
		"An id is any string, usually a decimal number. It is known from its defining element to its ending one, " +
			"and may then be used")
	p.line(
		"again. Ids of different spaces are different even where their texts are equal. Transient ids are the " +
			"JVM's own. Ids mean")
	p.line("nothing beyond their document.\n")
	p.line("| space | defined by | ended by | referred to by |")
	p.line("|---|---|---|---|")
	for space := trace.NodeSpace; space <= trace.MethodSpace; space++ {
		p.line("| %s | %s | %s | %s |", space, users(space, trace.Defines), users(space, trace.Ends),
			users(space, trace.Refers))
	}
	p.line(
		"\nA `classUnload` ends the ids of the class's methods, too. `objIdRef` is `0` where the agent knows no " +
			"object, and `-1` on the wait")
	p.line("of a `Thread.sleep`; neither is an object's id.")
}

// users lists the attributes that have the link with ids of the space, each with its elements.
func users(space trace.Space, link trace.Link) string {
	elements := map[string][]string{}
	var order []string
	for e := range trace.Elements() {
		for _, a := range e.Attributes {
			if a.Space != space || a.Link != link {
				continue
			}
			if elements[a.Name] == nil {
				order = append(order, a.Name)
			}
			elements[a.Name] = append(elements[a.Name], e.Name)
		}
	}
	var all []string
	for _, name := range order {
		all = append(all, fmt.Sprintf("`%s` of %s", name, strings.Join(elements[name], ", ")))
	}
	return strings.Join(all, "<br>")
}

func (p *page) modelEvents() {
	p.line("\n## The model events\n")
	p.line(
		"What trcx computes: TPTP's fifteen classes of thread events. A *state* holds until the thread's next " +
			"state; an *instant* changes")
	p.line(
		"no state. Every event also has `id`, `type` and `time`, and `inferred` where that is true; " +
			"[model.md](model.md) shows them.\n")
	p.line("| event | extends | kind | own attributes |")
	p.line("|---|---|---|---|")
	for t := range trace.ModelTypeCount {
		described := t.Row()
		kind := "instant"
		switch {
		case described.Abstract:
			kind = "abstract: the base of what makes other threads run"
		case t.IsState():
			kind = "state"
		}
		p.line("| `%s` | `%s` | %s | %s |", described.Name, described.Base, kind, modelAttributes(t))
	}
}

func modelAttributes(t trace.ModelType) string {
	described := t.Row()
	var all []string
	add := func(name, meaning string) { all = append(all, "`"+name+"` ("+meaning+")") }
	if described.Object != "" {
		add(described.Object, "object id")
	}
	if described.Timeout {
		add("timeout", "milliseconds")
	}
	if described.Other != "" {
		add(described.Other, "thread id")
		add(described.Other+"Key", "thread key")
	}
	switch described.Causes {
	case trace.CausesOne:
		add("runningEvent", "event id")
	case trace.CausesMany:
		add("runningEvents", "event ids")
	}
	return strings.Join(all, "<br>")
}
