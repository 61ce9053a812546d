package schema

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// grammar is the schemas, ready for use. It is not changed any more, and may be used from several goroutines.
type grammar struct {
	document *part
	line     *demands
	texts    map[string]any // the schemas as they are written, by their $id
}

// compiled compiles the schemas, once. They are part of the program, so nothing in an input can make it fail.
var compiled = sync.OnceValue(func() *grammar {
	g := &grammar{texts: map[string]any{}}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.LoadURL = refuse
	g.line = demandsOf(compiler.MustCompile(g.add(compiler, Lines)))
	g.document = partOf(compiler.MustCompile(g.add(compiler, Model)))
	g.document.object("trace").list("sessions").note = (*document).noteSession
	threads := g.document.list("threads")
	threads.note = (*document).noteThread
	threads.list("events").note = (*document).noteEvent
	g.document.list("objects").note = (*document).noteObject
	g.document.list("deadlocks").note = (*document).noteDeadlock
	return g
})

// refuse loads nothing: neither a file nor the network is ever touched.
func refuse(url string) (io.ReadCloser, error) {
	return nil, fmt.Errorf("%s is not part of trcx, and is not loaded", url)
}

// add gives the embedded schema of the name to the compiler, and returns its $id.
func (g *grammar) add(compiler *jsonschema.Compiler, name string) (id string) {
	source, _ := Text(name)
	var written map[string]any
	if err := json.Unmarshal([]byte(source), &written); err != nil {
		panic(fmt.Sprintf("the schema %s: %v", name, err))
	}
	id = written["$id"].(string)
	if err := compiler.AddResource(id, strings.NewReader(source)); err != nil {
		panic(fmt.Sprintf("the schema %s: %v", name, err))
	}
	g.texts[id] = written
	return id
}

// part is a value of the document that is judged in pieces: the items of its lists one by one, and itself without them.
type part struct {
	demands *demands
	known   map[string]*jsonschema.Schema // its members; others are nobody's business
	lists   map[string]*part              // the members that are lists of any length: what their items are
	objects map[string]*part              // the members that have such lists
	note    func(*document, value)        // takes an item that was read, for what no schema can say
}

func partOf(schema *jsonschema.Schema) *part {
	described := schema
	for described.Ref != nil {
		described = described.Ref
	}
	return &part{demands: demandsOf(schema), known: described.Properties, lists: map[string]*part{},
		objects: map[string]*part{}}
}

// list makes a member one whose items are read one by one.
func (p *part) list(name string) *part {
	p.lists[name] = partOf(p.known[name].Items2020)
	return p.lists[name]
}

// object makes a member one that is read in pieces.
func (p *part) object(name string) *part {
	p.objects[name] = partOf(p.known[name])
	return p.objects[name]
}

// keyword finds what in a schema was not met: the keyword, and what it demands. location is as the validator gives it.
func (g *grammar) keyword(location string) (name string, demand any) {
	id, pointer, _ := strings.Cut(location, "#")
	names := append([]string{""}, segments(pointer)...)
	demand = g.texts[id]
	for _, name := range names[1:] {
		demand = inside(demand, name)
	}
	// …/dependentRequired/if there is this/number of what it requires
	if n := len(names); n > 3 && names[n-3] == "dependentRequired" {
		return names[n-3], []any{names[n-2], demand}
	}
	return names[len(names)-1], demand
}

// inside is what has the name in a value of encoding/json, or nil.
func inside(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		if i, err := strconv.Atoi(name); err == nil && 0 <= i && i < len(v) {
			return v[i]
		}
	}
	return nil
}
