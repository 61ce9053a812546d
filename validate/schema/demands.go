package schema

import "github.com/santhosh-tekuri/jsonschema/v5"

// demands is a schema split by its conditions: what holds always, and what holds if a member is a certain text.
// Looking up the kind of an event is several times faster than trying the conditions of all kinds.
type demands struct {
	always []*jsonschema.Schema
	cases  map[string]map[string]*demands // by the member and its text
}

func demandsOf(schema *jsonschema.Schema) *demands {
	d := &demands{cases: map[string]map[string]*demands{}}
	d.add(schema)
	return d
}

// add adds a schema, then those that it refers to.
func (d *demands) add(schema *jsonschema.Schema) {
	own := *schema
	own.Ref, own.AllOf = nil, nil
	d.always = append(d.always, &own)
	if schema.Ref != nil {
		d.add(schema.Ref)
	}
	for _, part := range schema.AllOf {
		if !d.addCase(part) {
			d.add(part)
		}
	}
}

// addCase adds a schema if it is a condition only: a required member is a certain text. It reports whether it is.
func (d *demands) addCase(schema *jsonschema.Schema) bool {
	if schema.Then == nil || schema.Else != nil || len(schema.If.Required) != 1 || len(schema.If.Properties) != 1 {
		return false
	}
	member := schema.If.Required[0]
	asked := schema.If.Properties[member]
	if asked == nil || len(asked.Constant) != 1 {
		return false
	}
	constant, ok := asked.Constant[0].(string)
	if !ok {
		return false
	}
	if d.cases[member] == nil {
		d.cases[member] = map[string]*demands{}
	}
	if d.cases[member][constant] == nil {
		d.cases[member][constant] = demandsOf(schema.Then)
	} else {
		d.cases[member][constant].add(schema.Then)
	}
	return true
}

// of appends the schemas that the value has to satisfy.
func (d *demands) of(v value, all []*jsonschema.Schema) []*jsonschema.Schema {
	all = append(all, d.always...)
	for member, cases := range d.cases {
		if asked := v.members[member]; asked.kind == text && cases[asked.text] != nil {
			all = cases[asked.text].of(v, all)
		}
	}
	return all
}
