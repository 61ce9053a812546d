package schema

import (
	"cmp"
	"embed"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/trcx/trcx/internal/sanitize"
)

//go:embed *.schema.json
var schemas embed.FS

// Names lists the names of the JSON Schemas: model for a document, jsonl for a line.
func Names() []string { return []string{Model, Lines} }

// Text returns the JSON Schema of the name.
func Text(name string) (text string, ok bool) {
	content, err := schemas.ReadFile(name + ".schema.json")
	return string(content), err == nil
}

// compiled returns the embedded schemas by their names.
var compiled = sync.OnceValue(func() map[string]*jsonschema.Schema {
	all := map[string]*jsonschema.Schema{}
	for _, name := range Names() {
		text, _ := Text(name)
		all[name] = jsonschema.MustCompileString("https://trcx.dev/schema/"+name+".json", text)
	}
	return all
})

// applying returns the schema with only the conditions that apply to an object of this kind and type. The library would
// try all conditions, which is several times slower.
func applying(s *jsonschema.Schema, members map[string]any) *jsonschema.Schema {
	if s == nil {
		return nil
	}
	own := *s
	own.Ref, own.AllOf = applying(s.Ref, members), nil
	for _, part := range s.AllOf {
		for member, asked := range part.If.Properties {
			if members[member] == asked.Constant[0] {
				own.AllOf = append(own.AllOf, applying(part.Then, members))
			}
		}
	}
	return &own
}

// judge validates an element against its schema.
func (c *checker) judge(s *jsonschema.Schema, e element) {
	members, _ := e.value.(map[string]any)
	// This list has no item twice. Arrays and objects are wrong in it, and the library would compare them in quadratic
	// time.
	list, _ := members["runningEvents"].([]any)
	if i := slices.IndexFunc(list, func(item any) bool { _, ok := item.(float64); return !ok }); i >= 0 {
		members["runningEvents"] = list[:i+1]
	}
	invalid, _ := applying(s, members).Validate(e.value).(*jsonschema.ValidationError)
	if invalid == nil { // JSON leads to no other error
		return
	}
	found := map[string]bool{} // a pointer, a space and a message; two schemas may demand the same
	for _, v := range invalid.BasicOutput().Errors {
		if v.Error != "" && v.Error != "allOf failed" && !strings.HasPrefix(v.Error, "doesn't validate with") { // the last cause
			found[v.InstanceLocation+" "+v.Error] = true
		}
	}
	for _, violation := range slices.Sorted(maps.Keys(found)) {
		pointer, message, _ := strings.Cut(violation, " ")
		pointer, _ = url.PathUnescape(pointer) // which the library has escaped
		c.say(RuleSchema, e, pointer, "%s", sanitize.Clip(cmp.Or(clearer[message], message), maxShown))
	}
}

// clearer replaces the library's messages about excluded values.
var clearer = map[string]string{
	`value must be "1"`: "value must be 1",
	"not allowed":       "does not belong to this type of event",
	"not failed":        "is the id of no object",
}
