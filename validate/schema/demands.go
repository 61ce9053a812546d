package schema

import "github.com/santhosh-tekuri/jsonschema/v5"

// demands is a schema taken apart: what it demands always, and what where a member is a certain text. A schema with a
// condition for each kind of event is decided several times faster when the kind is looked up than when all conditions
// are tried.
type demands struct {
	always []*jsonschema.Schema
	cases  map[string]map[string]*demands // by the member, and what it is
}

func demandsOf(schema *jsonschema.Schema) *demands {
	d := &demands{cases: map[string]map[string]*demands{}}
	d.add(schema)
	return d
}

// add adds a schema, without what it only refers to, and that.
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

// addCase adds a schema that has nothing but a condition: that a required member is a certain text.
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

// of gives all that is demanded of the value.
func (d *demands) of(v value, all []*jsonschema.Schema) []*jsonschema.Schema {
	all = append(all, d.always...)
	for member, cases := range d.cases {
		if asked := v.members[member]; asked.kind == text && cases[asked.text] != nil {
			all = cases[asked.text].of(v, all)
		}
	}
	return all
}
