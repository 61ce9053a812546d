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

// grammar holds the compiled schemas. It is immutable and safe for concurrent use.
type grammar struct {
	document *part
	line     *demands
	texts    map[string]any // the schemas as JSON, by their $id
}

// compiled returns the embedded schemas, compiled once. No input can make it fail.
var compiled = sync.OnceValue(func() *grammar {
	g := &grammar{texts: map[string]any{}}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat = true
	compiler.LoadURL = refuse
	g.line = demandsOf(compiler.MustCompile(g.add(compiler, Lines)))
	g.document = partOf(compiler.MustCompile(g.add(compiler, Model)))
	g.document.object("trace").list("sessions").count = (*document).countSession
	threads := g.document.list("threads")
	threads.count = (*document).countThread
	threads.list("events").count = (*document).countEvent
	g.document.list("objects").count = (*document).countObject
	g.document.list("deadlocks").count = (*document).countDeadlock
	return g
})

// refuse is the compiler's loader. It returns an error: no file or network is ever accessed.
func refuse(url string) (io.ReadCloser, error) {
	return nil, fmt.Errorf("%s is not part of trcx, and is not loaded", url)
}

// add adds the embedded schema of the name to the compiler. It returns the schema's $id.
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

// part is a value of the document that is validated in pieces: the items of its lists one by one, then itself without
// them.
type part struct {
	demands *demands
	known   map[string]*jsonschema.Schema // its members; of others only the syntax is checked
	lists   map[string]*part              // the members that are lists of any length: what their items are
	objects map[string]*part              // the members that have such lists
	count   func(*document, value)        // checks the ids and references of an item
}

func partOf(schema *jsonschema.Schema) *part {
	described := schema
	for described.Ref != nil {
		described = described.Ref
	}
	return &part{demands: demandsOf(schema), known: described.Properties, lists: map[string]*part{},
		objects: map[string]*part{}}
}

// list marks a member as a list that is read item by item. It returns the part of its items.
func (p *part) list(name string) *part {
	p.lists[name] = partOf(p.known[name].Items2020)
	return p.lists[name]
}

// object marks a member as one that is read in pieces. It returns the member's part.
func (p *part) object(name string) *part {
	p.objects[name] = partOf(p.known[name])
	return p.objects[name]
}

// keyword returns the violated keyword of a schema and its value. location is the validator's.
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

// inside returns the member or item of the name in a value of encoding/json, or nil.
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
